import { holdTerminalSession } from '../../access/business-users/session-store.ts'
import { type IssuePorts, issueAccessToken } from '../../access/tokens/issue.ts'
import { insertUserGrant } from '../../access/tokens/store.ts'
import type { App } from '../../core/app.ts'
import type { TerminalPrincipal } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { isApprovedNow } from '../../merchants/approvals/store.ts'
import type { Ports } from '../../ports.ts'

/** Short, because sign-out ends the token and not everybody signs out. The token cannot be refreshed; request a new one. */
export const USER_TOKEN_SECONDS = 3_600

/**
 * Issues an access token to an app for the terminal's signed-in user. The token acts as the app within that business, store and device, and
 * has the rights that both the merchant's approval of the app and the user's role allow. Sign-out, revoking the approval, a new role or
 * passcode, disabling the user and a new terminal key end the token. Rejections: INVALID_USER_SESSION, APPLICATION_DISABLED, APPROVAL_REQUIRED.
 * Source: interface, Authentication, On-terminal apps 2 and 3; decisions 2, 3 and 9.
 */
export async function tokenForApp(
  ports: IssuePorts & Pick<Ports, 'db'>,
  { terminal, app }: { readonly terminal: TerminalPrincipal; readonly app: App },
): Promise<string | Rejection> {
  const { user, businessId, storeId, deviceId } = terminal
  if (user === undefined) {
    return reject(
      'INVALID_USER_SESSION',
      'Nobody is signed in: send Service-User-Session, from POST /terminal/sessions.',
    )
  }
  if (app.status === 'DISABLED') return reject('APPLICATION_DISABLED', 'The app is disabled and gets no tokens.')
  const { db, clock, newId } = ports
  const { appId, organizationId } = app
  const grant = { grantId: newId(), appId, businessId, storeId, deviceId }
  const { businessUserId } = user
  const rejection = await db.transaction(async ({ sql }) => {
    // Both rows stay locked: a later sign-out or revocation ends the grant, an earlier one prevents it.
    if (!(await holdTerminalSession(sql, user.sessionId))) {
      return reject('INVALID_USER_SESSION', 'The session in Service-User-Session has ended. Sign in again.')
    }
    if (!(await isApprovedNow(sql, businessId, appId))) {
      return reject('APPROVAL_REQUIRED', 'The merchant has not approved the app. Ask the merchant to approve it first.')
    }
    await insertUserGrant(sql, { ...grant, businessUserId }, clock.now())
    return null
  })
  if (rejection !== null) return rejection
  const named = { ...grant, userId: businessUserId, issuedTo: `urn:aid:${appId}` }
  return issueAccessToken(ports, named, organizationId, USER_TOKEN_SECONDS)
}
