import assert from 'node:assert/strict'
import { Play } from './play.ts'
import type { Answer, Stage } from './stage.ts'

/** The rows that two processes created when both advanced the same due subscriptions. */
export interface Made {
  /** The maximum number of invoices of a period. */
  readonly invoices: number
  /** The maximum number of attempts of an invoice that have succeeded or can still succeed. */
  readonly liveCharges: number
  readonly errors: readonly string[]
}

const HALF_DAY_MS = 43_200_000
/**
 * A period of the daily subscription begins each day. Half a day later, on three days, a declined charge of the monthly subscription is retried.
 */
const HALF_DAYS = 12
const MOST_ATTEMPTS = 50

/** Each half day both processes renew at the same time, with their statements in random order, and then one process charges. */
export async function renewTwice(stage: Stage, seed: string): Promise<Made> {
  const play = new Play(stage, await stage.begin(seed))
  const { clock, workers, errors } = stage
  const pass = () => clock.set(new Date(clock.now().getTime() + HALF_DAY_MS))
  const charge = async () => {
    play.spawn(workers[0], 'charges', () => workers[0].runJob('charges'))
    await play.drive()
  }
  await subscribe(play, { token: 'tok_fail_after_1', interval: 'MONTH' })
  await charge()
  clock.set(new Date('2026-01-31T12:00:00Z'))
  await subscribe(play, { token: 'tok_ok', interval: 'DAY' })
  await charge()
  // The monthly renewal is declined at midnight, and daily periods begin at noon.
  clock.set(new Date('2026-02-01T00:00:00Z'))
  let [invoices, liveCharges] = [0, 0]
  for (let n = 0; n < HALF_DAYS; n++) {
    for (const worker of workers) play.spawn(worker, 'renewals', () => worker.runJob('renewals'))
    await play.drive()
    const found = await count(stage)
    invoices = Math.max(invoices, found.invoices)
    liveCharges = Math.max(liveCharges, found.liveCharges)
    if (invoices > 1 && liveCharges > 1) break
    await charge()
    pass()
  }
  const made = { invoices, liveCharges, errors: [...errors] }
  await stage.end()
  return made
}

async function subscribe(play: Play, { token, interval }: { token: string; interval: string }): Promise<void> {
  const { db, platform } = play.stage
  const shop = { legalName: 'Corner Shop', emailAddress: 'shop@example.com', country: 'US', type: 'MERCHANT' }
  const { businessId } = await ask(play, '/businesses', shop)
  await ask(play, `/businesses/${businessId}/payment-methods`, { gateway: 'sandbox', token })
  const [plan] = await db.sql<{ planId: string }[]>`
    select plan_id as "planId" from plans
    where interval = ${interval} and scope = 'BUSINESS' and trial_period_days = 0 and grace_period_days > 0
    order by grace_period_days desc, plan_id limit 1`
  assert.ok(plan)
  await ask(play, `/apps/${platform.appId}/subscriptions`, { businessId, planId: plan.planId })
}

/** Sends a request, and repeats it while the machine is too busy for the database to answer. */
async function ask(play: Play, path: string, body: unknown): Promise<Answer['body']> {
  const [worker] = play.stage.workers
  const headers = { 'idempotency-key': play.stage.newId() }
  for (let attempts = 1; ; attempts++) {
    const asked = play.spawn(worker, path, () => worker.ask('POST', path, body, headers))
    await play.drive()
    const answer = asked.result as Answer
    if (answer.status < 300) return answer.body
    assert.ok(answer.status === 503 && attempts < MOST_ATTEMPTS, answer.text)
  }
}

async function count({ db }: Stage): Promise<Pick<Made, 'invoices' | 'liveCharges'>> {
  const [row] = await db.sql<Pick<Made, 'invoices' | 'liveCharges'>[]>`
    select
      (select max(n) from (
        select count(*) as n from invoices group by subscription_id, term, period_index) as x) as invoices,
      (select coalesce(max(n), 0) from (
        select count(*) as n from charges
        where status in ('IN_FLIGHT', 'PENDING', 'ACTION_REQUIRED', 'UNKNOWN', 'SUCCEEDED') group by invoice_id) as x)
        as "liveCharges"`
  assert.ok(row)
  return row
}
