import { type Column, type Operation, RIGHTS, type Right } from '../../core/rights.ts'
import type { AnyRoute } from '../../platform/http/route.ts'

const BEARER = { type: 'http', scheme: 'bearer' }

/** Each is sent as a bearer: what tells them apart is whose they are. */
export const SECURITY_SCHEMES = {
  accessToken: { ...BEARER, bearerFormat: 'JWT', description: 'The access token of an app, from POST /token.' },
  terminalToken: {
    ...BEARER,
    bearerFormat: 'JWT',
    description:
      'The access token of a terminal, from POST /token for its own assertion. Who is signed in on it is told by Service-User-Session.',
  },
  portalSession: {
    ...BEARER,
    description: 'The token of a person, ses_…, from POST /sessions: of a merchant, a developer or the operator.',
  },
  operatorKey: { ...BEARER, description: 'The key of the operator of the service.' },
  selfSignedToken: {
    ...BEARER,
    bearerFormat: 'JWT',
    description: 'A JWT that the app signed itself. Sent with the grant authorization_code, and with no other.',
  },
} as const

type Scheme = keyof typeof SECURITY_SCHEMES
type Security = readonly Readonly<Partial<Record<Scheme, readonly string[]>>>[]

/** Decisions 2, third grant: "with the self-signed JWT as bearer". Every other request of these goes without. */
const OPTIONAL: Readonly<Record<string, Scheme>> = { issueToken: 'selfSignedToken' }

/** By the table of rights: whoever has one to the operation of a route, or to what it may be instead. */
export function securityOf({ name, operation, orElse }: AnyRoute): Security {
  const optional = OPTIONAL[name]
  if (optional !== undefined) return [{}, { [optional]: [] }]
  // The route checks the operator key by itself: TILLHOOK_METRICS_TOKEN opens it as well.
  if (name === 'getMetrics') return [{ operatorKey: [] }]
  if (operation === 'public') return []
  const schemes = new Set([operation, ...(orElse ? [orElse] : [])].flatMap(schemesOf))
  return [...schemes].map(scheme => ({ [scheme]: [] }))
}

function schemesOf(operation: Operation): Scheme[] {
  const rights: Readonly<Record<Column, Right>> = RIGHTS[operation]
  const may = (...columns: readonly Column[]) => columns.some(column => rights[column] !== 'none')
  return [
    ...(may('app', 'appOfBusiness') ? (['accessToken'] as const) : []),
    ...(may('terminal') ? (['terminalToken'] as const) : []),
    ...(may('merchant', 'developer', 'operator') ? (['portalSession'] as const) : []),
    // A key is nobody's: it has no account.
    ...(may('operator') && rights.operator !== 'own account' ? (['operatorKey'] as const) : []),
  ]
}

/** Whether a request may go without a token. */
export function isOpen(security: Security): boolean {
  return security.length === 0 || security.some(one => Object.keys(one).length === 0)
}
