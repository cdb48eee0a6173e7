import { type Html, html, type Part } from '../html.ts'

interface Menu {
  /** The words of the closed menu. */
  readonly summary: Part
  /** Links and forms with one button. */
  readonly items: readonly Part[]
  /** Classes of the whole and of the closed menu. */
  readonly look?: string
  readonly summaryLook?: string
}

/** A menu that opens without script. Script closes the menu at Escape and at a click elsewhere. */
export function menu({ summary, items, look = 'more', summaryLook = 'button plain' }: Menu): Html {
  return html`<details ${{ class: look, 'data-menu': true }}><summary ${{ class: summaryLook }}>${summary}</summary><div class="menu">${items}</div></details>`
}
