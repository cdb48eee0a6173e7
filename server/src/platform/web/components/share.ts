import { assert } from '../../../core/assert.ts'
import { percentWords } from '../format.ts'
import { type Html, html } from '../html.ts'

/** A part of a whole as a bar and in percent, for the cell of a table. The screen reader reads the percentage. */
export function share(part: number, whole: number): Html {
  assert(part >= 0 && part <= whole, 'a part is at most the whole')
  const percent = whole === 0 ? 0 : (100 * part) / whole
  return html`<span class="share"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="share-whole" width="100" height="8"/><rect ${{ class: 'share-part', width: percent.toFixed(1), height: '8' }}/></svg> ${percent > 0 && percent < 1 ? `<${percentWords(0.01)}` : percentWords(percent / 100, 0)}</span>`
}
