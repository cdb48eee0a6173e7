import type { Static } from 'typebox'
import { addDays, parseInstant } from '../../core/calendar.ts'
import { given } from '../../core/given.ts'
import { NO_INSTANT } from '../../core/page.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { getHook, hookNotFound } from '../hooks/get.ts'
import { hasActiveHook } from '../hooks/store.ts'
import { HISTORY_DAYS } from '../notifications/scope.ts'
import { hookInactive, type Redelivery, redeliveryNotFound } from './redelivery.ts'
import type { RedeliverBody } from './schema.ts'
import {
  cancelRunning,
  countRunning,
  findRedelivery,
  insertRedelivery,
  lockRedeliveriesOfApp,
  type RedeliveryBounds,
} from './store.ts'

/** Instants are still text. `since` is another word for `startAt`. */
interface StartInput extends Static<typeof RedeliverBody> {
  readonly appId: string
  /** From a form: a second request with the same id gets the job of the first. */
  readonly redeliveryId?: string
}

/** Each job scans its range; more jobs would only take turns. */
const RUNNING_AT_MOST = 10

/**
 * Begins to send a range of notifications again, as a job that outlives a restart. Without `endAt` the range ends now, so a listener that was
 * unavailable names only the beginning. Notifications that are older than the history are not sent. Rejects: MISSING_PARAMETER,
 * INVALID_PARAMETER, HOOK_NOT_FOUND, HOOK_INACTIVE, TOO_MANY_REDELIVERIES. Source: decisions 7.
 */
export async function startRedelivery(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  principal: Principal,
  { appId, hookId, status, redeliveryId, businessId = businessOf(principal), ...instants }: StartInput,
): Promise<Redelivery | Rejection> {
  const now = clock.now()
  const range = rangeOf(instants, now)
  if (isRejection(range)) return range
  const of = given({ appId, businessId })
  return db.transaction(async ({ sql }) => {
    const rejection = await rejectHooks(sql, principal, { ...of, ...given({ hookId }) })
    if (rejection) return rejection
    await lockRedeliveriesOfApp(sql, appId)
    const started = redeliveryId === undefined ? null : await findRedelivery(sql, redeliveryId, of)
    if (started !== null) return started
    if ((await countRunning(sql, appId)) >= RUNNING_AT_MOST) {
      const words = `An app has at most ${RUNNING_AT_MOST} redeliveries under way: wait for one, or cancel one.`
      return reject('TOO_MANY_REDELIVERIES', words)
    }
    const job: Redelivery = {
      ...{ redeliveryId: redeliveryId ?? newId(), ...of, ...range },
      ...given({ hookId, status }),
      ...{ state: 'RUNNING', queued: 0, skipped: 0, createdAt: now, updatedAt: now },
    }
    return (await insertRedelivery(sql, job)) ? job : redeliveryNotFound()
  })
}

/** A token for one business is about that business, even without a parameter. */
export function businessOf(principal: Principal): string | undefined {
  return principal.kind === 'app' ? principal.businessId : undefined
}

function rangeOf(
  { startAt, since, endAt }: Pick<StartInput, 'startAt' | 'since' | 'endAt'>,
  now: Date,
): Pick<Redelivery, 'startAt' | 'endAt'> | Rejection {
  const [field, text] = startAt === undefined ? ['since', since] : ['startAt', startAt]
  if (text === undefined) {
    const fields = [{ path: 'startAt', problem: 'is required, unless since is sent' }]
    return reject('MISSING_PARAMETER', 'startAt: is required, unless since is sent', { fields })
  }
  const from = parseInstant(text)
  if (from === null) return rejectField(field, NO_INSTANT)
  if (startAt !== undefined && since !== undefined && startAt !== since) {
    return rejectField('since', 'is an alias of startAt: send only one of them')
  }
  const until = endAt === undefined ? now : parseInstant(endAt)
  if (until === null) return rejectField('endAt', NO_INSTANT)
  if (from >= now) return rejectField(field, 'must be in the past')
  if (until <= from) return rejectField('endAt', 'must be after startAt')
  const oldest = addDays(now, -HISTORY_DAYS)
  const start = from > oldest ? from : oldest
  const end = until < now ? until : now
  return { startAt: start, endAt: end > start ? end : start }
}

async function rejectHooks(
  sql: Sql,
  principal: Principal,
  { hookId, ...of }: { appId: string; businessId?: string; hookId?: string },
): Promise<Rejection | undefined> {
  if (hookId === undefined) {
    if (await hasActiveHook(sql, of)) return undefined
    const words = 'The app has no active hook: POST /hooks creates one, or PATCH one with active: true.'
    return reject('HOOK_INACTIVE', words)
  }
  const hook = await getHook(sql, hookId, principal)
  if (isRejection(hook)) return hook
  if (hook.appId !== of.appId) return hookNotFound()
  return hook.active ? undefined : hookInactive()
}

/** Stops a job from queuing more; queued deliveries are still sent. An ended job is unchanged. Rejects: REDELIVERY_NOT_FOUND. */
export async function cancelRedelivery(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  redeliveryId: string,
  of: RedeliveryBounds,
): Promise<Redelivery | Rejection> {
  return db.transaction(async ({ sql }) => {
    await cancelRunning(sql, redeliveryId, of, clock.now())
    return (await findRedelivery(sql, redeliveryId, of)) ?? redeliveryNotFound()
  })
}
