/** HTML that is safe to send: text was escaped when it became part of it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Part[] | false | null | undefined

/** A template of HTML. Whatever is put into it is escaped, unless it is Html itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, i) => `${text}${textOf(parts[i - 1])}${string}`))
}

function textOf(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return escaped(String(part))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
