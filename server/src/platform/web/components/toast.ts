import { type Html, html } from '../html.ts'

/** The outcome of the last action, after the redirect. Script removes the toast after a while; without script it stays. */
export function toast(text: string, tone: 'good' | 'bad' = 'good'): Html {
  return html`<p ${{ class: `toast ${tone}`, role: 'status', 'data-toast': true }}>${text}</p>`
}
