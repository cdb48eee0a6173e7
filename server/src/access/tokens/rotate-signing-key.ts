import { addDays } from '../../core/calendar.ts'
import type { Ports } from '../../ports.ts'
import { makeSigningKey } from './make-signing-key.ts'
import { findSigningKeys, insertSigningKey, lockSigningKeys, retireSigningKeysBut } from './signing-key-store.ts'

/** Twice what the key set may be cached for (`JWKS_MAX_AGE_SECONDS`), so that every verifier knows a key before it is used. */
export const PUBLISHED_BEFORE_USE_MS = 10 * 60 * 1000

/**
 * Often enough that a key which leaked unnoticed is worth nothing some day, and seldom enough that who verifies tokens by a
 * key written down, as an app with the PEM may, has a quarter of a year.
 */
const ROTATED_AFTER_DAYS = 90

/** Rotates when the newest key is old. The very first is made by whoever signs first. Gives how many it made. */
export async function rotateOldSigningKey(ports: Pick<Ports, 'db' | 'clock' | 'vault'>): Promise<number> {
  const now = ports.clock.now()
  const newest = (await findSigningKeys(ports.db.sql, now)).at(-1)
  if (newest === undefined || newest.createdAt > addDays(now, -ROTATED_AFTER_DAYS)) return 0
  await rotateSigningKey(ports)
  return 1
}

/**
 * Makes the next signing key. It is published at once and signs ten minutes later; the one before stops signing then,
 * and stays published until its last token is over. Gives the new key's id, or that of a rotation already under way.
 * Source: decisions 2, "signing keys rotate, two overlap".
 */
export async function rotateSigningKey({ db, clock, vault }: Pick<Ports, 'db' | 'clock' | 'vault'>): Promise<string> {
  const next = await makeSigningKey(vault, clock.now())
  return db.transaction(async tx => {
    await lockSigningKeys(tx.sql)
    const signing = await findSigningKeys(tx.sql, next.createdAt)
    const underWay = signing.find(key => key.retiredAt === undefined && signing.length > 1)
    if (underWay) return underWay.kid
    await insertSigningKey(tx.sql, next)
    await retireSigningKeysBut(tx.sql, next.kid, new Date(next.createdAt.getTime() + PUBLISHED_BEFORE_USE_MS))
    return next.kid
  })
}
