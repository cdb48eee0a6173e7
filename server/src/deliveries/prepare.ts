import { expiryOf } from '../core/delivery.ts'
import { openSecret } from '../hooks/secret.ts'
import type { Ports } from '../ports.ts'
import type { Claimed } from './claim.ts'
import { setAside, type Unsendable } from './set-aside.ts'
import { endLeased, postponeLeased } from './store.ts'

/** A delivery whose hook listens, with all that its attempt needs. */
export interface Sendable extends Claimed {
  readonly deliveryUrl: string
  readonly secret: string
}

/** How long a delivery whose hook does not listen at the moment rests until it is looked at again. */
const PARK_MS = 5 * 60_000

/**
 * From what one claim leased to what can be sent. What has no hook any more ends; what has one that does not listen
 * rests, until its 72 h are over; what has a secret that cannot be opened stands aside.
 */
export async function prepare(
  ports: Pick<Ports, 'db' | 'clock' | 'vault' | 'log'>,
  claimed: readonly Claimed[],
): Promise<Sendable[]> {
  await layDown(
    ports,
    claimed.filter(({ active }) => active !== true),
  )
  const { sendable, unsendable } = openSecrets(
    ports.vault,
    claimed.filter(({ active }) => active === true),
  )
  await setAside(ports, unsendable)
  return sendable
}

async function layDown({ db, clock }: Pick<Ports, 'db' | 'clock'>, deaf: readonly Claimed[]): Promise<void> {
  const leaseId = deaf[0]?.leaseId
  if (leaseId === undefined) return
  const now = clock.now()
  const gone = deaf.filter(({ active }) => active === undefined)
  const inactive = deaf.filter(({ active }) => active === false)
  const over = inactive.filter(delivery => now >= expiryOf(delivery))
  const parked = inactive.filter(delivery => now < expiryOf(delivery))
  await endLeased(db.sql, { ids: idsOf(gone), leaseId, reason: 'hook_deleted', now })
  await endLeased(db.sql, { ids: idsOf(over), leaseId, reason: 'hook_inactive', now })
  await postponeLeased(db.sql, { ids: idsOf(parked), leaseId, dueAt: new Date(now.getTime() + PARK_MS) })
}

/** Each hook's secret is opened once for all of its deliveries in the claim, and kept no longer. */
function openSecrets(vault: Ports['vault'], claimed: readonly Claimed[]) {
  const sendable: Sendable[] = []
  const unsendable: Unsendable[] = []
  const opened = new Map<string, { secret: string } | { error: unknown }>()
  for (const delivery of claimed) {
    const { hookId, deliveryUrl = '', sealedSecret = Buffer.alloc(0) } = delivery
    const result = opened.get(hookId) ?? tryOpening(vault, sealedSecret)
    opened.set(hookId, result)
    if ('error' in result) unsendable.push({ delivery, error: result.error })
    else sendable.push({ ...delivery, deliveryUrl, secret: result.secret })
  }
  return { sendable, unsendable }
}

function tryOpening(vault: Ports['vault'], sealed: Buffer): { secret: string } | { error: unknown } {
  try {
    return { secret: openSecret(vault, sealed) }
  } catch (error) {
    return { error }
  }
}

function idsOf(deliveries: readonly Claimed[]): string[] {
  return deliveries.map(({ notificationId }) => notificationId)
}
