import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { Sql } from '../../platform/db/db.ts'
import { writerOf } from '../../platform/http/compilers.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { PageBegin, SubscriptionFilter } from './pages.ts'
import { SubscriptionJson, subscriptionToJson } from './schema.ts'
import { findSubscription } from './store.ts'
import { writtenPages } from './written.ts'

const COUNT = 90
const SEED = 20_260

let world: World
let sql: Sql
let appId: string
let planId: string
/** What an inserted row is a copy of: it has a store and a device. */
let model: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  sql = world.app.ports.db.sql
  appId = uuidOfUrn(world.appId)
  planId = await world.plan({ trialPeriodDays: 14, scope: 'DEVICE' })
  const { businessId } = await world.merchant({ card: 'none' })
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Corner' })
  const device = { name: 'Till', serialNumber: 'T-1' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  const made = await world.call('POST', `/apps/${world.appId}/subscriptions`, { businessId, planId, deviceId })
  model = made.subscriptionId
  for (const state of fc.sample(states, { numRuns: COUNT, seed: SEED })) await insert(state)
})
after(() => world?.close())

test('every kind of subscription is written as its schema says, whether it is read whole or kept', async () => {
  const { read, statements } = watched()
  const filter = { appId, status: 'ALL' } as const
  const first = await read(sql, filter, { begin: { offset: 0 }, limit: 1_000 })
  assert.equal(first.rows.length, COUNT + 1)
  for (const { subscriptionId, json } of first.rows) assert.equal(json, await asItIs(subscriptionId))
  const second = await read(sql, filter, { begin: { offset: 0 }, limit: 1_000 })
  const third = await read(sql, filter, { begin: { offset: 0 }, limit: 1_000 })
  const fourth = await read(sql, filter, { begin: { offset: 0 }, limit: 1_000 })
  assert.deepEqual([second, third, fourth], [first, first, first])
  assert.deepEqual(statements(), ['whole', 'whole', 'whole', 'versions'])
})

test('a page of kept rows has the rows, start and total of a page read whole, wherever it begins and whatever is asked for', async () => {
  const { read } = watched()
  for (const _turn of [1, 2, 3]) await read(sql, { appId, status: 'ALL' }, { begin: { offset: 0 }, limit: 1_000 })
  for (const filter of [...(['ACTIVE', 'ENDED', 'ALL'] as const).map(status => ({ appId, status })), ofOneBusiness()]) {
    for (const begin of begins()) {
      const place = { begin, limit: 7 }
      const [kept, whole] = [await read(sql, filter, place), await writtenPages()(sql, filter, place)]
      assert.deepEqual(kept, whole, JSON.stringify({ filter, begin }))
    }
  }
})

test('whatever is written after a row was kept is on the next page', async () => {
  const { read } = watched()
  const filter = { appId, status: 'ALL' } as const
  const place = { begin: { offset: 0 }, limit: 1_000 }
  const { rows } = await read(sql, filter, place)
  const changes = fc.sample(fc.tuple(fc.nat(rows.length - 1), states, states), { numRuns: 40, seed: SEED })
  for (const [index, once, again] of changes) {
    const id = rows[index]?.subscriptionId ?? ''
    await world.app.ports.db.transaction(async tx => {
      await write(tx.sql, id, once)
      await write(tx.sql, id, again)
      const unseen = await read(sql, filter, place)
      assert.equal(jsonOf(unseen, id), await asItIs(id), 'not committed')
    })
    const seen = await read(sql, filter, place)
    assert.equal(jsonOf(seen, id), await asItIs(id))
    for (const _turn of [1, 2, 3]) assert.deepEqual(await read(sql, filter, place), seen)
  }
})

test('what is rolled back is on no page', async () => {
  const { read } = watched()
  const place = { begin: { offset: 0 }, limit: 1_000 }
  const before = await read(sql, { appId, status: 'ALL' }, place)
  for (const _turn of [1, 2, 3]) await read(sql, { appId, status: 'ALL' }, place)
  const [state] = fc.sample(states, { numRuns: 1, seed: SEED + 1 })
  await assert.rejects(
    world.app.ports.db.transaction(async tx => {
      await write(tx.sql, model, state ?? {})
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  assert.deepEqual(await read(sql, { appId, status: 'ALL' }, place), before)
})

test('each page is of one moment, also while its rows are written', async () => {
  const { read } = watched()
  const filter = { appId, status: 'ACTIVE' } as const
  const place = { begin: { offset: 0 }, limit: 1_000 }
  const ended = { ...NOTHING, status: 'ENDED', ended_at: '2026-01-02T00:00:00Z', end_reason: 'CANCELLED' }
  const { rows } = await read(sql, filter, place)
  for (const _turn of [1, 2, 3]) await read(sql, filter, place)
  const changing = rows.slice(0, 10).map(({ subscriptionId }) => subscriptionId)
  for (const id of changing) {
    const pages = await Promise.all([
      read(sql, filter, place),
      write(sql, id, ended).then(() => read(sql, filter, place)),
      read(sql, filter, place),
    ])
    for (const page of pages) {
      assert.ok(page.rows.every(({ json }) => JSON.parse(json).status === 'ACTIVE'))
    }
    assert.equal(jsonOf(pages[1], id), undefined)
  }
})

test('kept rows of one app are on no page of another', async () => {
  const { read } = watched()
  const other = await world.developer()
  const place = { begin: { offset: 0 }, limit: 1_000 }
  for (const turn of [1, 2, 3, 4]) {
    assert.ok((await read(sql, { appId, status: 'ALL' }, place)).rows.length > COUNT, `${turn}`)
    const theirs = await read(sql, { appId: uuidOfUrn(other.appId), status: 'ALL' }, place)
    assert.deepEqual(theirs.rows, [])
  }
})

test('what was kept in one life of the server is not used in another', async () => {
  const { read, statements } = watched()
  const filter = { appId, status: 'ALL' } as const
  const place = { begin: { offset: 0 }, limit: 1_000 }
  for (const _turn of [1, 2, 3, 4]) await read(sql, filter, place)
  const restarted = (async (...statement: Parameters<Sql>) => {
    const [row] = (await sql(...statement)) as unknown as object[]
    return [{ ...row, life: 'another' }]
  }) as unknown as Sql
  for (const _turn of [1, 2, 3, 4]) await read(restarted, filter, place)
  const first = ['whole', 'whole', 'whole', 'versions']
  assert.deepEqual(statements(), [...first, 'versions', 'whole', 'whole', 'versions', 'versions'])
})

/** Pages of their own, and what they asked PostgreSQL for. */
function watched() {
  const asked: string[] = []
  const pages = writtenPages()
  const read: typeof pages = (by, filter, place) => {
    const noting = ((...[strings, ...values]: Parameters<Sql>) => {
      asked.push(String(strings).includes('payment_status') ? 'whole' : 'versions')
      return by(strings as TemplateStringsArray, ...(values as never[]))
    }) as unknown as Sql
    return pages(noting, filter, place)
  }
  return { read, statements: () => asked }
}

/** The other way from a row to its JSON: the one of billing's answers. */
async function asItIs(subscriptionId: string): Promise<string> {
  const subscription = await findSubscription(sql, subscriptionId)
  assert.ok(subscription)
  return writerOf(SubscriptionJson)(subscriptionToJson(subscription))
}

const jsonOf = (page: Awaited<ReturnType<ReturnType<typeof writtenPages>>>, id: string) =>
  page.rows.find(({ subscriptionId }) => subscriptionId === id)?.json

const ofOneBusiness = (): SubscriptionFilter => ({ appId, status: 'ALL', planId })

const begins = (): PageBegin[] => [
  ...[0, 3, COUNT - 3, COUNT + 1, COUNT + 50].map(offset => ({ offset })),
  { after: model },
  { createdFrom: new Date('2026-01-01T00:00:00Z') },
  { createdFrom: new Date('2030-01-01T00:00:00Z') },
]

/** Columns of a state, by name. */
type State = Readonly<Record<string, unknown>>

/** Of the columns that states change, what an active one that is paid up has. */
const NOTHING: State = {
  ...{ status: 'ACTIVE', payment_status: 'CURRENT', phase: 'FULL', anchor_at: '2026-01-01T00:00:00Z', period_index: 0 },
  ...{ trial_end_at: null, trial_ending_at: null, first_refused_at: null, grace_end_at: null, next_retry_at: null },
  ...{ cancel_at: null, ended_at: null, end_reason: null, pending_plan_id: null, pending_amount: null },
  ...{ next_action_at: null, amount: 500 },
}

const instants = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('9998-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map(at => at.toISOString())
const amounts = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 99_999_999 }))
const orNot = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })

const phases = fc.oneof(
  fc.record({ ...only({ phase: 'TRIAL', anchor_at: null, period_index: null }), trial_end_at: instants }),
  fc.record({ ...only({ phase: 'FULL' }), trial_end_at: orNot(instants) }),
)
const payments = fc.oneof(
  fc.constant({}),
  fc.record({
    ...only({
      payment_status: 'PAST_DUE',
      first_refused_at: '2026-01-01T00:00:00Z',
      grace_end_at: '2026-01-08T00:00:00Z',
    }),
    next_retry_at: orNot(instants),
  }),
)
const active = fc
  .tuple(phases, payments, fc.record({ cancel_at: orNot(instants) }), orNot(amounts))
  .map(([phase, payment, end, pending]) => ({
    ...{ ...phase, ...payment, ...end },
    ...(pending !== null && { pending_plan_id: 'of the model', pending_amount: pending }),
  }))
const ended = fc
  .tuple(
    phases,
    fc.record({
      ...only({ status: 'ENDED' }),
      payment_status: fc.constantFrom('CURRENT', 'PAST_DUE'),
      ended_at: instants,
      end_reason: fc.constantFrom('CANCELLED', 'NON_PAYMENT', 'OPERATOR'),
    }),
  )
  .map(([phase, end]) => ({ ...phase, ...end }))

/** Every kind of subscription that the table holds. */
const states: fc.Arbitrary<State> = fc
  .tuple(fc.oneof(active, ended), fc.record({ amount: amounts, start_at: instants, updated_at: instants }))
  .map(([state, others]) => ({ ...NOTHING, ...others, ...state }))

function only<T extends object>(columns: T) {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, fc.constant(value)]))
}

/** A subscription of a new merchant in this state; every second one is of the model's store and device. */
async function insert(state: State): Promise<void> {
  const { businessId } = await world.merchant({ card: 'none' })
  const place = Number(state.amount) % 2 === 0 ? { store_id: null, device_id: null } : {}
  const columns = { ...named(state), ...place, subscription_id: v7(), business_id: businessId }
  await sql`
    insert into subscriptions
    select (jsonb_populate_record(s, ${JSON.stringify(columns)}::text::jsonb)).* from subscriptions as s
    where s.subscription_id = ${model}`
}

async function write(by: Sql, subscriptionId: string, state: State): Promise<void> {
  await by`update subscriptions set ${by(named(state) as never)} where subscription_id = ${subscriptionId}`
}

const named = (state: State): State =>
  state.pending_plan_id === 'of the model' ? { ...state, pending_plan_id: planId } : state
