import type { Static } from 'typebox'
import { addDays } from '../../core/calendar.ts'
import { CLOCKS_APART_MS } from '../../core/delivery.ts'
import { given } from '../../core/given.ts'
import { eventTypeSet, type Hook } from '../../core/hook.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { rejectDeliveryUrl } from '../../platform/egress/check-url.ts'
import type { Ports } from '../../ports.ts'
import { hookNotFound } from '../hooks/get.ts'
import { findHookHealth, resetHookHealth } from '../hooks/health.ts'
import type { HookChanges } from '../hooks/schema.ts'
import { fingerprint, hideQuery, openSecrets, rejectMasked, revealQuery, sealSecrets } from '../hooks/secret.ts'
import { findHook, findSameHook, findSealedSecrets, lockHooksOfApp, saveHook } from '../hooks/store.ts'
import { HISTORY_DAYS } from '../notifications/scope.ts'
import type { Redelivery } from './redelivery.ts'
import { cancelMissed, insertRedelivery } from './store.ts'

export interface Changed {
  readonly hook: Hook
  /** The job that sends the missed notifications, if requested. */
  readonly redeliveryId?: string
}

/**
 * Changes the given fields. A new secret or URL applies from the next attempt. Activation and a new URL close the breaker. `resendMissed`
 * starts a redelivery of notifications that ended as ERRORED since the hook began to fail or became inactive, or in the 72 h before that;
 * the redelivery replaces an unfinished one. With `onlyWhereOff` an active hook is unchanged, so a repeated request sends nothing twice.
 * Rejects: INVALID_PARAMETER, HOOK_NOT_FOUND, HOOK_EXISTS. Source: decisions 7.
 */
export async function changeHook(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings' | 'dispatch'>,
  { appId, hookId }: Pick<Hook, 'appId' | 'hookId'>,
  { deliveryUrl, secret, eventTypes: named, active, resendMissed = false }: Static<typeof HookChanges>,
  { onlyWhereOff = false }: { readonly onlyWhereOff?: boolean } = {},
): Promise<Changed | Rejection> {
  const { db, clock, vault, settings, dispatch } = ports
  const problem = deliveryUrl === undefined ? null : rejectDeliveryUrl(deliveryUrl, settings)
  if (problem !== null) return rejectField('deliveryUrl', problem)
  const eventTypes = named && eventTypeSet(named)
  if (isRejection(eventTypes)) return eventTypes
  if (resendMissed && active !== true) return rejectField('resendMissed', 'requires active: true')
  return db.transaction(async ({ sql, afterCommit }) => {
    // As in registration: if two hooks become equal at the same time, one change is rejected.
    await lockHooksOfApp(sql, appId)
    const before = await findHook(sql, hookId, { isLocked: true })
    const sealed = await findSealedSecrets(sql, hookId)
    if (before === null || sealed === null) return hookNotFound()
    if (onlyWhereOff && before.active) return { hook: before }
    const held = openSecrets(vault, sealed)
    // A client that sends the masked URL back means no change.
    const isMoved = deliveryUrl !== undefined && deliveryUrl !== before.deliveryUrl
    const masked = isMoved ? rejectMasked(deliveryUrl) : null
    if (masked !== null) return masked
    const moved = isMoved ? hideQuery(deliveryUrl) : { deliveryUrl: before.deliveryUrl, query: held.query }
    // A secret that is replaced outright may have leaked: it signs nothing more.
    const now = clock.now()
    const { query: _, ...kept } = secret === undefined ? held : { secret, since: now.toISOString() }
    const secrets = { ...kept, ...given({ query: moved.query }) }
    const sealedSecrets = secret !== undefined || isMoved ? sealSecrets(vault, secrets) : null
    // Names each field, because a caller's body may hold any field, such as the owner of the hook.
    const wanted = changed(before, given({ deliveryUrl: moved.deliveryUrl, eventTypes, active }))
    const failingSince = (await findHookHealth(sql, [hookId])).get(hookId)?.failingSince
    const after = before.active && !wanted.active ? { ...wanted, offSince: failingSince ?? now } : wanted
    const mark = fingerprint(vault, revealQuery(after.deliveryUrl, secrets.query), after.eventTypes)
    const same = await findSameHook(sql, after, mark)
    if (same !== null && same.hookId !== hookId) {
      const words = `The hook ${same.hookId} has this deliveryUrl and these eventTypes; delete one of the two hooks first.`
      return reject('HOOK_EXISTS', words)
    }
    if (isSame(before, after) && sealedSecrets === null && !resendMissed) return { hook: before }
    const hook = { ...after, updatedAt: now }
    await saveHook(sql, hook, { sealedSecrets, fingerprint: mark })
    afterCommit(() => dispatch?.changed([hookId]))
    const begins = hook.active && (!before.active || isMoved)
    if (begins) await resetHookHealth(sql, [hookId])
    if (!resendMissed) return { hook }
    return { hook, ...(await resend(ports, sql, { hook, since: undeliveredSince(before, failingSince, now), now })) }
  })
}

/**
 * Resends by a job, because the number of notifications is unknown. The job does not count towards the limit of an app, because many hooks may
 * recover together. The job reads the whole history, because a replayed notification may be of any day.
 */
async function resend(
  { newId }: Pick<Ports, 'newId'>,
  sql: Sql,
  { hook, since, now }: { hook: Hook; since: Date; now: Date },
): Promise<{ redeliveryId: string }> {
  const { appId, businessId, hookId } = hook
  const unsentSince = await cancelMissed(sql, { appId, hookId, now })
  const job: Redelivery = {
    ...given({ redeliveryId: newId(), appId, businessId, hookId }),
    // A process with a fast clock may have recorded missed notifications. New notifications cannot have failed this early.
    ...{ startAt: oldestOf(now), endAt: new Date(now.getTime() + CLOCKS_APART_MS), status: 'ERRORED' },
    undeliveredSince: unsentSince !== null && unsentSince < since ? unsentSince : since,
    ...{ state: 'RUNNING', queued: 0, skipped: 0, createdAt: now, updatedAt: now },
  }
  await insertRedelivery(sql, job)
  return { redeliveryId: job.redeliveryId }
}

/** A hook that its developer activates or deactivates is no longer disabled by the service. */
function changed(
  { disabledReason, offSince, ...before }: Hook,
  change: Partial<Pick<Hook, 'deliveryUrl' | 'eventTypes' | 'active'>>,
): Hook {
  const after = { ...before, ...change }
  return {
    ...after,
    ...(disabledReason === undefined || change.active !== undefined ? {} : { disabledReason }),
    ...(offSince === undefined || after.active ? {} : { offSince }),
  }
}

function isSame(before: Hook, after: Hook): boolean {
  return JSON.stringify(keyOf(before)) === JSON.stringify(keyOf(after))
}

function keyOf({ deliveryUrl, eventTypes, active, disabledReason }: Hook) {
  return [deliveryUrl, eventTypes, active, disabledReason]
}

function undeliveredSince({ active, offSince }: Hook, failingSince: Date | undefined, now: Date): Date {
  return (active ? undefined : offSince) ?? failingSince ?? oldestOf(now)
}

function oldestOf(now: Date): Date {
  return addDays(now, -HISTORY_DAYS)
}
