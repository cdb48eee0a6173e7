import type { AtGateway } from './at-gateway.ts'
import { CLOCK_OPERATIONS } from './clocks.ts'
import { ORDER_OPERATIONS } from './orders.ts'
import type { Platform } from './platform.ts'
import type { Random } from './random.ts'

/** The resources of a run that merchants, developers and the operator can see and use. */
export interface Scene {
  readonly platform: Platform
  /** The gateway of the run. */
  readonly there: Pick<AtGateway, 'name' | 'tokens'>
  /** The operator disabled the app. */
  readonly isDisabled: boolean
  /** The backlog of an outage waits for the operator. */
  readonly hasBacklog: boolean
  readonly businessIds: readonly string[]
  readonly subscriptions: readonly SubscriptionSeen[]
  readonly invoices: readonly { readonly invoiceId: string; readonly businessId: string; readonly amountPaid: number }[]
  readonly openInvoices: readonly { readonly invoiceId: string; readonly businessId: string }[]
  readonly paymentMethods: readonly { readonly businessId: string; readonly paymentMethodId: string }[]
  readonly orders: readonly { readonly orderId: string; readonly businessId: string; readonly status: string }[]
  readonly clocks: readonly { readonly testClockId: string; readonly now: Date }[]
  /** Terminals, and the stores where they stand. */
  readonly locations: readonly { readonly businessId: string; readonly storeId: string; readonly deviceId: string }[]
}

export interface SubscriptionSeen {
  readonly subscriptionId: string
  readonly businessId: string
  readonly planId: string
  readonly status: string
  /** The business is on a test clock. */
  readonly isOnClock: boolean
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** A repeated request has another effect. */
  readonly isNotKept?: true
}

/** Null: the scene has no resource for the operation. */
type Make = (scene: Scene, random: Random) => Request | null

export interface Operation {
  readonly name: string
  readonly weight: number
  readonly make: Make
}

/** People's actions and their frequency. A new action is one line here. */
export const OPERATIONS: readonly Operation[] = [
  ...ORDER_OPERATIONS,
  ...CLOCK_OPERATIONS,
  {
    name: 'subscribe',
    weight: 10,
    make: ({ platform, businessIds, locations }, random) => {
      const businessId = random.pick(businessIds)
      const { planId, scope } = random.pick(platform.plans)
      const location = random.pick(locations.filter(location => location.businessId === businessId))
      const at = { BUSINESS: {}, STORE: { storeId: location.storeId }, DEVICE: { deviceId: location.deviceId } }[scope]
      return { method: 'POST', path: `/apps/${platform.appId}/subscriptions`, body: { businessId, planId, ...at } }
    },
  },
  { name: 'cancel or restore', weight: 5, make: ofOne((_scene, random) => cancelOrRestore(random)) },
  { name: 'operator ends', weight: 1, make: ofOne(() => ({ method: 'POST', act: '/end' })) },
  { name: 'change plan', weight: 8, make: ofOne(planChange) },
  {
    name: 'move',
    weight: 2,
    make: ofOne(({ locations }, random, { businessId }) => {
      const own = locations.filter(location => location.businessId === businessId)
      const { deviceId, storeId } = random.pick(random.chance(0.9) ? own : locations)
      return { method: 'PATCH', act: '', body: random.chance(0.8) ? { deviceId } : { storeId } }
    }),
  },
  {
    name: 'retire plan',
    weight: 0.5,
    make: ({ platform }, random) => {
      const { planId } = random.pick(platform.plans)
      return { method: 'POST', path: `/apps/${platform.appId}/plans/${planId}/retire` }
    },
  },
  { name: 'tax rate', weight: 2, make: (_scene, random) => taxRate(random) },
  {
    name: 'new payment method',
    weight: 6,
    make: ({ there, businessIds }, random) => paymentMethodOf(there, random.pick(businessIds), random),
  },
  {
    name: 'choose payment method',
    weight: 2,
    make: ({ paymentMethods }, random) => {
      if (paymentMethods.length === 0) return null
      const { businessId, paymentMethodId } = random.pick(paymentMethods)
      return { method: 'PUT', path: `/businesses/${businessId}/payment-methods/${paymentMethodId}/default` }
    },
  },
  {
    name: 'refund',
    weight: 3,
    make: ({ invoices }, random) => {
      if (invoices.length === 0) return null
      const { businessId, invoiceId, amountPaid } = random.pick(invoices)
      const amount = random.pick([undefined, 1, Math.ceil(amountPaid / 2), amountPaid, amountPaid + 1])
      const path = `/businesses/${businessId}/invoices/${invoiceId}/refunds`
      return { method: 'POST', path, body: amount === undefined ? {} : { amount } }
    },
  },
]

const COUNTRIES = ['US', 'DE', 'JP', 'KW']

/** The rate of a country from a day of the run on: added, included, or none. */
export function taxRate(random: Random, country = random.pick(COUNTRIES)): Request {
  const day = new Date(Date.UTC(2026, 0, 1 + random.pick([0, 0, random.below(120)]))).toISOString().slice(0, 10)
  const path = `/tax-rates/${country}/${day}`
  if (random.chance(0.1)) return { method: 'DELETE', path }
  const behavior = random.pick(['INCLUSIVE', 'EXCLUSIVE', 'EXCLUSIVE', 'NONE'])
  return {
    method: 'PUT',
    path,
    body: { behavior, name: 'VAT', rate: random.pick(['19', '7.7', '8.875', '0', '33.333']) },
  }
}

export function paymentMethodOf(there: Scene['there'], businessId: string, random: Random): Request {
  const body = { gateway: there.name, token: random.pick(there.tokens) }
  return { method: 'POST', path: `/businesses/${businessId}/payment-methods`, body }
}

/** An action on one subscription. */
interface Act {
  readonly method: string
  readonly act: '' | '/restore' | '/end'
  readonly body?: unknown
}

/** Mostly on a live subscription, sometimes on an ended one. */
function ofOne(act: (scene: Scene, random: Random, one: SubscriptionSeen) => Act): Make {
  return (scene, random) => {
    const one = pickOne(scene, random)
    return one && toOne(scene, one, act(scene, random, one))
  }
}

export function pickOne({ subscriptions }: Scene, random: Random): SubscriptionSeen | null {
  const live = subscriptions.filter(({ status }) => status === 'ACTIVE')
  const choice = live.length > 0 && !random.chance(0.1) ? live : subscriptions
  return choice.length === 0 ? null : random.pick(choice)
}

export function toOne({ platform }: Scene, { subscriptionId }: SubscriptionSeen, { act, ...rest }: Act): Request {
  return { ...rest, path: `/apps/${platform.appId}/subscriptions/${subscriptionId}${act}` }
}

/** Mostly to a plan of the same scope: others are rejected. */
export function planChange({ platform: { plans } }: Scene, random: Random, { planId }: SubscriptionSeen): Act {
  const scope = plans.find(plan => plan.planId === planId)?.scope
  const fitting = plans.filter(plan => plan.scope === scope)
  const plan = random.pick(random.chance(0.9) ? fitting : plans)
  return { method: 'PATCH', act: '', body: { planId: plan.planId, when: random.pick(['NOW', 'NOW', 'PERIOD_END']) } }
}

export function cancelOrRestore(random: Random): Act {
  return random.chance(0.6) ? { method: 'DELETE', act: '' } : { method: 'POST', act: '/restore' }
}
