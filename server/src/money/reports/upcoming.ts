import { addDays } from '../../core/calendar.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Ports } from '../../ports.ts'
import { forecastCharges } from '../billing/forecast.ts'
import { loadStates } from '../billing/load.ts'
import { listNextActions, type NextActionKey } from '../subscriptions/store.ts'

export interface UpcomingInput {
  /** From now; 1 to 90. */
  readonly days: number
  /** How many subscriptions are looked at. */
  readonly count: number
  readonly after?: NextActionKey
}

/** What a subscription will be charged in all of these days. */
export interface UpcomingOfOne {
  readonly subscription: Subscription
  readonly charges: number
  readonly amount: number
  readonly firstAt: Date
}

export interface UpcomingOfDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly currency: string
  readonly charges: number
  readonly amount: number
}

export interface Upcoming {
  readonly days: readonly UpcomingOfDay[]
  readonly list: readonly UpcomingOfOne[]
  readonly next?: NextActionKey
}

/**
 * What merchants will be billed, if every charge succeeds and nobody does anything: a dry run of the engine for the subscriptions whose
 * next action falls into these days, so many at a time. Days and list are of this page; the days of all pages add up to the whole:
 * on each, credit is drawn on by all of its holder's subscriptions in turn. Left out: test merchants, and who is being charged
 * this moment, until the outcome is known.
 */
export async function readUpcoming(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { days, count, after }: UpcomingInput,
): Promise<Upcoming> {
  const now = clock.now()
  const until = addDays(now, days)
  const { found, charged, next } = await db.transaction(async ({ sql }) => {
    // Subscriptions, plans, credit and open invoices of one moment: nothing is locked.
    await sql`set transaction isolation level repeatable read, read only`
    const listed = await listNextActions(sql, { until, limit: count + 1, ...(after === undefined ? {} : { after }) })
    const page = listed.slice(0, count)
    const last = listed.length > count ? page.at(-1) : undefined
    const key = last?.nextActionAt && { at: last.nextActionAt, subscriptionId: last.subscriptionId }
    const charged = await forecastCharges(sql, await loadStates(sql, page), { now, until: () => until })
    return { found: page, charged, next: key }
  })
  const list: UpcomingOfOne[] = []
  const byDay = new Map<string, UpcomingOfDay>()
  for (const subscription of found) {
    const charges = charged.get(subscription.subscriptionId) ?? []
    const [first] = charges
    if (first === undefined) continue
    const amount = charges.reduce((sum, charge) => sum + charge.amount, 0)
    list.push({ subscription, charges: charges.length, amount, firstAt: first.at })
    for (const charge of charges) addTo(byDay, subscription.currency, charge)
  }
  return { days: [...byDay.values()].sort(inOrder), list, ...(next === undefined ? {} : { next }) }
}

function addTo(
  byDay: Map<string, UpcomingOfDay>,
  currency: string,
  { at, amount }: { at: Date; amount: number },
): void {
  const day = at.toISOString().slice(0, 10)
  const key = `${day} ${currency}`
  const known = byDay.get(key) ?? { day, currency, charges: 0, amount: 0 }
  byDay.set(key, { ...known, charges: known.charges + 1, amount: known.amount + amount })
}

function inOrder(a: UpcomingOfDay, b: UpcomingOfDay): number {
  return a.day.localeCompare(b.day) || a.currency.localeCompare(b.currency)
}
