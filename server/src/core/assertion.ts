import { UUID, UUID_PATTERN } from './id.ts'
import { isRejection, type Rejection, reject } from './rejection.ts'

/** The header or the claim set of a JWT as sent. */
export type Claims = Readonly<Record<string, unknown>>

interface AssertionCheck {
  /** `{base_url}`, without a trailing slash. */
  readonly baseUrl: string
  readonly now: Date
}

/** The UUID of an app, or of a terminal (decisions 9: "sub = iss = urn:tid:…"). */
export interface AssertionIssuer {
  readonly kind: 'app' | 'terminal'
  readonly id: string
}

/** A checked assertion. The signature is verified next. */
export interface Assertion {
  /** The claimed issuer. */
  readonly issuer: AssertionIssuer
  readonly jti: string
  /** The claimed key. */
  readonly kid?: string
  /** The `jti` is remembered until then. */
  readonly expiresAt: Date
  readonly narrowing: Narrowing
}

/** The custom claims: a token with fewer rights than the issuer has. Decisions 2. */
export interface Narrowing {
  readonly organizationId?: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
}

const NARROWING_CLAIMS = {
  'service.org': 'organizationId',
  'service.biz': 'businessId',
  'service.str': 'storeId',
  'service.did': 'deviceId',
} as const

/** Decisions 2: "refused 24 h after iat whatever its exp". */
const ASSERTION_LIFE_MS = 24 * 60 * 60 * 1000

/** Decisions 2: "60 s skew each way". */
const ASSERTION_SKEW_MS = 60 * 1000

/** Decisions 2: "a value over 10^11 is milliseconds". As seconds it would lie in the year 5138. */
const MILLISECONDS_ABOVE = 1e11

const JTI_MAX = 255
const NO_ISSUER = 'must be the id of the app, urn:aid:<uuid>, or of the terminal, urn:tid:<uuid>'
const KINDS = { 'urn:aid:': 'app', 'urn:tid:': 'terminal' } as const
const ISSUER_URN = new RegExp(UUID_PATTERN.replace('^', '^(urn:[at]id:)'))

/**
 * The rules for a self-issued JWT that need no key. Returns the checked assertion, or INVALID_ASSERTION with the name of the claim. The caller
 * must verify the signature before it trusts the result. Source: interface, Self-issued JWT; decisions 2.
 */
export function checkAssertionClaims(header: Claims, claims: Claims, check: AssertionCheck): Assertion | Rejection {
  const nowMs = check.now.getTime()

  // Decisions 2: "alg other than RS256 refused before any key is tried".
  if (header.alg !== 'RS256') return wrong('alg', 'must be RS256')
  // RFC 7515, 4.1.11: extensions that must be understood; none is supported.
  if (header.crit !== undefined) return wrong('crit', 'names a header extension that is not supported')
  // Decisions 2: "chosen by kid".
  if (!isAbsentOrText(header.kid)) return wrong('kid', 'must be a string')

  // Decisions 2: "sub = iss = id of an app". Decisions 9: or of a terminal.
  const [subject, issuer] = [issuerOf(claims.sub), issuerOf(claims.iss)]
  if (subject === null) return wrong('sub', NO_ISSUER)
  if (issuer === null) return wrong('iss', NO_ISSUER)
  if (issuer.kind !== subject.kind || issuer.id !== subject.id) return wrong('iss', 'must be equal to sub')

  // Decisions 2: "aud = {base_url}, string or within an array, with or without trailing slash".
  if (!namesHost(claims.aud, check.baseUrl)) return wrong('aud', `must be ${check.baseUrl}`)

  // Decisions 2: "iat/exp in seconds; a value over 10^11 is milliseconds".
  const issuedMs = toMs(claims.iat)
  if (issuedMs === null) return wrong('iat', 'must be a number: seconds since 1970')
  const expiresMs = toMs(claims.exp)
  if (expiresMs === null) return wrong('exp', 'must be a number: seconds since 1970')

  // Decisions 2: "exp in the future, iat not (60 s skew each way)".
  if (expiresMs <= nowMs - ASSERTION_SKEW_MS) return wrong('exp', 'has passed; create a new assertion for each token')
  if (issuedMs > nowMs + ASSERTION_SKEW_MS) return wrong('iat', 'is in the future; set the clock')
  // Decisions 2: "refused 24 h after iat whatever its exp".
  if (issuedMs <= nowMs - ASSERTION_LIFE_MS) return wrong('iat', 'is 24 hours old or older; create a new assertion')

  // Decisions 2: "jti required". PostgreSQL stores neither NUL nor unpaired surrogates.
  if (!isStorableText(claims.jti)) return wrong('jti', `must be a string of 1 to ${JTI_MAX} characters, new each time`)

  const narrowing = narrowingOf(claims, subject)
  if (isRejection(narrowing)) return narrowing

  return {
    issuer,
    narrowing,
    jti: claims.jti,
    ...(header.kid === undefined ? {} : { kid: header.kid }),
    expiresAt: new Date(Math.ceil(issuedMs) + ASSERTION_LIFE_MS + ASSERTION_SKEW_MS),
  }
}

/** Decisions 2: "a claim that the caller has no right to, or that we cannot honour, is refused and named, never ignored". */
function narrowingOf(claims: Claims, subject: AssertionIssuer): Narrowing | Rejection {
  const narrowing: { -readonly [Field in keyof Narrowing]: Narrowing[Field] } = {}
  for (const [claim, value] of Object.entries(claims)) {
    if (!claim.startsWith('service.')) continue
    if (claim === 'service.ist' && subject.kind === 'app' && isSubject(value, claims)) continue
    const field = NARROWING_CLAIMS[claim as keyof typeof NARROWING_CLAIMS]
    if (field === undefined) return wrongClaim(claim, 'cannot be chosen in a self-issued assertion; leave it out')
    const id = field === 'deviceId' ? withoutUrn(value) : value
    if (typeof id !== 'string' || !UUID.test(id)) {
      return wrongClaim(claim, field === 'deviceId' ? 'must be urn:tid:<uuid>' : 'must be a UUID')
    }
    narrowing[field] = id.toLowerCase()
  }
  if (subject.kind === 'app' && narrowing.businessId === undefined) {
    if (narrowing.storeId !== undefined) return wrongClaim('service.str', 'needs service.biz beside it')
    if (narrowing.deviceId !== undefined) return wrongClaim('service.did', 'needs service.biz beside it')
  }
  return narrowing
}

/** `service.ist` names the app to which the token is issued: only the issuer itself. */
function isSubject(value: unknown, { sub }: Claims): boolean {
  return typeof value === 'string' && typeof sub === 'string' && value.toLowerCase() === sub.toLowerCase()
}

function withoutUrn(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('urn:tid:') ? value.slice('urn:tid:'.length) : undefined
}

/** INVALID_ASSERTION for a custom claim. */
export const wrongClaim = wrong

function wrong(claim: string, problem: string): Rejection {
  return reject('INVALID_ASSERTION', `assertion: ${claim} ${problem}.`, { oauthError: 'invalid_grant' })
}

function isAbsentOrText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function issuerOf(value: unknown): AssertionIssuer | null {
  const prefix = typeof value === 'string' ? ISSUER_URN.exec(value)?.[1] : undefined
  if (prefix === undefined) return null
  return { kind: KINDS[prefix as keyof typeof KINDS], id: String(value).slice(prefix.length).toLowerCase() }
}

function namesHost(audience: unknown, baseUrl: string): boolean {
  const named: unknown[] = Array.isArray(audience) ? audience : [audience]
  return named.some(one => one === baseUrl || one === `${baseUrl}/`)
}

function toMs(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  return value > MILLISECONDS_ABOVE ? value : value * 1000
}

function isStorableText(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 1 || value.length > JTI_MAX) return false
  return value.isWellFormed() && !value.includes('\u0000')
}
