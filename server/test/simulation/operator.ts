import { type CatchUp, heldBacklog } from '../../src/core/catch-up.ts'
import { findBillingProgress } from '../../src/money/catch-up/store.ts'
import type { Operation } from './operations.ts'
import type { Play } from './play.ts'
import type { Worker } from './stage.ts'

const HOUR_MS = 3_600_000

/**
 * The operator disables and enables the app, ends all its subscriptions, decides about the backlog of an outage, and pays
 * the developer out. Merchants pay an open invoice and remove a card.
 */
export const OPERATOR_OPERATIONS: readonly Operation[] = [
  {
    name: 'disable or enable the app',
    weight: 1.5,
    make: ({ platform, isDisabled }, random) => {
      // A disabled app sells and charges nothing, so most of a run has the app enabled.
      if (!isDisabled && random.chance(0.5)) return null
      return { method: 'PATCH', path: `/apps/${platform.appId}`, body: { status: isDisabled ? 'ACTIVE' : 'DISABLED' } }
    },
  },
  {
    name: 'end all subscriptions',
    weight: 1,
    make: ({ platform, isDisabled }, random) => {
      if (!isDisabled && random.chance(0.9)) return null
      return { method: 'POST', path: `/apps/${platform.appId}/endings`, body: { refundUnused: random.chance(0.7) } }
    },
  },
  {
    name: 'pay out',
    weight: 1,
    make: ({ platform }, random) => {
      const path = `/organizations/${platform.organizationId}`
      const amount = random.pick([1, 400, 800, 5_000])
      const currency = random.pick(['USD', 'EUR', 'JPY', 'KWD'])
      const words = `note ${random.below(20)}`
      if (random.chance(0.7)) {
        return { method: 'POST', path: `${path}/payouts`, body: { amount, currency, reference: words } }
      }
      const kind = random.pick(['FEE', 'ADJUSTMENT'])
      return { method: 'POST', path: `${path}/adjustments`, body: { kind, amount, currency, reason: words } }
    },
  },
  {
    name: 'pay now',
    weight: 3,
    make: ({ openInvoices, paymentMethods }, random) => {
      if (openInvoices.length === 0) return null
      const { businessId, invoiceId } = random.pick(openInvoices)
      const own = paymentMethods.filter(method => method.businessId === businessId)
      const isNamed = own.length > 0 && random.chance(0.4)
      const body = isNamed ? { paymentMethodId: random.pick(own).paymentMethodId } : {}
      return { method: 'POST', path: `/businesses/${businessId}/invoices/${invoiceId}/pay`, body }
    },
  },
  {
    name: 'remove payment method',
    weight: 2,
    make: ({ paymentMethods }, random) => {
      if (paymentMethods.length === 0) return null
      const { businessId, paymentMethodId } = random.pick(paymentMethods)
      return { method: 'DELETE', path: `/businesses/${businessId}/payment-methods/${paymentMethodId}` }
    },
  },
]

/** Frequent while a backlog waits, because a backlog waits for few steps. */
export const DECIDE_ABOUT_BACKLOG: Operation = {
  name: 'decide about the backlog',
  weight: 1,
  make: (_scene, random) => {
    const decision = random.pick(['RELEASE', 'SPREAD', 'SPREAD', 'WAIVE'] as const)
    const body = decision === 'SPREAD' ? { decision, spreadDays: 1 + random.below(5) } : { decision }
    return { method: 'POST', path: '/operations/catch-up', body }
  },
}

/** The operator enables a disabled app, or the app stays disabled and charges nobody. */
export async function enableApp(play: Play): Promise<void> {
  const { platform, isDisabled } = await play.scene()
  if (!isDisabled || play.random.chance(0.3)) return
  play.ask('enable the app', { method: 'PATCH', path: `/apps/${platform.appId}`, body: { status: 'ACTIVE' } })
  await play.drive()
}

/** Advances time until no backlog waits, in steps too short to count as an outage. */
export async function outlastBacklog(play: Play, work: () => Promise<void>): Promise<void> {
  for (let waits = await backlogOf(play); heldBacklog(waits, play.now()) !== null; waits = await backlogOf(play)) {
    play.stage.clock.set(new Date(play.now().getTime() + 12 * HOUR_MS))
    await work()
  }
}

/** Releases a backlog that waits. */
export async function releaseBacklog(worker: Worker): Promise<void> {
  await worker.ask('POST', '/operations/catch-up', { decision: 'RELEASE' })
}

/** No app is held, and no backlog waits. */
export async function billsAll(play: Play): Promise<boolean> {
  const held = await play.stage.db.sql`select 1 from apps where held_since is not null`
  return held.length === 0 && heldBacklog(await backlogOf(play), play.now()) === null
}

async function backlogOf({ stage }: Play): Promise<CatchUp | null> {
  return (await findBillingProgress(stage.db.sql))?.catchUp ?? null
}
