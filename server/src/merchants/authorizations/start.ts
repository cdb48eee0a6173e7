import { findApp } from '../../catalog/apps/store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import type { App } from '../../core/app.ts'
import { APPROVAL_RIGHTS, type ApprovalRight } from '../../core/approval.ts'
import { UUID_PATTERN } from '../../core/id.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'

/** The parameters of the address as the app wrote them. Decisions 8: older names are `applicationId` and `callback`. */
export interface AuthorizationQuery {
  readonly clientId?: string
  readonly redirectUri?: string
  readonly context?: string
  /** `READ`, or `READ,SUBSCRIBE`. Absent: READ. */
  readonly rights?: string
  /** RFC 7636 (PKCE). */
  readonly codeChallenge?: string
  readonly codeChallengeMethod?: string
}

/** A valid request, ready to be shown to a merchant. */
export interface AuthorizationRequest {
  readonly app: App
  /** Shown to the merchant. */
  readonly developerName: string
  /** A registered callback URL. */
  readonly redirectUri: string
  readonly redirectUriNamed: boolean
  readonly context?: string
  readonly rights: readonly ApprovalRight[]
  /** RFC 7636, S256: the code is exchanged only together with the verifier. */
  readonly codeChallenge?: string
}

/**
 * Maximum length of `context`. Tillhook returns `context` in a URL, and during sign-in that URL is nested in another URL. 4 KiB of characters
 * that need encoding would exceed the limits of servers.
 */
const CONTEXT_MAX = { bytes: 4_096, encoded: 7_000 } as const
const APP_ID = new RegExp(UUID_PATTERN.replace('^', '^(?:urn:aid:)?'))

/**
 * Reads the request of an app for a merchant's approval. A rejection is shown to the merchant: Tillhook never redirects to an address that the
 * app did not register (decisions 8).
 */
export async function startAuthorization(
  { db }: Pick<Ports, 'db'>,
  { clientId, redirectUri, context, rights, codeChallenge, codeChallengeMethod }: AuthorizationQuery,
): Promise<AuthorizationRequest | Rejection> {
  if (clientId === undefined || !APP_ID.test(clientId)) return rejectField('client_id', 'must be the id of an app')
  const app = await findApp(db.sql, clientId.slice(-36).toLowerCase())
  if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this client_id.')
  const target = targetOf(app, redirectUri)
  if (isRejection(target)) return target
  if (app.status === 'DISABLED') return reject('APPLICATION_DISABLED', 'The app is disabled.')
  if (context !== undefined && isTooLong(context)) {
    const { bytes, encoded } = CONTEXT_MAX
    return rejectField(
      'context',
      `must have at most ${bytes} bytes, and at most ${encoded} characters after percent-encoding`,
    )
  }
  const asked = rightsOf(rights)
  if (isRejection(asked)) return asked
  const challenge = challengeOf(codeChallenge, codeChallengeMethod)
  if (isRejection(challenge)) return challenge
  const organization = await findOrganization(db.sql, app.organizationId)
  return {
    ...{ app, developerName: organization?.name ?? '', redirectUri: target, rights: asked },
    redirectUriNamed: redirectUri !== undefined,
    ...(context === undefined ? {} : { context }),
    ...(challenge === null ? {} : { codeChallenge: challenge }),
  }
}

/** RFC 7636, 4.2 and 4.3. Only S256: with `plain`, the default of the RFC, a stolen URL contains the verifier. */
function challengeOf(challenge: string | undefined, method: string | undefined): string | null | Rejection {
  if (challenge === undefined && method === undefined) return null
  if (method !== 'S256') return rejectField('code_challenge_method', 'must be S256')
  if (challenge === undefined || !/^[\w-]{43}$/.test(challenge)) {
    return rejectField('code_challenge', 'must be the base64url of a SHA-256: 43 characters')
  }
  return challenge
}

function isTooLong(context: string): boolean {
  const { bytes, encoded } = CONTEXT_MAX
  return Buffer.byteLength(context) > bytes || new URLSearchParams({ context }).toString().length > encoded
}

/** Decisions 8: "exactly a registered callback; optional when there is one". */
function targetOf({ callbackUrls }: App, redirectUri: string | undefined): string | Rejection {
  if (redirectUri !== undefined) {
    return callbackUrls.includes(redirectUri)
      ? redirectUri
      : rejectField('redirect_uri', 'must equal a callback URL of the app')
  }
  const [only, another] = callbackUrls
  if (only !== undefined && another === undefined) return only
  return rejectField(
    'redirect_uri',
    only === undefined ? 'the app has no callback URL' : 'is required, because the app has several callback URLs',
  )
}

function rightsOf(text = 'READ'): ApprovalRight[] | Rejection {
  const named = text.split(/[ ,]+/).filter(Boolean)
  const known = APPROVAL_RIGHTS.filter(right => named.includes(right))
  if (named.length === 0 || named.some(name => !(APPROVAL_RIGHTS as readonly string[]).includes(name))) {
    return rejectField('rights', `must be one or more of ${APPROVAL_RIGHTS.join(', ')}`)
  }
  // SUBSCRIBE includes READ.
  return known.includes('READ') ? known : ['READ', ...known]
}
