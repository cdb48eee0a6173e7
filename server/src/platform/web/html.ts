import { assert } from '../../core/assert.ts'

/** Safe HTML: text was escaped when inserted. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | readonly Part[] | false | null | undefined

/**
 * A template of HTML. Text and quoted attributes are escaped. An attribute that is an address accepts a harmless address at its beginning;
 * later values are percent-encoded. An object inside a tag is a set of attributes: `<input ${{ name, value, disabled }}>`. The template
 * throws for values anywhere else: scripts, styles, comments, names, unquoted values, `on…` and `style` attributes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly (Part | Attributes)[]): Html {
  const places = placesOf(strings)
  return new Html(
    strings.reduce((text, string, i) => `${text}${textAt(places[i - 1] as Place, parts[i - 1])}${string}`),
  )
}

/** Markup of our own code. Never for user input. */
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
  assert(place.url === null || isSafeUrl(text), `html: ${place.name} is neither a path of Tillhook nor a web address`)
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

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Attributes whose value a browser follows or loads. */
const URL_ATTRIBUTES = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite'])

/** Attributes that can run code or load other addresses. A template accepts no values there. */
export function isCode(name: string): boolean {
  return name.startsWith('on') || name === 'style' || name === 'srcdoc' || name === 'srcset'
}

/** `name="value"` of each: true is the name alone; false, null and undefined are nothing at all. */
function attributesText(attributes: Attributes): string {
  return Object.entries(attributes).flatMap(attributeText).join(' ')
}

function attributeText([name, value]: [string, Attributes[string]]): string[] {
  assert(/^[a-z][a-z0-9-]*$/.test(name) && !isCode(name), `html: ${name} cannot have a value`)
  if (value === false || value === null || value === undefined) return []
  if (value === true) return [name]
  assert(
    !URL_ATTRIBUTES.has(name) || isSafeUrl(String(value)),
    `html: ${name} is neither a path of Tillhook nor a web address`,
  )
  return [`${name}="${escaped(String(value))}"`]
}

/** A path, a query, a fragment, an address of the web, or an image or a key as a `data:` URL; never `javascript:`. */
function isSafeUrl(url: string): boolean {
  // Browsers drop tabs and line ends, and read a backslash as a slash.
  if (/[\0-\x20\\]/.test(url)) return false
  return (
    /^(\/(?!\/)|[?#]|https?:\/\/|mailto:|tel:|data:(image\/(png|jpeg|webp|gif)|application\/x-pem-file);base64,)/i.test(
      url,
    ) || url === ''
  )
}

/** Text as HTML, between tags and between the quotes of an attribute. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** The context of a template value. */
export type Place =
  | { readonly kind: 'text' }
  /** Inside a tag, where attributes are. */
  | { readonly kind: 'attributes' }
  /** Between the quotes of an attribute. */
  | { readonly kind: 'value'; readonly name: string; readonly url: UrlPart | null }

/** A whole address or its beginning, or a later part. */
type UrlPart = 'start' | 'rest'

/** Templates are read once: their strings are the same object at every call. */
const known = new WeakMap<TemplateStringsArray, readonly Place[]>()

/** The place of each value of a template. Throws where nothing can be put safely, and where the template leaves a tag open. */
function placesOf(strings: TemplateStringsArray): readonly Place[] {
  const found = known.get(strings)
  if (found !== undefined) return found
  let state = TEXT as State
  const places = strings.slice(0, -1).map(string => {
    state = after(state, string)
    const place = placeOf(state)
    if (state.in === 'quotes') state = { ...state, isBegun: true }
    return place
  })
  state = after(state, strings.at(-1) ?? '')
  assert(state.in === 'text', `html: a template ends inside ${state.in}`)
  known.set(strings, places)
  return places
}

type State =
  | { readonly in: 'text' }
  | { readonly in: 'tag'; readonly tag: string; readonly attribute: string }
  | Quotes
  /** Contexts up to an end mark that accept no values: scripts, styles, comments. */
  | { readonly in: 'raw'; readonly end: string }

interface Quotes {
  readonly in: 'quotes'
  readonly tag: string
  readonly attribute: string
  readonly quote: string
  readonly isBegun: boolean
}

const TEXT: State = { in: 'text' }

function after(from: State, string: string): State {
  let state = from
  let rest = string
  while (rest !== '') [state, rest] = step(state, rest)
  return state
}

/** Reads the next token of the template. */
function step(state: State, rest: string): [State, string] {
  switch (state.in) {
    case 'text':
      return stepOfText(rest)
    case 'tag':
      return stepOfTag(state, rest)
    case 'quotes': {
      const at = rest.indexOf(state.quote)
      if (at < 0) return [{ ...state, isBegun: true }, '']
      return [{ in: 'tag', tag: state.tag, attribute: '' }, rest.slice(at + 1)]
    }
    case 'raw': {
      const at = rest.toLowerCase().indexOf(state.end)
      if (at < 0) return [state, '']
      const isTag = state.end.startsWith('</')
      return isTag ? [TEXT, rest.slice(at)] : [TEXT, rest.slice(at + state.end.length)]
    }
  }
}

function stepOfText(rest: string): [State, string] {
  const at = rest.indexOf('<')
  if (at < 0) return [TEXT, '']
  if (rest.startsWith('<!--', at)) return [{ in: 'raw', end: '-->' }, rest.slice(at + 4)]
  if (/^<!doctype html>/i.test(rest.slice(at))) return [TEXT, rest.slice(at + '<!doctype html>'.length)]
  const [whole, tag] = /^<\/?([a-z][a-z0-9-]*)(?=[\s/>]|$)/i.exec(rest.slice(at)) ?? []
  assert(whole !== undefined && tag !== undefined, 'html: a < begins a tag; write &lt; for the sign')
  const name = whole.startsWith('</') ? `/${tag}` : tag
  const next = rest.slice(at + whole.length)
  assert(next !== '', 'html: nothing can be put beside the name of a tag')
  return [{ in: 'tag', tag: name.toLowerCase(), attribute: '' }, next]
}

function stepOfTag(state: State & { in: 'tag' }, rest: string): [State, string] {
  const { tag } = state
  const [space] = /^[\s/]+/.exec(rest) ?? []
  if (space !== undefined) return [state, rest.slice(space.length)]
  if (rest.startsWith('>')) {
    const isRaw = tag === 'script' || tag === 'style'
    return [isRaw ? { in: 'raw', end: `</${tag}` } : TEXT, rest.slice(1)]
  }
  const [quoted, attribute, quote] = /^([a-z][a-z0-9-]*)=(["'])/i.exec(rest) ?? []
  if (quoted !== undefined && attribute !== undefined && quote !== undefined) {
    return [{ in: 'quotes', tag, attribute: attribute.toLowerCase(), quote, isBegun: false }, rest.slice(quoted.length)]
  }
  const [bare] = /^[a-z][a-z0-9-]*(?=[\s/>])/i.exec(rest) ?? []
  assert(bare !== undefined, `html: in <${tag}>, attributes are a name or name="…"`)
  return [state, rest.slice(bare.length)]
}

function placeOf(state: State): Place {
  if (state.in === 'text') return { kind: 'text' }
  assert(state.in !== 'raw', 'html: nothing can be put into scripts, styles and comments')
  if (state.in === 'tag') return { kind: 'attributes' }
  assert(!isCode(state.attribute), `html: nothing can be put into ${state.attribute}`)
  const isUrl = URL_ATTRIBUTES.has(state.attribute)
  return { kind: 'value', name: state.attribute, url: isUrl ? (state.isBegun ? 'rest' : 'start') : null }
}
