import { percentWords } from '../format.ts'
import { type Html, html } from '../html.ts'

/** The share of work that is done, in whole percent. */
export function progress(label: string, percent: number): Html {
  return html`<p class="progress"><progress ${{ max: '100', value: String(percent), 'aria-label': label }}></progress> <span>${percentWords(percent / 100)}</span></p>`
}
