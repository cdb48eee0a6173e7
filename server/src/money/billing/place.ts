import { assert } from '../../core/assert.ts'
import { isSeenFrom } from '../../core/place.ts'
import type { Plan } from '../../core/plan.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Place } from '../../core/subscription.ts'
import { findDevice, findStore } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'

type Asked = Place & { readonly businessId: string }

/**
 * Interface, Plan: scope. A store plan is for one store, a device plan for one device, a business plan for neither. Refuses what is not
 * seen from where the caller is, also where a device alone was named: its store is known only now.
 */
export async function placeOf(
  sql: Sql,
  plan: Pick<Plan, 'scope'>,
  { seenFrom = {}, ...asked }: Asked & { readonly seenFrom?: Place },
): Promise<Place | Rejection> {
  const place = await findPlace(sql, plan, asked)
  if (isRejection(place) || isSeenFrom(seenFrom, place)) return place
  return reject('FORBIDDEN', 'The token is of another store or device.')
}

async function findPlace(
  sql: Sql,
  plan: Pick<Plan, 'scope'>,
  { businessId, storeId, deviceId }: Asked,
): Promise<Place | Rejection> {
  if (plan.scope === 'BUSINESS') return {}
  if (plan.scope === 'STORE') {
    if (storeId === undefined) return missing('storeId', 'STORE')
    const store = await findStore(sql, businessId, storeId)
    if (store === null || store.status === 'CLOSED')
      return reject('STORE_NOT_FOUND', 'The business has no open store with this storeId.')
    return { storeId }
  }
  assert(plan.scope === 'DEVICE', 'a plan has one of three scopes')
  if (deviceId === undefined) return missing('deviceId', 'DEVICE')
  const device = await findDevice(sql, businessId, deviceId)
  if (device === null || device.status === 'CLOSED')
    return reject('DEVICE_NOT_FOUND', 'The business has no open device with this deviceId.')
  if (storeId !== undefined && storeId !== device.storeId)
    return rejectField('storeId', 'the device is in another store')
  return { storeId: device.storeId, deviceId }
}

function missing(path: string, scope: string): Rejection {
  const problem = `required: the plan has scope ${scope}`
  return reject('MISSING_PARAMETER', `${path} is ${problem}.`, { fields: [{ path, problem }] })
}
