import { addDays } from '../../core/calendar.ts'
import type { Ports } from '../../ports.ts'
import { findSigningKeys, insertSigningKey, lockSigningKeys, retireSigningKeysBut } from './signing-key-store.ts'
import { makeSigningKey } from './signing-keys.ts'

/** Twice the cache time of the key set (`JWKS_MAX_AGE_SECONDS`): every verifier knows a key before its first use. */
export const PUBLISHED_BEFORE_USE_MS = 10 * 60 * 1000

/** Often enough to limit an unnoticed leak, and rare enough for apps that pin the PEM. */
const ROTATED_AFTER_DAYS = 90

/** Rotates if the newest key is old. The first signature creates the very first key. Returns the number of keys created. */
export async function rotateOldSigningKey(ports: Pick<Ports, 'db' | 'clock' | 'vault'>): Promise<number> {
  const now = ports.clock.now()
  const newest = (await findSigningKeys(ports.db.sql, now)).at(-1)
  if (newest === undefined || newest.createdAt > addDays(now, -ROTATED_AFTER_DAYS)) return 0
  await rotateSigningKey(ports)
  return 1
}

/**
 * Creates the next signing key: published at once, used after ten minutes. The previous key then stops signing and stays published until
 * its last token expires. Returns the id of the new key, or of a rotation in progress. Source: decisions 2, "signing keys rotate, two
 * overlap".
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
