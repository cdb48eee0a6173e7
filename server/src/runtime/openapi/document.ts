import { STATUS_CODES } from 'node:http'
import type { TSchema } from 'typebox'
import { REJECTION_CODES, type RejectionCode } from '../../core/rejection.ts'
import { RIGHTS } from '../../core/rights.ts'
import { isForTerminals, isIdempotent, PROBLEMS, rejectionsOf } from '../../platform/http/problems.ts'
import type { AnyRoute } from '../../platform/http/route.ts'
import { MULTIPART_TYPE } from '../../platform/http/upload.ts'
import { exampleOf } from './examples.ts'
import type { Content, Header, OpenApi, Operation, Parameter, Ref, Response, Schema } from './openapi.ts'
import { componentNameOf, namedSchemas, schemaOf } from './schemas.ts'
import { SECURITY_SCHEMES, securityOf } from './security.ts'
import { describeTags, tagOf } from './tags.ts'
import { WEBHOOKS } from './webhooks.ts'

export interface Served {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Without a trailing slash. Often equal to `baseUrl`. */
  readonly billingUrl: string
  readonly version: string
}

const DESCRIPTION = `Tillhook sells subscriptions to merchants on behalf of app developers, charges the merchants each period, and notifies the apps by signed webhooks.

Send a token with every call: \`Authorization: Bearer <token>\`. Each operation names the kinds of token it accepts. Apps and terminals have access tokens, people have sessions, the operator has a key. After a 401, get a new token with the refresh token and repeat the call.

Every response from status 400 up has the same body (\`ApiError\`): a code for programs, a message for people, and a request id that the operator can look up. The server ignores unknown fields and query parameters, and rejects malformed known ones with 400 and the name of the field.

A POST with an \`Idempotency-Key\` parameter is safe to repeat: within 24 hours the same key, path and body return the first response. \`Service-Request-Id\` serves as the key if \`Idempotency-Key\` is absent.

Before a request reaches an operation, the server can answer 400 INVALID_REQUEST or INVALID_URL_PATTERN, 404 RESOURCE_NOT_FOUND, 405 METHOD_NOT_ALLOWED or 431 HEADERS_TOO_LARGE. Responses above 1 KB are compressed where the client accepts it, and then carry \`Content-Encoding\` and \`Vary\`. Every response carries \`X-Content-Type-Options: nosniff\`, and over https \`Strict-Transport-Security\`.

Timestamps are UTC: YYYY-MM-DDThh:mm:ssZ. Amounts are integers in the minor unit of their currency. Absent values are left out, never null.`

/** The OpenAPI document of these routes. The routes are the only source, so the document describes the served interface. */
export function openApiDocument(routes: readonly AnyRoute[], { baseUrl, billingUrl, version }: Served): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = templateOf(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  const operations = Object.values(paths).flatMap(path => Object.values(path))
  const errorStatuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)).filter(isError))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tillhook',
      version,
      description: DESCRIPTION,
      contact: { name: 'Tillhook' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: baseUrl, description: 'base_url: serves every path' },
      ...(billingUrl === baseUrl ? [] : [{ url: billingUrl, description: 'billing_url: serves every path' }]),
    ],
    tags: describeTags(new Set([...operations.flatMap(operation => operation.tags), 'Webhooks'])),
    paths,
    // By reference: openapi-generator's Python for inline webhooks does not compile.
    webhooks: Object.fromEntries(Object.keys(WEBHOOKS).map(type => [type, { $ref: `#/components/pathItems/${type}` }])),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: Object.fromEntries(
        [...errorStatuses].sort().map(status => [nameOf(status), errorResponse(Number(status))]),
      ),
      pathItems: WEBHOOKS,
      schemas: { ...namedSchemas(), ApiError: ERROR_SCHEMA },
    },
  }
}

/** Request headers that many operations accept. */
const PARAMETERS: Readonly<Record<string, Parameter>> = {
  ApiVersion: headerParameter('api-version', 'The interface version, 1.2. Other values are treated as 1.2.'),
  RequestId: headerParameter(
    'Service-Request-Id',
    'Identifies the request. The response repeats the value. An idempotent POST without Idempotency-Key uses it as the key.',
  ),
  UserSession: headerParameter(
    'Service-User-Session',
    'Sent by a terminal: the session token of the signed-in user, from POST /terminal/sessions.',
  ),
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'Within 24 hours, the same key, path and body return the first response without repeating the work.',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  ),
}

function headerParameter(name: string, description: string, schema: Schema = { type: 'string' }): Parameter {
  return { name, in: 'header', required: false, description, schema }
}

const HEADERS: Readonly<Record<string, Header>> = {
  'Service-Request-Id': header('The request id that the caller sent, otherwise a new one.'),
  'api-version': header('The interface version of the response.', { type: 'string', enum: ['1.2'] }),
  'Cache-Control': header('no-store, unless the response may be cached.'),
  Pragma: header('no-cache, on responses with a token (RFC 6749, 5.1).'),
  ETag: header('A validator. A request that sends it as If-None-Match is answered 304.'),
  'Content-Disposition': header('attachment: browsers save the file instead of showing it.'),
  'Content-Security-Policy': header('Limits what a browser may do with the response.'),
  'Cross-Origin-Resource-Policy': header('same-origin: other sites cannot embed the response.'),
  'X-Accel-Buffering': header('no: proxies must not buffer the events.'),
  'X-Content-Type-Options': header('nosniff: browsers must trust the content type.'),
  'Retry-After': header('Seconds to wait before repeating the request.', { type: 'integer' }),
  'WWW-Authenticate': header('Bearer'),
  'Idempotent-Replayed': header(
    'true: this response belongs to an earlier request with the same idempotency key, and this request changed nothing.',
  ),
}

function header(description: string, schema: Schema = { type: 'string' }): Header {
  return { description, schema }
}

function headerRefs(...names: readonly string[]): Record<string, Ref> {
  const all = ['Service-Request-Id', 'api-version', 'Cache-Control', ...names]
  return Object.fromEntries(all.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

function operationOf(route: AnyRoute): Operation {
  const codes = Map.groupBy(rejectionsOf(route), code => String(PROBLEMS[code].status))
  return {
    operationId: route.name,
    tags: [tagOf(route.path)],
    summary: route.summary.replace(/\.$/, ''),
    description: descriptionOf(route),
    security: securityOf(route),
    'x-rights': RIGHTS[route.operation],
    'x-codes': Object.fromEntries(codes),
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
    responses: { ...successesOf(route), ...errorsOf(codes), ...bothOf(route) },
  }
}

const CALLERS = {
  app: 'app',
  appOfBusiness: 'app with a merchant token',
  merchant: 'merchant',
  terminal: 'terminal',
  developer: 'developer',
  operator: 'operator',
} as const

/** Describes the callers that core/rights.ts allows and the forms of the body. */
function descriptionOf({ operation, upload }: AnyRoute): string {
  const callers = Object.entries(CALLERS)
    .map(([column, caller]) => ({ caller, right: RIGHTS[operation][column as keyof typeof CALLERS] }))
    .filter(({ right }) => right !== 'none')
    .map(({ caller, right }) => (right === 'all' ? caller : `${caller} (${right})`))
  const who = operation === 'public' ? 'No token needed.' : `Allowed callers: ${callers.join(', ')}.`
  if (upload === undefined) return who
  return `${who} To send a file as well, use ${MULTIPART_TYPE} with two parts in this order: \`${upload.json}\` (the JSON body) and \`${upload.file}\`.`
}

/** `/apps/:appId` → `/apps/{appId}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function parametersOf(where: Parameter['in'], schema: TSchema | undefined): Parameter[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = schemaOf(property)
    return { name, in: where, required: required.includes(name), ...(description && { description }), schema: rest }
  })
}

function parameterRef(name: string): Ref {
  return { $ref: `#/components/parameters/${name}` }
}

/** Client generators cannot handle two content types in one operation, so the description covers multipart. */
function requestBodyOf({ accepts, body, upload }: AnyRoute): NonNullable<Operation['requestBody']> {
  const type = accepts === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const { required = [] } = body as { required?: string[] }
  return {
    required: required.length > 0 || accepts === 'form',
    content: { [type]: { schema: schemaOf(body), example: exampleOf(body, componentNameOf) } },
    ...(upload && { 'x-upload': { json: upload.json, file: upload.file } }),
  }
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

/** One body for every status from 400 up (decisions 1). */
const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['code', 'httpStatus', 'message', 'developerMessage', 'requestId'],
  properties: {
    code: { type: 'string', enum: REJECTION_CODES },
    httpStatus: { type: 'integer' },
    message: { type: 'string', description: 'Can be shown to a person' },
    developerMessage: { type: 'string', description: 'Advice for developers' },
    requestId: { type: 'string', description: 'Equals the header Service-Request-Id' },
    fields: {
      type: 'array',
      description: 'The rejected fields',
      items: {
        type: 'object',
        required: ['path', 'problem'],
        properties: { path: { type: 'string' }, problem: { type: 'string' } },
      },
    },
    error: { type: 'string', description: 'RFC 6749, 5.2: only on responses of the token endpoints' },
    error_description: { type: 'string', description: 'RFC 6749, 5.2: only on responses of the token endpoints' },
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
const ERROR_REF = { $ref: '#/components/schemas/ApiError' }

function isError(status: string): boolean {
  return Number(status) >= 400
}

/** 404 → `NotFound`. */
function nameOf(status: string): string {
  return (STATUS_CODES[status] ?? `Status${status}`).replace(/\W/g, '')
}

function errorResponse(status: number): Response {
  const more: Readonly<Record<number, readonly string[]>> = {
    401: ['WWW-Authenticate'],
    409: ['Retry-After', 'Idempotent-Replayed'],
    429: ['Retry-After'],
    503: ['Retry-After'],
  }
  return {
    description: STATUS_CODES[status] ?? String(status),
    headers: headerRefs(...(more[status] ?? [])),
    content: { 'application/json': { schema: ERROR_REF } },
  }
}

function errorsOf(codes: ReadonlyMap<string, readonly RejectionCode[]>): Record<string, Ref> {
  return Object.fromEntries(
    [...codes].map(([status, ofStatus]) => [
      status,
      { $ref: `#/components/responses/${nameOf(status)}`, description: ofStatus.join(', ') },
    ]),
  )
}

/** A status that is both a response of the route and a rejection, as 503 of /readyz. */
function bothOf(route: AnyRoute): Record<string, Response> {
  const both = Object.entries(route.answers).filter(([status]) => isError(status))
  return Object.fromEntries(
    both.map(([status, schema]) => {
      const own = schema ? [schemaOf(schema)] : []
      return [
        status,
        {
          ...errorResponse(Number(status)),
          content: { 'application/json': { schema: { anyOf: [...own, ERROR_REF] } } },
        },
      ]
    }),
  )
}
