import { type Html, html } from '../html.ts'

/** After an underscore, before a segment of a path or query or the domain of an e-mail address, and before a label of a package name. */
const BREAKS = /(?<=_)|(?<=[^/:])(?=[/?&@])|(?<=[a-z])(?=\.[a-z])/

/** Before an upper-case letter of a name in camel case. */
const CAMEL_BREAKS = /(?<=[a-z0-9])(?=[A-Z])/

/** A long name, such as an event type or a URL, that a narrow place breaks between its parts instead of within a word. */
export function breakable(text: string): Html {
  return broken(text, BREAKS)
}

/** A name of the API, such as `startRedelivery`. */
export function breakableName(name: string): Html {
  return broken(name, CAMEL_BREAKS)
}

function broken(text: string, breaks: RegExp): Html {
  return html`${text.split(breaks).map((part, i) => html`${i > 0 && html`<wbr>`}${part}`)}`
}
