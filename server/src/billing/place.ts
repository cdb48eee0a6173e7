import { findDevice, findStore } from '../businesses/store.ts'
import { assert } from '../core/assert.ts'
import type { Plan } from '../core/plan.ts'
import { type Refusal, refuse, refuseField } from '../core/refusal.ts'
import type { Place } from '../core/subscription.ts'
import type { Sql } from '../db/db.ts'

/** Interface, Plan: scope. A store plan is for one store, a device plan for one device, a business plan for neither. */
export async function placeOf(
  sql: Sql,
  plan: Pick<Plan, 'scope'>,
  { businessId, storeId, deviceId }: Place & { readonly businessId: string },
): Promise<Place | Refusal> {
  if (plan.scope === 'BUSINESS') return {}
  if (plan.scope === 'STORE') {
    if (storeId === undefined) return missing('storeId', 'STORE')
    const store = await findStore(sql, businessId, storeId)
    if (store === null || store.status === 'CLOSED')
      return refuse('STORE_NOT_FOUND', 'The business has no open store with this storeId.')
    return { storeId }
  }
  assert(plan.scope === 'DEVICE', 'a plan has one of three scopes')
  if (deviceId === undefined) return missing('deviceId', 'DEVICE')
  const device = await findDevice(sql, businessId, deviceId)
  if (device === null || device.status === 'CLOSED')
    return refuse('DEVICE_NOT_FOUND', 'The business has no open device with this deviceId.')
  if (storeId !== undefined && storeId !== device.storeId)
    return refuseField('storeId', 'the device is in another store')
  return { storeId: device.storeId, deviceId }
}

function missing(path: string, scope: string): Refusal {
  const problem = `required: the plan has scope ${scope}`
  return refuse('MISSING_PARAMETER', `${path} is ${problem}.`, { fields: [{ path, problem }] })
}
