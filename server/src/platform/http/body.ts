import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Rejection, reject } from '../../core/rejection.ts'
import { FORM_TYPE } from './form.ts'
import type { AnyRoute } from './route.ts'

export type Parsed = { readonly value: unknown }
export interface Bodies {
  readonly parse: (route: AnyRoute, request: FastifyRequest) => Parsed | Rejection
  readonly readJson: ReadJson
}
export type ReadJson = (request: FastifyRequest, bytes: Buffer) => Parsed | Rejection

const JSON_TYPES = /^application\/([\w.-]+\+)?json$/

/**
 * Takes bodies of every type as bytes, which an idempotency key hashes, and gives the functions that read them.
 * No body at all reads as an empty object: what is missing from it is then named.
 */
export function acceptBodies(app: FastifyInstance): Bodies {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
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
    return parsed ?? reject('INVALID_REQUEST', 'The body is not JSON, or has a key such as __proto__.')
  }

  const parse: Bodies['parse'] = (route, request) => {
    const bytes = request.bodyBytes
    if (bytes === null || bytes.length === 0) return { value: route.body === undefined ? undefined : {} }
    if (route.body === undefined && !TAKES_BODY.has(route.method)) return { value: undefined }
    const wrongType = refuseType(route, request)
    if (wrongType !== null) return wrongType
    return route.accepts === 'form' ? formOf(bytes) : readJson(request, bytes)
  }
  return { parse, readJson }
}

const NOT_UTF8 = 'The body is not UTF-8.'

const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH'])

export function refuseEncoding(request: FastifyRequest): Rejection | null {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return null
  return reject('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.')
}

function refuseType(route: AnyRoute, request: FastifyRequest): Rejection | null {
  const encoded = refuseEncoding(request)
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
