import { assert } from '../../core/assert.ts'
import { type Attributes, attributesText, isSafeUrl } from './attributes.ts'
import { escaped } from './escape.ts'
import { type Place, placesOf } from './places.ts'

/** HTML that is safe to send: text was escaped when it became part of it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | readonly Part[] | false | null | undefined

/**
 * A template of HTML. What is put into text or into a quoted attribute is escaped. Where an attribute is an address, a value
 * at its beginning must be a harmless address, and one after that is percent-encoded. Inside a tag an object is its
 * attributes: `<input ${{ name, value, disabled }}>`. Anywhere else (scripts, styles, comments, names, unquoted values, `on…`
 * and `style` attributes) nothing can be put: the template throws.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly (Part | Attributes)[]): Html {
  const places = placesOf(strings)
  return new Html(
    strings.reduce((text, string, i) => `${text}${textAt(places[i - 1] as Place, parts[i - 1])}${string}`),
  )
}

/** Markup that was made elsewhere, in our own code. Never for anything that anybody sent. */
export function trusted(markup: string): Html {
  return new Html(markup)
}

function textAt(place: Place, part: Part | Attributes): string {
  if (place.kind === 'text') return textOf(part)
  if (place.kind === 'attributes') {
    assert(isAttributes(part), 'html: inside a tag, an object of attributes')
    return attributesText(part)
  }
  assert(typeof part === 'string' || typeof part === 'number', `html: ${place.name} takes words`)
  const text = String(part)
  if (place.url === 'rest') return escaped(encodeURIComponent(text))
  assert(place.url === null || isSafeUrl(text), `html: ${place.name} is no address of ours or of the web`)
  return escaped(text)
}

function textOf(part: Part | Attributes): string {
  if (part === undefined || part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  assert(typeof part === 'string' || typeof part === 'number', 'html: text is words, Html or a list of them')
  return escaped(String(part))
}

function isAttributes(part: Part | Attributes): part is Attributes {
  return typeof part === 'object' && part !== null && !(part instanceof Html) && !Array.isArray(part)
}
