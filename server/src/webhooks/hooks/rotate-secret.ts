import { randomBytes } from 'node:crypto'
import type { Hook } from '../../core/hook.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { hookNotFound } from './get.ts'
import { openSecrets, sealSecrets } from './secret.ts'
import { findHook, findSealedSecrets, saveSecrets } from './store.ts'

/** Time to deploy the new secret. Svix and Stripe use 24 hours as well. */
const OVERLAP_MS = 24 * 3_600_000

/** A form that is sent twice must not end the secret that the listener still uses; a header has room for few signatures. */
const MOST_PREVIOUS = 4

/** Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32

export interface Rotated {
  readonly hook: Hook
  /** The caller must show or store it: later responses mask it. */
  readonly secret: string
  /** Until then `webhook-signature` also holds the signatures of the secret before. */
  readonly previousUntil: Date
}

/** A new secret `whsec_<base64>`. */
export function newHookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/**
 * Replaces the secret from the next attempt on. For 24 hours `webhook-signature` holds the signatures of both secrets, so that a listener
 * can change over without a rejected delivery; `Service-Webhook-Signature` has room for the new one only. A
 * rotation within the 24 hours keeps the secrets before it valid; the newest four sign. Rejects: HOOK_NOT_FOUND.
 */
export async function rotateSecret(
  { db, clock, vault, dispatch }: Pick<Ports, 'db' | 'clock' | 'vault' | 'dispatch'>,
  hookId: string,
  secret: string = newHookSecret(),
): Promise<Rotated | Rejection> {
  return db.transaction(async ({ sql, afterCommit }) => {
    const hook = await findHook(sql, hookId, { isLocked: true })
    const sealed = await findSealedSecrets(sql, hookId)
    if (hook === null || sealed === null) return hookNotFound()
    const now = clock.now()
    const previousUntil = new Date(now.getTime() + OVERLAP_MS)
    const held = openSecrets(vault, sealed)
    const valid = (held.previous ?? []).filter(({ until }) => now < new Date(until))
    const previous = [{ secret: held.secret, until: previousUntil.toISOString() }, ...valid].slice(0, MOST_PREVIOUS)
    const sealedSecrets = sealSecrets(vault, { ...held, secret, since: now.toISOString(), previous })
    await saveSecrets(sql, { hookId, sealedSecrets, now })
    afterCommit(() => dispatch?.changed([hookId]))
    return { hook: { ...hook, updatedAt: now }, secret, previousUntil }
  })
}
