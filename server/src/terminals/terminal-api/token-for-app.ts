import { holdTerminalSession } from '../../access/business-users/session-store.ts'
import { insertUserGrant } from '../../access/tokens/device-grants.ts'
import { type IssuePorts, issueAccessToken } from '../../access/tokens/issue.ts'
import type { App } from '../../core/app.ts'
import type { TerminalPrincipal } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'

/** Shorter than others: what ends it early is a sign-out, and not everybody signs out. There is no refreshing; ask again. */
export const USER_TOKEN_SECONDS = 3_600

/**
 * A token for whoever is signed in on the terminal, issued to an app: it acts as the app within that business, store and device,
 * and names the user. It ends with the session's sign-out, with the terminal's key, and when the user is locked out.
 * Source: interface, Authentication, On-terminal apps 2; decisions 2 and 9.
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
  if (app.status === 'DISABLED') return reject('APPLICATION_DISABLED', 'The app is disabled: it gets no tokens.')
  const { db, clock, newId } = ports
  const { appId, organizationId } = app
  const grant = { grantId: newId(), appId, businessId, storeId, deviceId }
  const { businessUserId } = user
  const isSignedIn = await db.transaction(async ({ sql }) => {
    // Who signed out, was locked out or lost the terminal since the request began: the grants of those were ended already.
    if (!(await holdTerminalSession(sql, user.sessionId))) return false
    await insertUserGrant(sql, { ...grant, businessUserId }, clock.now())
    return true
  })
  if (!isSignedIn) return reject('INVALID_USER_SESSION', 'Service-User-Session: has ended. Sign in again.')
  const named = { ...grant, userId: businessUserId, issuedTo: `urn:aid:${appId}` }
  return issueAccessToken(ports, named, organizationId, USER_TOKEN_SECONDS)
}
