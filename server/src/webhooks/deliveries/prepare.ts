import { expiryOf } from '../../core/delivery.ts'
import { plannedTransaction } from '../../platform/db/sql.ts'
import { giveBackProbes } from '../hooks/health.ts'
import type { Claimed } from './claim.ts'
import type { Secrets } from './secrets.ts'
import { findReleased, type SetAsidePorts, setAside, type Unsendable } from './set-aside.ts'
import { endLeased, postponeLeased } from './store.ts'

/** A delivery whose hook listens, with all that its attempt needs. */
export interface Sendable extends Claimed {
  readonly body: string
  readonly deliveryUrl: string
  readonly secret: string
}

/** How long a delivery whose hook does not listen at the moment rests until it is looked at again. */
const PARK_MS = 5 * 60_000

/**
 * From what one claim leased to what can be sent. What has no hook any more, tells of orders without an approval, or was missed, ends; what has one that does not listen
 * rests, until its 72 h are over; what has a secret that cannot be opened, or no notification any more, stands aside. Where
 * that cannot be saved, the rest is sent all the same, and the leases of those end by themselves.
 */
export async function prepare(
  ports: SetAsidePorts & { readonly secrets: Secrets },
  claimed: readonly Claimed[],
): Promise<Sendable[]> {
  const leaveToLease = (error: unknown) => ports.log.error({ err: error }, 'leases are left to end')
  await layDown(
    ports,
    claimed.filter(delivery => !mayBeSent(delivery)),
  ).catch(leaveToLease)
  const sendable: Sendable[] = []
  const unsendable: Unsendable[] = []
  for (const delivery of claimed) {
    if (!mayBeSent(delivery)) continue
    const made = sendableOf(ports.secrets, delivery)
    if ('error' in made) unsendable.push(made)
    else sendable.push(made)
  }
  await passOver(ports, unsendable).catch(leaveToLease)
  return sendable
}

function mayBeSent({ active, isMissed, isRevoked }: Claimed): boolean {
  return active === true && !isMissed && isRevoked !== true
}

/** Another one of its hook may be the probe. */
async function passOver(ports: SetAsidePorts, unsendable: readonly Unsendable[]): Promise<void> {
  await setAside(ports, unsendable)
  await giveBackProbes(
    ports.db.sql,
    unsendable.map(({ delivery }) => delivery),
    ports.clock.now(),
  )
}

async function layDown(
  { db, clock, telemetry: watch, onReleased }: SetAsidePorts,
  deaf: readonly Claimed[],
): Promise<void> {
  const leaseId = deaf[0]?.leaseId
  if (leaseId === undefined) return
  const now = clock.now()
  const gone = deaf.filter(({ active }) => active === undefined)
  const there = deaf.filter(({ active }) => active !== undefined)
  const isOver = (delivery: Claimed) => delivery.isMissed || (delivery.active === false && now >= expiryOf(delivery))
  const over = there.filter(isOver)
  const revoked = there.filter(delivery => delivery.active === true && !isOver(delivery))
  const parked = there.filter(delivery => delivery.active === false && !isOver(delivery))
  const { ended, releases } = await plannedTransaction(db, async ({ sql }) => {
    // Of a hook that listens, what happened since is sent.
    const releases = await findReleased(sql, idsOf(over.filter(({ active }) => active)))
    const ended = [
      ...(await endLeased(sql, { ids: idsOf(gone), leaseId, reason: 'hook_deleted', now })),
      ...(await endLeased(sql, { ids: idsOf(revoked), leaseId, reason: 'approval_revoked', now })),
      ...(await endLeased(sql, { ids: idsOf(over), leaseId, reason: 'hook_inactive', now })),
    ]
    await postponeLeased(sql, parked, new Date(now.getTime() + PARK_MS))
    await giveBackProbes(sql, there, now)
    return { ended, releases }
  })
  watch?.gaveUp(ended)
  onReleased?.(releases)
}

function sendableOf(secrets: Secrets, delivery: Claimed): Sendable | Unsendable {
  const { hookId, body, deliveryUrl = '', sealedSecret = Buffer.alloc(0) } = delivery
  if (body === undefined) return { delivery, error: new Error('its notification is gone') }
  try {
    return { ...delivery, body, deliveryUrl, secret: secrets.open(hookId, sealedSecret) }
  } catch (error) {
    return { delivery, error }
  }
}

function idsOf(deliveries: readonly Claimed[]): string[] {
  return deliveries.map(({ notificationId }) => notificationId)
}
