import type { Random } from './random.ts'
import type { Platform } from './stage.ts'

/** What merchants, developers and the operator can see of a run, and act on. */
export interface Scene {
  readonly platform: Platform
  readonly businessIds: readonly string[]
  readonly subscriptions: readonly SubscriptionSeen[]
  readonly invoices: readonly { readonly invoiceId: string; readonly businessId: string; readonly amountPaid: number }[]
  readonly paymentMethods: readonly { readonly businessId: string; readonly paymentMethodId: string }[]
}

interface SubscriptionSeen {
  readonly subscriptionId: string
  readonly status: string
  readonly cancelAt: Date | null
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Null: there is nothing that it could be done to. */
type Make = (scene: Scene, random: Random) => Request | null

/** What people do, and how often. A new one is a line here. */
export const OPERATIONS: readonly { readonly name: string; readonly weight: number; readonly make: Make }[] = [
  {
    name: 'subscribe',
    weight: 10,
    make: ({ platform, businessIds }, random) => {
      const body = { businessId: random.pick(businessIds), planId: random.pick(platform.planIds) }
      return { method: 'POST', path: `/apps/${platform.appId}/subscriptions`, body }
    },
  },
  { name: 'cancel', weight: 3, make: (scene, random) => toOne(scene, random, 'DELETE', '') },
  { name: 'restore', weight: 2, make: (scene, random) => toOne(scene, random, 'POST', '/restore') },
  { name: 'operator ends', weight: 1, make: (scene, random) => toOne(scene, random, 'POST', '/end') },
  {
    name: 'new payment method',
    weight: 6,
    make: ({ businessIds }, random) => paymentMethodOf(random.pick(businessIds), random),
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

const TOKENS = [
  ...['tok_ok', 'tok_ok', 'tok_ok', 'tok_insufficient_funds', 'tok_insufficient_funds', 'tok_stolen', 'tok_pending'],
  ...['tok_fail_after_1', 'tok_fail_after_1', 'tok_fail_after_1'],
  ...['tok_timeout_then_ok', 'tok_timeout_then_declined', 'tok_action_required', 'tok_refund_fails'],
]

export function paymentMethodOf(businessId: string, random: Random): Request {
  const body = { gateway: 'sandbox', token: random.pick(TOKENS) }
  return { method: 'POST', path: `/businesses/${businessId}/payment-methods`, body }
}

function toOne({ platform, subscriptions }: Scene, random: Random, method: string, act: string): Request | null {
  const live = subscriptions.filter(({ status }) => status === 'ACTIVE')
  // Mostly those that live, and now and then one that does not.
  const choice = live.length > 0 && !random.chance(0.1) ? live : subscriptions
  if (choice.length === 0) return null
  const { subscriptionId } = random.pick(choice)
  return { method, path: `/apps/${platform.appId}/subscriptions/${subscriptionId}${act}` }
}
