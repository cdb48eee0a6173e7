import { addDays } from '../../core/calendar.ts'
import { given } from '../../core/given.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { forecastCharges } from '../billing/forecast.ts'
import { loadStates } from '../billing/load.ts'
import { countLive, sampleNextActions } from '../subscriptions/sample.ts'
import { listNextActions, type NextActionKey } from '../subscriptions/store.ts'

/** Charges of a subscription over all days. */
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
 * The bills of merchants if every charge succeeds and no person acts: a dry run of the engine for the subscriptions with a next action in these days,
 * `count` per page of results. `days`: from now, 1 to 90. The days of all pages add up to the whole. Test merchants are left out, as are subscriptions with a charge under way and those of apps that the operator disabled.
 */
export async function readUpcoming(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { days, count, after }: { readonly days: number; readonly count: number; readonly after?: NextActionKey },
): Promise<Upcoming> {
  const now = clock.now()
  const until = addDays(now, days)
  const { found, next } = await db.transaction(async ({ sql }) => {
    // One snapshot, without locks.
    await sql`set transaction isolation level repeatable read, read only`
    const listed = await listNextActions(sql, { until, limit: count + 1, ...given({ after }) })
    const page = listed.slice(0, count)
    const last = listed.length > count ? page.at(-1) : undefined
    const key = last?.nextActionAt && { at: last.nextActionAt, subscriptionId: last.subscriptionId }
    return { found: await forecast(sql, page, { now, until }), next: key }
  })
  const list: UpcomingOfOne[] = []
  const byDay = new Map<string, UpcomingOfDay>()
  for (const { subscription, charges } of found) {
    const [first] = charges
    if (first === undefined) continue
    const amount = charges.reduce((sum, charge) => sum + charge.amount, 0)
    list.push({ subscription, charges: charges.length, amount, firstAt: first.at })
    for (const charge of charges) addTo(byDay, subscription.currency, charge)
  }
  return { days: [...byDay.values()].sort(inOrder), list, ...(next === undefined ? {} : { next }) }
}

/** The bills of the whole platform. Complete with a `share` of 1. Otherwise estimated from this share of the subscriptions. */
export interface UpcomingCalendar {
  readonly days: readonly UpcomingOfDay[]
  readonly share: number
  /** Number of charges in the sample of each currency: the accuracy follows from it. */
  readonly sampled: ReadonlyMap<string, number>
}

/**
 * The charges of all merchants by day, as in `readUpcoming`. Among more than `most` subscriptions, a dry run of a random sample of about `most` is
 * scaled up: a dry run of a million subscriptions takes a minute, and sums for the future would have to be written at every renewal.
 */
export async function readUpcomingCalendar(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { days, most }: { readonly days: number; readonly most: number },
): Promise<UpcomingCalendar> {
  const now = clock.now()
  const until = addDays(now, days)
  const { share, charged } = await db.transaction(async ({ sql }) => {
    await sql`set transaction isolation level repeatable read, read only`
    const share = Math.min(1, most / (await countLive(sql)))
    return { share, charged: await forecast(sql, await sampleNextActions(sql, { until, share }), { now, until }) }
  })
  const byDay = new Map<string, UpcomingOfDay>()
  const sampled = new Map<string, number>()
  for (const { subscription, charges } of charged) {
    const { currency } = subscription
    for (const charge of charges) addTo(byDay, currency, charge)
    sampled.set(currency, (sampled.get(currency) ?? 0) + charges.length)
  }
  const scaled = [...byDay.values()].map(one => ({
    ...one,
    charges: Math.round(one.charges / share),
    amount: Math.round(one.amount / share),
  }))
  return { days: scaled.sort(inOrder), share, sampled }
}

async function forecast(sql: Sql, subscriptions: readonly Subscription[], span: { now: Date; until: Date }) {
  const states = await loadStates(sql, subscriptions)
  const charges = await forecastCharges(sql, states, { ...span, until: () => span.until })
  return subscriptions.map(subscription => ({
    subscription,
    charges: charges.get(subscription.subscriptionId) ?? [],
  }))
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
