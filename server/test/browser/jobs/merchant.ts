import type { World } from '../../support/world.ts'
import type { Job } from './job.ts'

/** A business on a clock with two terminals, two subscriptions and a declined payment. Gives its id. */
export async function openShop(world: World, tag: string): Promise<string> {
  const shop = await world.merchant({ at: '2026-01-31T00:00:00Z' })
  const { businessId } = shop
  await world.call('PATCH', `/businesses/${businessId}`, { doingBusinessAs: `Kiosk ${tag}` })
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Pier 4' })
  const devices = `/businesses/${businessId}/stores/${storeId}/devices`
  const { deviceId } = await world.call('POST', devices, { name: 'Till 1', serialNumber: `1-${tag}` })
  await world.call('POST', devices, { name: 'Till 2', serialNumber: `2-${tag}` })
  const kiosk = await world.plan({ name: `Kiosk ${tag}`, interval: 'YEAR', scope: 'DEVICE' })
  await world.call('POST', `/apps/${world.appId}/subscriptions`, { businessId, planId: kiosk, deviceId })
  const basic = await world.plan({ name: `Basic ${tag}`, cancelPolicy: 'BILLING' })
  await world.plan({
    name: `Large ${tag}`,
    cancelPolicy: 'BILLING',
    amounts: [{ country: 'US', currency: 'USD', value: 2_000 }],
  })
  await shop.renewWith(basic, 'tok_insufficient_funds')
  await world.call('POST', `/businesses/${businessId}/approvals`, { appId: world.appId })
  return businessId
}

/** Portal 5. */
export const MERCHANT_JOBS: readonly Job[] = [
  [
    'add a card, which pays what is due',
    async who => {
      await who.go('Payment methods')
      await who.press('Add a payment method')
      await who.check(/^A card that works/)
      await who.press('Add this card')
      await who.see(/^Paid: /)
    },
  ],
  [
    'make another card the default, and remove a card',
    async who => {
      await who.press(/^Remove Test card insufficient funds/)
      await who.press('Remove')
      await who.see('This card is never charged again.')
    },
  ],
  [
    'change the plan after a look at the price',
    async (who, { tag }) => {
      await who.go('Subscriptions')
      await who.press(new RegExp(`^Details of Basic ${tag}`))
      await who.press('Change plan')
      await who.check(new RegExp(`^Large ${tag}`))
      await who.check(/^Now/)
      await who.press('See what it costs')
      await who.press(/and change now$/)
      await who.see(`You are on Large ${tag} now`)
    },
  ],
]
