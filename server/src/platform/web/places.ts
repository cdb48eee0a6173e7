import { assert } from '../../core/assert.ts'
import { isCode, URL_ATTRIBUTES } from './attributes.ts'

/** What a value of a template is part of. */
export type Place =
  | { readonly kind: 'text' }
  /** Inside a tag, where attributes are. */
  | { readonly kind: 'attributes' }
  /** Between the quotes of an attribute. */
  | { readonly kind: 'value'; readonly name: string; readonly url: UrlPart | null }

/** A whole address or its beginning, or what follows a beginning. */
export type UrlPart = 'start' | 'rest'

/** Templates are read once: their strings are the same object at every call. */
const known = new WeakMap<TemplateStringsArray, readonly Place[]>()

/** The place of each value of a template. Throws where nothing can be put safely, and where the template leaves a tag open. */
export function placesOf(strings: TemplateStringsArray): readonly Place[] {
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
  /** To its end tag or mark, where nothing can be put: scripts, styles, comments. */
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

/** Reads the next thing of the text. */
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
