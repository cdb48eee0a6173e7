import { type Html, html } from '../html.ts'
import { say } from '../say.ts'
import { breakable } from './breakable.ts'

export interface Crumb {
  readonly href: string
  readonly text: string
}

/** The pages above the page, from the top. */
export function breadcrumb(above: readonly Crumb[]): Html | false {
  if (above.length === 0) return false
  return html`<nav class="breadcrumb" aria-label="${say`Breadcrumb`}"><ol>${above.map(({ href, text }) => html`<li><a href="${href}">${breakable(text)}</a></li>`)}</ol></nav>`
}
