import { findApp } from '../../catalog/apps/store.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { findApproval, saveApproval } from '../approvals/store.ts'
import { lockBusiness } from '../businesses/store.ts'
import type { AuthorizationRequest } from './start.ts'
import { insertAuthorizationCode } from './store.ts'

/** Decisions 8: "single use, 15 minutes". */
const AUTHORIZATION_CODE_MS = 15 * 60_000

interface Consent {
  readonly request: AuthorizationRequest
  /** Business of the signed-in merchant. */
  readonly businessId: string
}

/** Records the merchant's consent and returns the redirect address with a code. Rights approved earlier remain. Source: decisions 8. */
export function approveAuthorization(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { request, businessId }: Consent,
): Promise<string | Rejection> {
  const { appId } = request.app
  return db.transaction(async ({ sql }) => {
    if ((await lockBusiness(sql, businessId)) === null) {
      return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    }
    // The app may have been disabled while the merchant read.
    if ((await findApp(sql, appId))?.status !== 'ACTIVE') return reject('APPLICATION_DISABLED', 'The app is disabled.')
    const before = await findApproval(sql, businessId, appId)
    const rights = [...new Set([...(before?.rights ?? []), ...request.rights])].sort()
    if (rights.length !== before?.rights.length) {
      await saveApproval(sql, { businessId, appId, rights, approvedAt: clock.now() })
    }
    return sentBack(sql, { request, businessId }, clock.now())
  })
}

/** Decisions 8, "Already approved → straight back": the address, or null where the merchant is to be asked first. */
export function continueAuthorization(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { request, businessId }: Consent,
): Promise<string | null> {
  return db.transaction(async ({ sql }) => {
    const approval = await findApproval(sql, businessId, request.app.appId)
    if (approval === null || !request.rights.every(right => approval.rights.includes(right))) return null
    return sentBack(sql, { request, businessId }, clock.now())
  })
}

/** Returns the redirect address for a merchant who does not consent. The address reveals nothing about the merchant. */
export function declineAuthorization({ redirectUri, context }: AuthorizationRequest): string {
  return withParameters(redirectUri, { status: 'fail', ...(context === undefined ? {} : { context }) })
}

async function sentBack(sql: Sql, { request, businessId }: Consent, now: Date): Promise<string> {
  const { app, redirectUri, redirectUriNamed, context, codeChallenge } = request
  const code = makeSecret()
  await insertAuthorizationCode(sql, {
    ...{ codeHash: hashSecret(code), appId: app.appId, businessId, redirectUri, redirectUriNamed },
    ...(codeChallenge === undefined ? {} : { codeChallenge }),
    ...{ createdAt: now, expiresAt: new Date(now.getTime() + AUTHORIZATION_CODE_MS) },
  })
  const parameters = { code, status: 'success', businessId }
  return withParameters(redirectUri, context === undefined ? parameters : { ...parameters, context })
}

/** Adds to the parameters of the registered address; RFC 6749, 3.1.2: they "MUST be retained". */
function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
