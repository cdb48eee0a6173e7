import { addDays } from '../../core/calendar.ts'
import { CLOCKS_APART_MS } from '../../core/delivery.ts'
import { eventTypeSet, type Hook } from '../../core/hook.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { refuseDeliveryUrl } from '../../platform/egress/check-url.ts'
import type { Ports } from '../../ports.ts'
import { endMissed, resumeHook } from '../deliveries/store.ts'
import { hookNotFound } from '../hooks/get.ts'
import { findHookHealth } from '../hooks/health.ts'
import { sealSecret } from '../hooks/secret.ts'
import { findSameHook, lockHook, lockHooksOfApp, saveHook } from '../hooks/store.ts'
import { HISTORY_DAYS } from '../notifications/scope.ts'
import type { Redelivery } from './redelivery.ts'
import { cancelMissed, insertRedelivery, resumeRunning } from './store.ts'

export interface HookChange {
  readonly deliveryUrl?: string
  readonly secret?: string
  readonly eventTypes?: readonly string[]
  readonly active?: boolean
  /** With `active: true`. */
  readonly resendMissed?: boolean
}

export interface Changed {
  readonly hook: Hook
  /** The job that sends what was missed, where that was asked for. */
  readonly redeliveryId?: string
}

/**
 * Changes what is given and leaves the rest; a secret and a URL are used from the next attempt on. A hook that begins to
 * listen again, or at another URL, has its breaker closed and what waits for its first attempt due at once. Of one that the service had disabled, or
 * that is to be sent what it missed, what waits ends instead: it was missed, too. Redeliveries of it that waited go on. `resendMissed` begins one of what ended
 * as ERRORED since the hook began to fail or was made inactive, or was recorded in the 72 h before; of one that is well, in the days of the history. It
 * takes the place of the one before, where that is under way, with all that this was to send. With `onlyWhereOff` nothing is done to
 * one that listens already, so that who asks twice is sent what was missed once. Refuses: INVALID_PARAMETER, HOOK_NOT_FOUND, HOOK_EXISTS. Source: decisions 7.
 */
export async function changeHook(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings' | 'wake' | 'telemetry' | 'handOff'>,
  { appId, hookId }: Pick<Hook, 'appId' | 'hookId'>,
  { deliveryUrl, secret, eventTypes: named, active, resendMissed = false }: HookChange,
  { onlyWhereOff = false }: { readonly onlyWhereOff?: boolean } = {},
): Promise<Changed | Rejection> {
  const { db, clock, vault, settings, wake, telemetry: watch, handOff } = ports
  const problem = deliveryUrl === undefined ? null : refuseDeliveryUrl(deliveryUrl, settings)
  if (problem !== null) return rejectField('deliveryUrl', problem)
  const eventTypes = named && eventTypeSet(named)
  if (isRejection(eventTypes)) return eventTypes
  if (resendMissed && active !== true) return rejectField('resendMissed', 'is sent together with active: true')
  const sealedSecret = secret === undefined ? null : sealSecret(vault, secret)
  return db.transaction(async ({ sql, afterCommit }) => {
    // As registering does: of two that become the same at once, one is refused.
    await lockHooksOfApp(sql, appId)
    const before = await lockHook(sql, hookId)
    if (before === null) return hookNotFound()
    if (onlyWhereOff && before.active) return { hook: before }
    const now = clock.now()
    // Each by its name: a caller's body can hold any field, as whose hook it is.
    const wanted = changed(before, {
      ...(deliveryUrl === undefined ? {} : { deliveryUrl }),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      ...(active === undefined ? {} : { active }),
    })
    const failingSince = (await findHookHealth(sql, [hookId])).get(hookId)?.failingSince
    const after = before.active && !wanted.active ? { ...wanted, offSince: failingSince ?? now } : wanted
    const same = await findSameHook(sql, after)
    if (same !== null && same.hookId !== hookId) {
      return reject(
        'HOOK_EXISTS',
        `The hook ${same.hookId} has this deliveryUrl and these eventTypes; delete one first.`,
      )
    }
    if (isSame(before, after) && sealedSecret === null && !resendMissed) return { hook: before }
    const hook = { ...after, updatedAt: now }
    await saveHook(sql, hook, sealedSecret)
    afterCommit(() => handOff?.forget([hookId]))
    const begins = hook.active && (!before.active || hook.deliveryUrl !== before.deliveryUrl)
    // Before its queue: a batch takes both in this order, and each would wait for the other.
    if (begins) await resumeRunning(sql, { appId, hookId, now })
    const resent = resendMissed
      ? await resend(ports, sql, { hook, since: missedSince(before, failingSince, now), now })
      : {}
    const wasDisabled = before.disabledReason !== undefined && hook.disabledReason === undefined
    // Decisions 7: "re-enabling resends what was missed if asked to", and then all of it the oldest first.
    const wasMissed = wasDisabled || (resendMissed && !before.active)
    if (begins || resendMissed) {
      const missed = await resumeHook(sql, hookId, { wasMissed, now })
      afterCommit(() => watch?.gaveUp(missed))
      afterCommit(() => wake.deliveries([hookId]))
    } else if (wasMissed) {
      const missed = await endMissed(sql, hookId, now)
      afterCommit(() => watch?.gaveUp(missed))
    }
    return { hook, ...resent }
  })
}

/**
 * A job, as there is no telling how many they are. Not counted against those that an app may have: many hooks may come back together. It looks at
 * all of the history, as what was sent again and has ended may be of any day.
 */
async function resend(
  { newId }: Pick<Ports, 'newId'>,
  sql: Sql,
  { hook, since, now }: { hook: Hook; since: Date; now: Date },
): Promise<{ redeliveryId: string }> {
  const { appId, businessId, hookId } = hook
  const unsentSince = await cancelMissed(sql, { appId, hookId, now })
  const job: Redelivery = {
    ...{ redeliveryId: newId(), appId, ...(businessId === undefined ? {} : { businessId }), hookId },
    // What was missed may have been recorded on a clock that is ahead; what is told from now on has not failed so soon.
    ...{ startAt: oldestOf(now), endAt: new Date(now.getTime() + CLOCKS_APART_MS), status: 'ERRORED' },
    missedSince: unsentSince !== null && unsentSince < since ? unsentSince : since,
    ...{ state: 'RUNNING', later: {}, queued: 0, skipped: 0, createdAt: now, updatedAt: now },
  }
  await insertRedelivery(sql, job)
  return { redeliveryId: job.redeliveryId }
}

/** Whose listener was switched off or on by its developer is not disabled by the service any more. */
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

function missedSince({ active, offSince }: Hook, failingSince: Date | undefined, now: Date): Date {
  return (active ? undefined : offSince) ?? failingSince ?? oldestOf(now)
}

function oldestOf(now: Date): Date {
  return addDays(now, -HISTORY_DAYS)
}
