import { findApp } from '../../catalog/apps/store.ts'
import { given } from '../../core/given.ts'
import { eventTypeSet, type Hook, MAX_HOOKS } from '../../core/hook.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { rejectDeliveryUrl } from '../../platform/egress/check-url.ts'
import type { Ports } from '../../ports.ts'
import { endDeliveriesOfHook } from '../deliveries/store.ts'
import { hookNotFound } from '../hooks/get.ts'
import { resetHookHealth } from '../hooks/health.ts'
import { fingerprint, hideQuery, rejectMasked, sealSecrets } from '../hooks/secret.ts'
import { countHooks, deleteHookRow, findSameHook, insertHook, lockHooksOfApp, renewHook } from '../hooks/store.ts'

interface RegisterInput {
  readonly appId: string
  /** The wire's businessId: a merchant, or the app's own organization, which equals none. */
  readonly businessId?: string
  readonly deliveryUrl: string
  readonly secret: string
  readonly eventTypes: readonly string[]
  /** The only merchant that the caller may act for. */
  readonly callerOf?: string
}

interface Registered {
  readonly hook: Hook
  /** False: the same hook was there, and has the new secret now. */
  readonly isNew: boolean
}

/**
 * Registers a hook. A request with the same app, business, URL and set of event types returns the existing hook with the new secret, active, with its
 * breaker closed. Simultaneous registrations create one hook, and an app and business never have more than 50. Rejects: INVALID_PARAMETER,
 * APPLICATION_NOT_FOUND, FORBIDDEN, TOO_MANY_HOOKS. Source: decisions 7.
 */
export async function registerHook(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings' | 'dispatch'>,
  input: RegisterInput,
): Promise<Registered | Rejection> {
  const { db, clock, newId, vault, settings, dispatch } = ports
  const problem = rejectDeliveryUrl(input.deliveryUrl, settings)
  if (problem !== null) return rejectField('deliveryUrl', problem)
  const masked = rejectMasked(input.deliveryUrl)
  if (masked !== null) return masked
  const eventTypes = eventTypeSet(input.eventTypes)
  if (isRejection(eventTypes)) return eventTypes
  const app = await findApp(db.sql, input.appId)
  if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this applicationId.')
  const businessId = input.businessId === app.organizationId ? undefined : input.businessId
  if (input.callerOf !== undefined && input.callerOf !== businessId) {
    return reject('FORBIDDEN', 'A token for one business registers hooks of that business only: send its businessId.')
  }

  const { appId, secret } = input
  const { deliveryUrl, query } = hideQuery(input.deliveryUrl)
  const wanted = given({ appId, businessId, deliveryUrl, eventTypes })
  const since = clock.now().toISOString()
  const sealedSecrets = sealSecrets(vault, given({ secret, since, query }))
  const mark = fingerprint(vault, input.deliveryUrl, eventTypes)
  return db.transaction(async ({ sql, afterCommit }) => {
    await lockHooksOfApp(sql, appId)
    const now = clock.now()
    const same = await findSameHook(sql, wanted, mark)
    const renewed = same && (await renewHook(sql, { hookId: same.hookId, sealedSecrets, now }))
    if (renewed) {
      const { hookId } = renewed
      // Decisions 7: "secret replaced, active, breaker reset".
      await resetHookHealth(sql, [hookId])
      afterCommit(() => dispatch?.changed([hookId]))
      return { hook: renewed, isNew: false }
    }
    if ((await countHooks(sql, wanted)) >= MAX_HOOKS) {
      return reject('TOO_MANY_HOOKS', `An app has at most ${MAX_HOOKS} hooks for one business; delete one first.`)
    }
    const hook: Hook = { hookId: newId(), ...wanted, active: true, createdAt: now, updatedAt: now }
    await insertHook(sql, hook, { sealedSecrets, fingerprint: mark })
    return { hook, isNew: true }
  })
}

/**
 * Deletes a hook and ends its queued deliveries as ERRORED `hook_deleted` in the same transaction. `deliveries/end-undeliverable.ts` ends the
 * rest of a long queue and a notification recorded at the same moment; neither is sent. Rejects: HOOK_NOT_FOUND. Source: decisions 7.
 */
export async function deleteHook(
  { db, clock, telemetry, dispatch }: Pick<Ports, 'db' | 'clock' | 'telemetry' | 'dispatch'>,
  hookId: string,
): Promise<Rejection | undefined> {
  return db.transaction(async ({ sql, afterCommit }) => {
    if (!(await deleteHookRow(sql, hookId))) return hookNotFound()
    const ended = await endDeliveriesOfHook(sql, { hookId, reason: 'hook_deleted', now: clock.now() })
    await resetHookHealth(sql, [hookId])
    afterCommit(() => dispatch?.changed([hookId]))
    afterCommit(() => telemetry?.gaveUp(ended))
  })
}
