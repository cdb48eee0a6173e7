import { timingSafeEqual } from 'node:crypto'
import { findRoleInSession, holdRoleInSession } from '../../access/business-users/session-store.ts'
import { type BusinessUserRole, TERMINAL_SESSION_IDLE_MS } from '../../core/business-user.ts'
import type { Principal } from '../../core/principal.ts'
import { isScreenGone, type Purchase, purchaseAt } from '../../core/purchase.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { StoredPurchase } from '../purchases/store.ts'
import { hashSecret } from './open-purchase.ts'

/** Who stands before the screen: whoever has its address, or a merchant's user who signed in. */
export type Buyer = { readonly secret: string } | { readonly principal: Principal }

/**
 * Whether a purchase is there for them. A terminal's: for whoever has the address of its screen, until an hour after it ended. An
 * app's: for a merchant's user of that business who may subscribe, after signing in. Others are told that there is none.
 */
export function isShownTo(stored: StoredPurchase, by: Buyer, now: Date): boolean {
  const { secretHash, businessId } = stored
  if ('secret' in by) {
    const isRight = secretHash !== undefined && timingSafeEqual(secretHash, hashSecret(by.secret))
    return isRight && !(purchaseAt(stored, now).status !== 'OPEN' && isScreenGone(stored, now))
  }
  const { principal } = by
  if (principal.kind !== 'merchant' || secretHash !== undefined) return false
  return principal.businessId === businessId && !isTakenByRole(principal, 'subscriptions.subscribe')
}

/**
 * Null while who asked for it at the terminal is signed in there and may buy. Whoever signed out, was idle for too long, was
 * disabled, or whose terminal was activated anew, buys nothing with a screen that is still open; nor does who is a clerk by now.
 */
export async function refuseBuyer(sql: Sql, purchase: Purchase, now: Date): Promise<Rejection | null> {
  return refuseBy(purchase, now, of => findRoleInSession(sql, of))
}

/** The same, and so it stays until the transaction ends: who locks them out meanwhile waits, and comes after what is bought. */
export async function holdBuyer(sql: Sql, purchase: Purchase, now: Date): Promise<Rejection | null> {
  return refuseBy(purchase, now, of => holdRoleInSession(sql, of))
}

async function refuseBy(
  { openedBy, terminalSessionId: sessionId, businessId, storeId = '', deviceId = '' }: Purchase,
  now: Date,
  roleIn: (of: { sessionId: string; idleSince: Date }) => Promise<BusinessUserRole | null>,
): Promise<Rejection | null> {
  if (openedBy !== 'TERMINAL') return null
  const idleSince = new Date(now.getTime() - TERMINAL_SESSION_IDLE_MS)
  const role = sessionId === undefined ? null : await roleIn({ sessionId, idleSince })
  if (role === null || sessionId === undefined) {
    return reject('INVALID_USER_SESSION', 'Who opened the purchase is not signed in on the terminal any more.')
  }
  const user = { businessUserId: '', role, sessionId }
  const isTaken = isTakenByRole({ kind: 'terminal', businessId, storeId, deviceId, user }, 'terminal.purchase')
  return isTaken ? reject('FORBIDDEN', 'Who opened the purchase may not buy any more.') : null
}
