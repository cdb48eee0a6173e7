import type { Tillhook } from '../../../sdk/typescript/src/index.ts'
import type { Call, Command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { saveProfile } from '../profile.ts'
import { connect } from '../service.ts'
import { addCard, makeTestMerchant, moveClock, moved, type TestMerchant } from '../test-merchant.ts'
import { type TestPlan, testPlan } from '../test-plans.ts'

interface Scene {
  readonly tillhook: Tillhook
  readonly appId: string
  readonly merchant: TestMerchant
}

/** The steps that cause each event. Returns the id of the subscription or order. */
const SCENES: Readonly<Record<string, (scene: Scene) => Promise<string>>> = {
  APPLICATION_SUBSCRIPTION_START: scene => subscribe(scene, 'monthly'),
  APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS: scene => subscribe(scene, 'monthly'),
  APPLICATION_SUBSCRIPTION_PAYMENT_FAIL: async scene => {
    const subscriptionId = await subscribe(scene, 'monthly', { card: 'tok_fail_after_1' })
    await pass(scene, '1mo')
    return subscriptionId
  },
  APPLICATION_SUBSCRIPTION_END: async scene => {
    const subscriptionId = await subscribe(scene, 'monthly')
    await scene.tillhook.cancelSubscription({ appId: scene.appId, subscriptionId })
    return subscriptionId
  },
  APPLICATION_SUBSCRIPTION_PHASE_CHANGE: async scene => {
    const subscriptionId = await subscribe(scene, 'trial')
    await pass(scene, '14d')
    return subscriptionId
  },
  APPLICATION_SUBSCRIPTION_REFUND_SUCCESS: async scene => {
    const subscriptionId = await subscribe(scene, 'monthly')
    await scene.tillhook.refundInvoice(await firstInvoice(scene))
    return subscriptionId
  },
  APPLICATION_SUBSCRIPTION_DISPUTE_OPENED: scene => dispute(scene, 'OPEN'),
  APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED: scene => dispute(scene, 'LOST'),
  APPLICATION_SUBSCRIPTION_TRIAL_ENDING: async scene => {
    const subscriptionId = await subscribe(scene, 'trial')
    await pass(scene, '12d')
    return subscriptionId
  },
  APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED: async scene => {
    const subscriptionId = await subscribe(scene, 'untilPeriodEnd')
    await scene.tillhook.cancelSubscription({ appId: scene.appId, subscriptionId })
    return subscriptionId
  },
  APPLICATION_SUBSCRIPTION_RESTORED: async scene => {
    const { tillhook, appId } = scene
    const subscriptionId = await subscribe(scene, 'untilPeriodEnd')
    await tillhook.cancelSubscription({ appId, subscriptionId })
    await tillhook.restoreSubscription({ appId, subscriptionId })
    return subscriptionId
  },
  APPLICATION_SUBSCRIPTION_PLAN_CHANGE: async scene => {
    const { tillhook, appId } = scene
    const subscriptionId = await subscribe(scene, 'monthly')
    const planId = await testPlan(tillhook, appId, 'larger')
    await tillhook.changeSubscription({ appId, subscriptionId, body: { planId, when: 'NOW' } })
    return subscriptionId
  },
  APPLICATION_SUBSCRIPTION_TRANSFERRED: async scene => {
    const { tillhook, appId } = scene
    const { storeId, deviceId, addDevice } = await openStore(scene)
    const subscriptionId = await subscribe(scene, 'perDevice', { at: { storeId, deviceId } })
    await tillhook.changeSubscription({ appId, subscriptionId, body: { deviceId: await addDevice('Till 2') } })
    return subscriptionId
  },
  ORDER_OPENED: openOrder,
  ORDER_COMPLETED: scene => changeOrder(scene, { status: 'COMPLETED' }),
  ORDER_CANCELLED: scene => changeOrder(scene, { status: 'CANCELLED' }),
  ORDER_UPDATED: scene => changeOrder(scene, { reference: 'Table 7' }),
}

export const EVENTS: readonly string[] = Object.keys(SCENES)

export const trigger: Command = {
  name: 'trigger',
  summary: 'Cause a real event on a new test merchant',
  takes: ['<event>'],
  values: EVENTS,
  examples: [
    'tillhook trigger APPLICATION_SUBSCRIPTION_START',
    'tillhook trigger APPLICATION_SUBSCRIPTION_PAYMENT_FAIL   # advances the clock a month; the card declines',
    "tillhook trigger APPLICATION_SUBSCRIPTION_DISPUTE_OPENED   # the payer's bank reclaims the first payment",
    'tillhook trigger ORDER_COMPLETED --json',
  ],
  async run(call: Call) {
    const { args, env, terminal } = call
    const name = args[0]?.toUpperCase() ?? ''
    const play = SCENES[name]
    if (play === undefined)
      throw new UsageError(`there is no event ${args[0]}. Events:\n  ${EVENTS.join('\n  ')}\nChoose one`)
    const service = await connect(call)
    const { tillhook } = service
    const appId = await service.appId()
    const merchant = await makeTestMerchant(tillhook, appId)
    const resourceId = await play({ tillhook, appId, merchant })
    await saveProfile(env, { merchant: merchant.businessId })
    terminal.say(`${terminal.paint.green('✓')} ${name} happened`)
    terminal.say(`  resource ${resourceId}`)
    terminal.say(`  merchant ${merchant.businessId} (move its clock: tillhook clock advance 1mo)`)
    terminal.json({ eventType: name, resourceId, appId, ...merchant })
  },
}

async function subscribe(
  { tillhook, appId, merchant }: Scene,
  plan: TestPlan,
  { card = 'tok_ok', at = {} }: { card?: string; at?: { storeId?: string; deviceId?: string } } = {},
): Promise<string> {
  const planId = await testPlan(tillhook, appId, plan)
  await addCard(tillhook, merchant, card)
  const { businessId } = merchant
  const made = await tillhook.subscribe({ appId, body: { businessId, planId, ...at } })
  if (!('subscriptionId' in made) || made.subscriptionId === undefined)
    throw new Error('the merchant must confirm first')
  return made.subscriptionId
}

async function firstInvoice({ tillhook, merchant: { businessId } }: Scene) {
  const { list } = await tillhook.listInvoices({ businessId })
  return { businessId, invoiceId: list[0]?.invoiceId ?? '' }
}

async function dispute(scene: Scene, status: 'OPEN' | 'LOST'): Promise<string> {
  const subscriptionId = await subscribe(scene, 'monthly')
  await scene.tillhook.disputeInvoice({ ...(await firstInvoice(scene)), body: { status } })
  return subscriptionId
}

async function pass({ tillhook, merchant }: Scene, by: string): Promise<void> {
  const { now } = await tillhook.getTestClock({ testClockId: merchant.testClockId })
  await moveClock(tillhook, merchant.testClockId, moved(new Date(now), by))
}

async function openStore({ tillhook, merchant: { businessId } }: Scene) {
  const { storeId } = await tillhook.addStore({ businessId, body: { displayName: 'CLI Test Store' } })
  const addDevice = async (name: string) => {
    const body = { name, serialNumber: `CLI-${crypto.randomUUID()}` }
    return (await tillhook.addDevice({ businessId, storeId, body })).deviceId
  }
  return { storeId, deviceId: await addDevice('Till 1'), addDevice }
}

async function openOrder(scene: Scene): Promise<string> {
  const { storeId, deviceId } = await openStore(scene)
  const { businessId } = scene.merchant
  const { orderId } = await scene.tillhook.openOrder({ businessId, body: { storeId, deviceId } })
  return orderId
}

async function changeOrder(scene: Scene, body: { status?: 'COMPLETED' | 'CANCELLED'; reference?: string }) {
  const orderId = await openOrder(scene)
  await scene.tillhook.updateOrder({ businessId: scene.merchant.businessId, orderId, body })
  return orderId
}
