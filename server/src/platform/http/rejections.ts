import { REJECTION_CODES, type RejectionCode } from '../../core/rejection.ts'
import { RIGHTS } from '../../core/rights.ts'
import type { AnyRoute } from './route.ts'

/**
 * Every code that a route can answer with once its address is known: what follows from its shape, and what it declares.
 * What no route sees (a malformed address, headers that are too large) is not among them.
 */
export function rejectionsOf(route: AnyRoute): RejectionCode[] {
  const codes = new Set<RejectionCode>([
    ...(route.rejections ?? []),
    ...rejectionsOfInput(route),
    ...rejectionsOfCaller(route),
    ...rejectionsOfKey(route),
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ])
  return REJECTION_CODES.filter(code => codes.has(code))
}

/** A POST takes an idempotency key, unless request ids mean nothing there. */
export function isIdempotent({ method, idempotent }: AnyRoute): boolean {
  return method === 'POST' && idempotent !== false
}

/** A terminal may say who is signed in on it. */
export function isForTerminals({ operation }: Pick<AnyRoute, 'operation'>): boolean {
  return operation !== 'public' && RIGHTS[operation].terminal !== 'none'
}

/** A body that comes with these is read, whether or not a route wants one. */
function takesBody({ method }: AnyRoute): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

function rejectionsOfInput(route: AnyRoute): RejectionCode[] {
  const { params, query, body, headers } = route
  const schemas = [params, query, body, headers].filter(schema => schema !== undefined)
  // What is in a path is always there.
  const asks = [query, body, headers].some(schema => (schema?.required ?? []).length > 0)
  return [
    ...(schemas.length > 0 ? (['INVALID_PARAMETER'] as const) : []),
    ...(asks ? (['MISSING_PARAMETER'] as const) : []),
    ...(takesBody(route) ? (['INVALID_REQUEST', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    // Node reads what comes with any other method, too.
    ...(route.method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
  ]
}

/** Decisions 3, as admission.ts, limits.ts and core/authorize.ts carry it out. */
function rejectionsOfCaller({ method, path, operation }: AnyRoute): RejectionCode[] {
  if (operation === 'public') return method === 'POST' ? ['TOO_MANY_REQUESTS'] : []
  const isOfApp = path.startsWith('/apps/:appId')
  const isOfBusiness = path.startsWith('/businesses/:businessId')
  return [
    'INVALID_ACCESS_TOKEN',
    ...(isForTerminals({ operation }) ? (['INVALID_USER_SESSION'] as const) : []),
    'TOO_MANY_REQUESTS',
    // A role may take away anything: an operator without a second factor has no right to anything of anybody's.
    'FORBIDDEN',
    ...(isOfApp ? (['APPLICATION_NOT_FOUND'] as const) : []),
    ...(isOfBusiness ? (['BUSINESS_NOT_FOUND'] as const) : []),
  ]
}

function rejectionsOfKey(route: AnyRoute): RejectionCode[] {
  if (!isIdempotent(route)) return []
  // Without a token, another body is another caller's request (idempotency/once.ts).
  const duplicate = route.operation === 'public' ? [] : (['REQUEST_ID_DUPLICATE'] as const)
  return ['INVALID_PARAMETER', ...duplicate, 'REQUEST_IN_PROGRESS']
}
