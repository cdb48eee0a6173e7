import { STATUS_CODES } from 'node:http'
import { REJECTION_CODES, type RejectionCode } from '../../core/rejection.ts'
import { PROBLEMS, rejectionsOf } from '../../platform/http/problems.ts'
import type { AnyRoute } from '../../platform/http/route.ts'
import type { Header, Ref, Response, Schema } from './openapi.ts'

/** Decisions 1: the one body of every status from 400 up. */
export const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['code', 'httpStatus', 'message', 'developerMessage', 'requestId'],
  properties: {
    code: { type: 'string', enum: REJECTION_CODES },
    httpStatus: { type: 'integer' },
    message: { type: 'string', description: 'Can be shown to a person' },
    developerMessage: { type: 'string', description: 'Says what to do' },
    requestId: { type: 'string', description: 'The same as in Service-Request-Id' },
    fields: {
      type: 'array',
      description: 'What is wrong with which field',
      items: {
        type: 'object',
        required: ['path', 'problem'],
        properties: { path: { type: 'string' }, problem: { type: 'string' } },
      },
    },
    error: { type: 'string', description: 'RFC 6749, 5.2: only on answers of the token endpoints' },
    error_description: { type: 'string', description: 'RFC 6749, 5.2: only on answers of the token endpoints' },
  },
  examples: [
    {
      code: 'INVALID_PARAMETER',
      httpStatus: 400,
      message: PROBLEMS.INVALID_PARAMETER.message,
      developerMessage: 'eventTypes[0]: must be one of ORDER_OPENED, …',
      requestId: '019a3c7e-5c00-7000-8000-0000000000f0',
      fields: [{ path: 'eventTypes[0]', problem: 'must be one of ORDER_OPENED, …' }],
    },
  ],
}

export const HEADERS: Readonly<Record<string, Header>> = {
  'Service-Request-Id': {
    description: 'The request id that was sent, or one made for the request.',
    schema: { type: 'string' },
  },
  'api-version': { description: 'The version that the answer is in.', schema: { type: 'string', const: '1.2' } },
  'Cache-Control': {
    description: 'no-store but where it says otherwise: what may be kept, and for how long.',
    schema: { type: 'string' },
  },
  Pragma: { description: 'no-cache. RFC 6749, 5.1: of answers that hold a token.', schema: { type: 'string' } },
  ETag: { description: 'Of these bytes. Sent back as If-None-Match, it is answered 304.', schema: { type: 'string' } },
  'Content-Disposition': {
    description: 'attachment: to be kept as a file, and never shown.',
    schema: { type: 'string' },
  },
  'Content-Security-Policy': { description: 'What a browser may do with it.', schema: { type: 'string' } },
  'Cross-Origin-Resource-Policy': {
    description: 'same-origin: shown on our own pages alone.',
    schema: { type: 'string' },
  },
  'X-Content-Type-Options': { description: 'nosniff: it is what its type says.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the request is repeated.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'Bearer', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description:
      'true: this is the answer to an earlier request with the same idempotency key, and nothing was done now.',
    schema: { type: 'string' },
  },
}

export function headerRefs(...names: readonly string[]): Record<string, Ref> {
  const all = ['Service-Request-Id', 'api-version', 'Cache-Control', ...names]
  return Object.fromEntries(all.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Refusals that are the same wherever they can come: by name, with their codes. */
const SHARED: Readonly<Record<string, readonly RejectionCode[]>> = {
  Unauthorized: ['INVALID_ACCESS_TOKEN'],
  Forbidden: ['FORBIDDEN'],
  PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
  UnsupportedMediaType: ['UNSUPPORTED_MEDIA_TYPE'],
  TooManyRequests: ['TOO_MANY_REQUESTS'],
  InternalError: ['INTERNAL_ERROR'],
  Unavailable: ['SERVICE_UNAVAILABLE'],
}

export function sharedErrorResponses(): Record<string, Response> {
  return Object.fromEntries(Object.entries(SHARED).map(([name, codes]) => [name, errorResponse(codes)]))
}

/** Of a route, by status: everything from 400 up that it can answer with, and that `answers` does not declare itself. */
export function errorResponsesOf(route: AnyRoute): Record<string, Response | Ref> {
  const byStatus = Map.groupBy(rejectionsOf(route), code => PROBLEMS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, sharedResponse(codes) ?? errorResponse(codes)]),
  )
}

/** The error body with these codes and no others. */
export function errorSchema(codes: readonly RejectionCode[]): Schema {
  const statuses = [...new Set(codes.map(code => PROBLEMS[code].status))]
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { code: { enum: codes }, httpStatus: { enum: statuses } } },
    ],
  }
}

function sharedResponse(codes: readonly RejectionCode[]): Ref | undefined {
  const found = Object.entries(SHARED).find(([, shared]) => shared.join() === codes.join())
  return found && { $ref: `#/components/responses/${found[0]}` }
}

function errorResponse(codes: readonly RejectionCode[]): Response {
  const status = PROBLEMS[codes[0] ?? 'INTERNAL_ERROR'].status
  return {
    description: STATUS_CODES[status] ?? String(status),
    headers: headerRefs(...headersOf(status, codes)),
    content: { 'application/json': { schema: errorSchema(codes) } },
    'x-codes': codes,
  }
}

function headersOf(status: number, codes: readonly RejectionCode[]): string[] {
  if (status === 401) return ['WWW-Authenticate']
  // Of a POST that takes a key: a 409 is kept, and given again.
  if (codes.includes('REQUEST_IN_PROGRESS')) return ['Retry-After', 'Idempotent-Replayed']
  return status === 429 || status === 503 ? ['Retry-After'] : []
}
