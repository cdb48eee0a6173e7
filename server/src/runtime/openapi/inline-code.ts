import { type Html, html } from '../../platform/web/html.ts'

/** Text in which backticks mark code, as in the descriptions of the OpenAPI document. */
export function withCode(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
