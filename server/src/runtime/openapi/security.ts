import { type Column, type Operation, RIGHTS, type Right } from '../../core/rights.ts'
import type { AnyRoute } from '../../platform/http/route.ts'

const BEARER = { type: 'http', scheme: 'bearer' }

/** Every kind of token is a bearer token. The holder distinguishes the kinds. */
export const SECURITY_SCHEMES = {
  accessToken: { ...BEARER, bearerFormat: 'JWT', description: 'The access token of an app, from POST /token.' },
  terminalToken: {
    ...BEARER,
    bearerFormat: 'JWT',
    description:
      'The access token of a terminal, from POST /token with an assertion of the terminal. Service-User-Session names the signed-in user.',
  },
  portalSession: {
    ...BEARER,
    description: 'The token of a person, ses_…, from POST /sessions: of a merchant, a developer or the operator.',
  },
  operatorKey: { ...BEARER, description: 'The key of the operator of the service.' },
  selfSignedToken: {
    ...BEARER,
    bearerFormat: 'JWT',
    description: 'A JWT signed by the app. Only the grant authorization_code accepts it.',
  },
} as const

type Scheme = keyof typeof SECURITY_SCHEMES
type Security = readonly Readonly<Partial<Record<Scheme, readonly string[]>>>[]

/** Operations whose token is optional. Decisions 2, third grant: "with the self-signed JWT as bearer". */
const OPTIONAL: Readonly<Record<string, Scheme>> = { issueToken: 'selfSignedToken' }

/** The kinds of token whose holders have a right to the route's operation or to its alternative. */
export function securityOf({ name, operation, orElse }: AnyRoute): Security {
  const optional = OPTIONAL[name]
  if (optional !== undefined) return [{}, { [optional]: [] }]
  // The route itself checks the operator key and TILLHOOK_METRICS_TOKEN.
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
    // The operator key has no account.
    ...(may('operator') && rights.operator !== 'own account' ? (['operatorKey'] as const) : []),
  ]
}

/** Whether the operation accepts requests without a token. */
export function isOpen(security: Security): boolean {
  return security.length === 0 || security.some(one => Object.keys(one).length === 0)
}
