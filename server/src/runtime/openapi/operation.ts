import { STATUS_CODES } from 'node:http'
import type { TSchema } from 'typebox'
import { RIGHTS } from '../../core/rights.ts'
import { isForTerminals, isIdempotent, PROBLEMS, rejectionsOf } from '../../platform/http/problems.ts'
import type { AnyRoute } from '../../platform/http/route.ts'
import { MULTIPART_TYPE } from '../../platform/http/upload.ts'
import { errorResponsesOf, errorSchema, headerRefs } from './errors.ts'
import { REQUEST_EXAMPLES } from './examples.ts'
import type { Content, Operation, Parameter, Ref, Response, Schema } from './openapi.ts'
import { schemaOf } from './schemas.ts'
import { securityOf } from './security.ts'
import { tagOf } from './tags.ts'

/** Headers of requests that every operation takes, or every idempotent one. */
export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  ApiVersion: {
    name: 'api-version',
    in: 'header',
    required: false,
    description: '1.2. Any other value is served as 1.2.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'Service-Request-Id',
    in: 'header',
    required: false,
    description: 'Names the request; the answer repeats it. On an idempotent POST it is the idempotency key as well.',
    schema: { type: 'string' },
  },
  UserSession: {
    name: 'Service-User-Session',
    in: 'header',
    required: false,
    description: 'Of a terminal: who is signed in on it, as POST /terminal/sessions answered. Others need not send it.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Within 24 hours the same key, path and body get the first answer again, and nothing happens twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

const BYTES = 'application/octet-stream'

export function operationOf(route: AnyRoute): Operation {
  return {
    operationId: route.name,
    tags: [tagOf(route.path)],
    summary: route.summary.replace(/\.$/, ''),
    security: securityOf(route),
    'x-rights': RIGHTS[route.operation],
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query),
      ...parametersOf('header', route.headers),
      ...(isForTerminals(route) ? [parameterRef('UserSession')] : []),
      ...(isIdempotent(route) ? [parameterRef('IdempotencyKey')] : []),
      parameterRef('RequestId'),
      parameterRef('ApiVersion'),
    ],
    ...(route.body !== undefined && { requestBody: requestBodyOf(route) }),
    responses: { ...successesOf(route), ...errorResponsesOf(route), ...bothOf(route) },
  }
}

/** `/apps/:appId` → `/apps/{appId}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function parametersOf(place: Parameter['in'], schema: TSchema | undefined): Parameter[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = schemaOf(property)
    return { name, in: place, required: required.includes(name), ...(description && { description }), schema: rest }
  })
}

function parameterRef(name: string): Ref {
  return { $ref: `#/components/parameters/${name}` }
}

function requestBodyOf(route: AnyRoute): NonNullable<Operation['requestBody']> {
  const type = route.accepts === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const example = REQUEST_EXAMPLES[route.name]
  const { required = [] } = route.body as { required?: string[] }
  const content = { [type]: { schema: schemaOf(route.body), ...(example !== undefined && { example }) } }
  return { required: required.length > 0 || route.accepts === 'form', content: { ...content, ...formOf(route) } }
}

function formOf({ upload, body }: AnyRoute): Content {
  if (upload === undefined) return {}
  const { json, file } = upload
  const schema: Schema = {
    type: 'object',
    description: `The parts in this order: ${json}, then ${file}.`,
    properties: { [json]: schemaOf(body), [file]: { type: 'string', contentMediaType: BYTES } },
    required: [json, file],
  }
  return { [MULTIPART_TYPE]: { schema, encoding: { [json]: { contentType: 'application/json' } } } }
}

function successesOf(route: AnyRoute): Record<string, Response> {
  const headers = headerRefs(...(isIdempotent(route) ? ['Idempotent-Replayed'] : []), ...(route.sends ?? []))
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => {
      const content = contentOf(route, schema)
      return [status, { description: STATUS_CODES[status] ?? status, headers, ...(content && { content }) }]
    }),
  )
}

function contentOf({ contentType }: AnyRoute, schema: TSchema | null): Content | undefined {
  if (contentType !== undefined) return { [contentType]: { schema: schema ? schemaOf(schema) : { type: 'string' } } }
  return schema === null ? undefined : { 'application/json': { schema: schemaOf(schema) } }
}

/** A status that is both an answer of its own and a rejection, as 503 of /readyz. */
function bothOf(route: AnyRoute): Record<string, Response> {
  const both = Object.entries(route.answers).filter(([status]) => Number(status) >= 400)
  return Object.fromEntries(
    both.map(([status, schema]) => {
      const codes = rejectionsOf(route).filter(code => PROBLEMS[code].status === Number(status))
      const shapes: Schema[] = [
        ...(schema ? [schemaOf(schema)] : []),
        ...(codes.length > 0 ? [errorSchema(codes)] : []),
      ]
      return [
        status,
        {
          description: STATUS_CODES[status] ?? status,
          headers: headerRefs('Retry-After'),
          content: { 'application/json': { schema: { anyOf: shapes } } },
          'x-codes': codes,
        },
      ]
    }),
  )
}
