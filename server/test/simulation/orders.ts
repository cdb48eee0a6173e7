import type { Operation } from './operations.ts'
import type { Play } from './play.ts'
import type { Random } from './random.ts'

const FIELDS = [
  { amount: 1_250, currency: 'USD' },
  { amount: 0, currency: 'JPY' },
  { reference: 'table 4' },
  { note: 'no onions' },
] as const

/** Daily actions of terminals. Some edits meet a closed order or another business's order, or change nothing. */
export const ORDER_OPERATIONS: readonly Operation[] = [
  {
    name: 'open order',
    weight: 3,
    make: ({ locations }, random) => {
      const { businessId, storeId, deviceId } = random.pick(locations)
      return {
        method: 'POST',
        path: `/businesses/${businessId}/orders`,
        body: { storeId, deviceId, ...random.pick(FIELDS) },
      }
    },
  },
  {
    name: 'edit order',
    weight: 2,
    make: ({ orders, businessIds }, random) => {
      if (orders.length === 0) return null
      const open = orders.filter(({ status }) => status === 'OPENED')
      const { orderId, businessId } = random.pick(open.length > 0 && random.chance(0.8) ? open : orders)
      const of = random.chance(0.95) ? businessId : random.pick(businessIds)
      return { method: 'PATCH', path: `/businesses/${of}/orders/${orderId}`, body: editBy(random) }
    },
  },
]

/** Several people edit one order at the same time. */
export async function crowdOrder(play: Play): Promise<void> {
  const { random } = play
  const { orders } = await play.scene()
  const open = orders.filter(({ status }) => status === 'OPENED')
  if (open.length === 0) return
  const { orderId, businessId } = random.pick(open)
  const path = `/businesses/${businessId}/orders/${orderId}`
  for (let n = 2 + random.below(2); n > 0; n--) play.ask('edit order', { method: 'PATCH', path, body: editBy(random) })
}

function editBy(random: Random): object {
  const status = random.pick([undefined, undefined, 'COMPLETED', 'CANCELLED', 'OPENED'] as const)
  return { ...(random.chance(0.8) && random.pick(FIELDS)), ...(status && { status }) }
}
