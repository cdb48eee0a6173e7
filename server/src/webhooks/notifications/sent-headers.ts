import type { Ports } from '../../ports.ts'
import { VERSION } from '../../version.ts'
import { type Attempt, deliveryRequest } from '../deliveries/attempt.ts'
import { openEndpoint, openSecrets } from '../hooks/secret.ts'
import { findSealedSecrets } from '../hooks/store.ts'
import type { HistoryEntry } from './history-store.ts'

/**
 * The headers of an attempt with their signatures, made again from the stored bytes. Without signatures if the secret has been replaced
 * since, and null if the hook was deleted. Never the secret.
 */
export async function sentHeaders(
  { db, vault }: Pick<Ports, 'db' | 'vault'>,
  { notificationId, hookId, deliveryUrl, body }: HistoryEntry,
  { attemptId: requestId, attemptedAt: now }: Attempt,
): Promise<Readonly<Record<string, string>> | null> {
  const sealedSecrets = await findSealedSecrets(db.sql, hookId)
  if (sealedSecrets === null) return null
  const { since } = openSecrets(vault, sealedSecrets)
  const endpoint = openEndpoint(vault, { deliveryUrl, sealedSecrets })
  const { headers } = deliveryRequest({ notificationId, hookId, body, ...endpoint, requestId, now, version: VERSION })
  if (since === undefined || now >= new Date(since)) return headers
  const isSignature = (name: string) => /signature/i.test(name)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isSignature(name)))
}
