import { type Html, html } from '../html.ts'

/** After an underscore, before a segment of a path or query or the domain of an e-mail address, and before a label of a package name. */
const BREAKS = /(?<=_)|(?<=[^/:])(?=[/?&@])|(?<=[a-z])(?=\.[a-z])/

/** A long name, such as an event type or a URL, that a narrow place breaks between its parts instead of within a word. */
export function breakable(text: string): Html {
  return html`${text.split(BREAKS).map((part, i) => html`${i > 0 && html`<wbr>`}${part}`)}`
}
