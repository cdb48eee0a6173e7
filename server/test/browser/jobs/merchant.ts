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

/** Portal 5: what a merchant pays. */
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
  [
    'cancel with a reason, and keep the subscription after all',
    async who => {
      await who.press('Cancel subscription')
      await who.choose('Why do you cancel?', 'Too expensive')
      await who.fill('Anything that the developer should know?', 'We close in winter.')
      await who.press('Cancel subscription')
      await who.press('Keep it after all')
      await who.see('Your subscription continues')
    },
  ],
]

/** Portal 5: the rest. */
export const SHOP_JOBS: readonly Job[] = [
  [
    'move a subscription to another terminal',
    async (who, { tag }) => {
      await who.go('Subscriptions')
      await who.press(new RegExp(`^Details of Kiosk ${tag}`))
      await who.press('Move to another terminal')
      await who.check(/^Till 2/)
      await who.press('Move subscription')
      await who.see(/^The subscription is for/)
    },
  ],
  [
    'find an app and compare its plans',
    async (who, { tag }) => {
      await who.go('Apps')
      await who.press('Find apps')
      await who.fill('Name of the app', 'Stories')
      await who.press('Search')
      await who.press(/Stories/)
      await who.see(`Basic ${tag}`)
      await who.see('Subscribed')
    },
  ],
  [
    'end the access of an app',
    async who => {
      await who.go('Apps')
      await who.press('End access of Stories')
      await who.press('End access')
      await who.see(/ended|no longer/i)
    },
  ],
  [
    'read an invoice',
    async who => {
      await who.go('Invoices')
      await who.press(/^T-20\d\d-/)
      await who.press('All invoices')
    },
  ],
  [
    'add, change and remove a cashier',
    async who => {
      await who.go('Staff')
      await who.press('Add a person')
      await who.fill('Name', 'Kim')
      await who.fill('User ID', 'kim')
      await who.fill('Passcode', '4711')
      await who.check(/^Manager/)
      await who.press('Add the person')
      await who.press(/Kim/)
      await who.press(/^Remove/)
      await who.press(/^Remove/)
      await who.see('No staff yet')
    },
  ],
  [
    'save the company data and the language of mails',
    async who => {
      await who.go('Company')
      await who.fill('Billing e-mail', 'books@kiosk.example')
      await who.fill('City', 'Hamburg')
      await who.check('Deutsch')
      await who.check('Receipts', false)
      await who.press('Save')
      await who.see(/saved/i)
    },
  ],
  [
    'close a terminal, and see why its store stays open',
    async (who, { tag }) => {
      await who.go('Terminals')
      await who.press('Close Till 2')
      await who.see(/^These subscriptions go on/)
      await who.press('Close the terminal')
      await who.see('Terminal closed')
      await who.press('Close the store Pier 4')
      await who.see(/Move or cancel the subscription first/)
      await who.press(new RegExp(`Kiosk ${tag}$`))
      await who.press('Move to another terminal')
    },
  ],
]
