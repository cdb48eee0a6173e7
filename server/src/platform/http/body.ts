import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { AnyRoute } from './route.ts'

type Parsed = { readonly value: unknown }
export interface Bodies {
  readonly parse: (route: AnyRoute, request: FastifyRequest) => Parsed | Rejection
  readonly readJson: ReadJson
}
export type ReadJson = (request: FastifyRequest, bytes: Buffer) => Parsed | Rejection

const JSON_TYPES = /^application\/([\w.-]+\+)?json$/

/**
 * Accepts bodies of every type as bytes, which an idempotency key hashes, and returns the functions that parse them. An empty body parses
 * as an empty object, so validation names the missing fields.
 */
export function acceptBodies(app: FastifyInstance): Bodies {
  // Unknown fields are ignored, so the ones that mean something to JavaScript are removed.
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  // Fastify rejects a malformed Content-Type, but the body of a DELETE is ignored.
  app.addHook('onRequest', (request, _, done) => {
    const type = request.headers['content-type']
    const isMalformed = type !== undefined && !MEDIA_TYPE.test(type)
    if (request.method === 'DELETE' && isMalformed) request.headers['content-type'] = 'application/octet-stream'
    done()
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    request.bodyBytes = bytes as Buffer
    done(null, undefined)
  })

  const readJson: ReadJson = (request, bytes) => {
    const text = textOf(bytes)
    if (text === null) return reject('INVALID_REQUEST', NOT_UTF8)
    let parsed: Parsed | undefined
    parseJson(request, text, (error, value) => {
      if (error === null) parsed = { value }
    })
    return parsed ?? reject('INVALID_REQUEST', 'The body is not JSON.')
  }

  const parse: Bodies['parse'] = (route, request) => {
    const bytes = request.bodyBytes
    if (bytes === null || bytes.length === 0) return { value: route.body === undefined ? undefined : {} }
    if (route.body === undefined && !TAKES_BODY.has(route.method)) return { value: undefined }
    const wrongType = rejectType(route, request)
    if (wrongType !== null) return wrongType
    return route.accepts === 'form' ? formOf(bytes) : readJson(request, bytes)
  }
  return { parse, readJson }
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+\s*(;|$)/

const NOT_UTF8 = 'The body is not UTF-8.'

const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH'])

export function rejectEncoding(request: FastifyRequest): Rejection | null {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return null
  return reject('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.')
}

function rejectType(route: AnyRoute, request: FastifyRequest): Rejection | null {
  const encoded = rejectEncoding(request)
  if (encoded !== null) return encoded
  const type = request.mediaType ?? ''
  if (route.accepts === 'form') {
    return type === FORM_TYPE ? null : reject('UNSUPPORTED_MEDIA_TYPE', `Send Content-Type: ${FORM_TYPE}.`)
  }
  if (JSON_TYPES.test(type)) return null
  const or = route.upload === undefined ? '' : ', or multipart/form-data'
  return reject('UNSUPPORTED_MEDIA_TYPE', `Send Content-Type: application/json${or}.`)
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** RFC 6749, 3.2: "Request and response parameters MUST NOT be included more than once." */
function formOf(bytes: Buffer): Parsed | Rejection {
  const text = textOf(bytes)
  if (text === null) return reject('INVALID_REQUEST', NOT_UTF8)
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) return reject('INVALID_REQUEST', 'A form field was sent twice.')
    fields.set(name, value)
  }
  return { value: Object.fromEntries(fields) }
}

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Our forms hold a few words and no files. */
export const MAX_FORM_BYTES = 64 * 1024
/** The 250 prices of a plan have three fields each. */
const MAX_FIELDS = 1_000

type FormFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Parses application/x-www-form-urlencoded strictly. Rejects an invalid % escape, invalid UTF-8, NUL, and a repeated field unless its
 * schema is an array.
 */
export function readForm(bytes: Buffer, schema: TObject | undefined): FormFields | Rejection {
  const pairs = bytes.length === 0 ? [] : bytes.toString('latin1').split('&')
  if (pairs.length > MAX_FIELDS) return reject('INVALID_REQUEST', `A form has at most ${MAX_FIELDS} fields.`)
  const fields = new Map<string, string | string[]>(listsOf(schema).map(name => [name, []]))
  for (const pair of pairs) {
    const read = readPair(pair)
    if (isRejection(read)) return read
    const [name, value] = read
    const earlier = fields.get(name)
    if (typeof earlier === 'string') return reject('INVALID_REQUEST', 'A form field was sent twice.')
    if (earlier === undefined) fields.set(name, value)
    else earlier.push(value)
  }
  return Object.fromEntries(fields)
}

function listsOf(schema: TObject | undefined): string[] {
  const properties = (schema?.properties ?? {}) as Record<string, { type?: unknown }>
  return Object.keys(properties).filter(name => properties[name]?.type === 'array')
}

function readPair(pair: string): readonly [name: string, value: string] | Rejection {
  const at = pair.indexOf('=')
  const name = decoded(at < 0 ? pair : pair.slice(0, at))
  const value = decoded(at < 0 ? '' : pair.slice(at + 1))
  if (name === null || value === null) return reject('INVALID_REQUEST', 'The form is not percent-encoded UTF-8.')
  // PostgreSQL's text holds no NUL.
  if (name.includes('\0') || value.includes('\0'))
    return reject('INVALID_REQUEST', 'A form field contains a NUL character.')
  return [name, value]
}

/** Browsers encode all non-ASCII characters, so raw bytes come from another client. */
function decoded(text: string): string | null {
  if (/[^\x20-\x7e]/.test(text)) return null
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** The part of JSON Schema that this file reads. */
interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, object>>
  readonly items?: object | readonly object[]
  readonly anyOf?: readonly object[]
  readonly patternProperties?: unknown
  readonly additionalProperties?: unknown
}

/**
 * Removes members that the schema does not name, at any depth. Clients may send unknown members (decisions 1), and a use case must not
 * receive an undeclared field, such as another resource's id. Open schemas keep all members.
 */
export function pickKnown(schema: object, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema as Schema
    return isOne(items) ? value.map(item => pickKnown(items, item)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const named = namedBy(schema)
  if (named === undefined) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const of = named.get(name)
    return of === undefined ? [] : [[name, pickKnown(of, member)]]
  })
  return Object.fromEntries(members)
}

/** The members of all alternatives. Undefined if any alternative is open. */
function namedBy(schema: object): Map<string, object> | undefined {
  const { properties = {}, anyOf = [], patternProperties, additionalProperties } = schema as Schema
  const own = Object.entries(properties)
  if (anyOf.length === 0 && own.length === 0) return undefined
  if (patternProperties !== undefined || typeof additionalProperties === 'object') return undefined
  const named = new Map(own)
  for (const form of anyOf) {
    const { type = 'object' } = form as Schema
    if (type !== 'object') continue
    const ofForm = namedBy(form)
    if (ofForm === undefined) return undefined
    for (const [name, member] of ofForm) named.set(name, either(named.get(name), member))
  }
  return named
}

function either(one: object | undefined, other: object): object {
  return one === undefined ? other : { anyOf: [one, other] }
}

function isOne(items: Schema['items']): items is object {
  return items !== undefined && !Array.isArray(items)
}
