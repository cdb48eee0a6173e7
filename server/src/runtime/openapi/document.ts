import type { AnyRoute } from '../../platform/http/route.ts'
import { ERROR_SCHEMA, HEADERS, sharedErrorResponses } from './errors.ts'
import type { OpenApi, Operation } from './openapi.ts'
import { operationOf, PARAMETERS, templateOf } from './operation.ts'
import { namedSchemas } from './schemas.ts'
import { SECURITY_SCHEMES } from './security.ts'
import { describeTags } from './tags.ts'

export interface Served {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Without a trailing slash. Often the same. */
  readonly billingUrl: string
  readonly version: string
}

const DESCRIPTION = `Tillhook sells subscriptions to merchants on behalf of app developers, charges them each period, and tells the apps by signed webhooks.

Send a token with every call: Authorization: Bearer <token>. Of which kind, each operation says: apps and terminals have access tokens, people have sessions, the operator has a key. The scheme is compared without case. An answer of 401 means: get a new token with the refresh token, and repeat.

Every status from 400 up has the same body, with a code that programs can compare and a request id that the operator can look up. Unknown fields and query parameters are ignored; missing and malformed known ones are 400, naming the field.

A POST takes an idempotency key (Idempotency-Key, else Service-Request-Id) wherever Idempotency-Key is among its parameters: elsewhere request ids may repeat.

Whatever the address, a request can also be answered with 400 INVALID_REQUEST or INVALID_URL_PATTERN, 404 RESOURCE_NOT_FOUND, 405 METHOD_NOT_ALLOWED or 431 HEADERS_TOO_LARGE: then no operation saw it.

Every answer says X-Content-Type-Options: nosniff, and over https Strict-Transport-Security.

Timestamps are UTC, YYYY-MM-DDThh:mm:ssZ. Amounts are integers in the minor unit of their currency. What is absent is left out, never null.`

/** The OpenAPI document of these routes. Made of nothing else, so that what it says is what is served. */
export function openApiDocument(routes: readonly AnyRoute[], { baseUrl, billingUrl, version }: Served): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = templateOf(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  const operations = Object.values(paths).flatMap(path => Object.values(path))
  return {
    openapi: '3.1.0',
    info: { title: 'Tillhook', version, description: DESCRIPTION },
    servers: [
      { url: baseUrl, description: 'base_url: every path' },
      ...(billingUrl === baseUrl ? [] : [{ url: billingUrl, description: 'billing_url: every path as well' }]),
    ],
    tags: describeTags(new Set(operations.flatMap(operation => operation.tags))),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: sharedErrorResponses(),
      schemas: { ...namedSchemas(), Error: ERROR_SCHEMA },
    },
  }
}
