import { CompactSign, type CryptoKey, compactVerify, decodeProtectedHeader } from 'jose'
import type { Claims } from '../../core/assertion.ts'

/** Interface, Limits: "Access token lifetime". */
export const ACCESS_TOKEN_SECONDS = 86_400

/** The claims of our access tokens. Times in whole seconds since 1970. */
export interface AccessToken {
  readonly jti: string
  readonly issuedAtSeconds: number
  readonly expiresAtSeconds: number
  readonly grantId: string
  /** Absent for a terminal's own token, which names `deviceId`. */
  readonly appId?: string
  /** Of the app. */
  readonly organizationId?: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  /** The business user who is signed in on the terminal. */
  readonly userId?: string
  readonly issuedTo?: string
}

/**
 * Decisions 2, Access token: claims "as they apply". `service.gid` is private: it names the grant, so that ending a grant ends its access
 * tokens.
 */
const CLAIMS = {
  organizationId: 'service.org',
  grantId: 'service.gid',
  businessId: 'service.biz',
  storeId: 'service.str',
  deviceId: 'service.did',
  userId: 'service.uid',
  issuedTo: 'service.ist',
} as const

const APP_URN = 'urn:aid:'
const TERMINAL_URN = 'urn:tid:'

export interface SigningPair {
  readonly kid: string
  readonly privateKey: CryptoKey
}

/** Decisions 2: a JWT, RS256, with `kid`, `iss` = {base_url}, `sub` = `aud` = the app; decisions 9: or the terminal. */
export function signAccessToken(token: AccessToken, key: SigningPair, baseUrl: string): Promise<string> {
  const named = Object.entries(CLAIMS).flatMap(([field, claim]) => {
    const value = token[field as keyof typeof CLAIMS]
    return value === undefined ? [] : [[claim, field === 'deviceId' ? `${TERMINAL_URN}${value}` : value]]
  })
  const holder = token.appId === undefined ? `${TERMINAL_URN}${token.deviceId}` : `${APP_URN}${token.appId}`
  const claims = {
    iss: baseUrl,
    sub: holder,
    aud: holder,
    iat: token.issuedAtSeconds,
    exp: token.expiresAtSeconds,
    jti: token.jti,
    ...Object.fromEntries(named),
  }
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.kid })
    .sign(key.privateKey)
}

export interface VerifyOptions {
  readonly baseUrl: string
  readonly now: Date
  /** Our public key with this id. */
  findKey(kid: string): Promise<CryptoKey | null>
}

/** Verifies the signature and expiry of an access token, else null. Revocation is checked elsewhere. */
export async function verifyAccessToken(text: string, options: VerifyOptions): Promise<AccessToken | null> {
  const kid = kidOf(text)
  if (kid === null) return null
  const key = await options.findKey(kid)
  if (key === null) return null
  const claims = await verifiedClaims(text, key)
  if (claims === null || claims.iss !== options.baseUrl) return null
  const token = toAccessToken(claims)
  // jose checks signatures only; the time is ours to compare.
  return token.expiresAtSeconds * 1000 > options.now.getTime() ? token : null
}

function kidOf(text: string): string | null {
  try {
    // Our keys also sign documents of other types.
    const { alg, typ, kid } = decodeProtectedHeader(text)
    return alg === 'RS256' && typ === 'JWT' && typeof kid === 'string' ? kid : null
  } catch {
    return null
  }
}

async function verifiedClaims(text: string, key: CryptoKey): Promise<Claims | null> {
  try {
    const { payload } = await compactVerify(text, key, { algorithms: ['RS256'] })
    return JSON.parse(new TextDecoder().decode(payload)) as Claims
  } catch {
    return null
  }
}

/** We signed the token, so its claims need no validation. */
function toAccessToken(claims: Claims): AccessToken {
  const holder = String(claims.sub)
  const named = Object.entries(CLAIMS).flatMap(([field, claim]) => {
    const value = claims[claim]
    return value === undefined ? [] : [[field, field === 'deviceId' ? String(value).slice(TERMINAL_URN.length) : value]]
  })
  return {
    jti: claims.jti,
    issuedAtSeconds: claims.iat,
    expiresAtSeconds: claims.exp,
    ...(holder.startsWith(APP_URN) ? { appId: holder.slice(APP_URN.length) } : {}),
    ...Object.fromEntries(named),
  } as AccessToken
}
