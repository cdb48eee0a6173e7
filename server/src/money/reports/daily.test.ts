import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { tokenOf } from '../../../test/support/tokens.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
let monthly: string
let yearly: string
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
  monthly = await world.plan({ gracePeriodDays: 3 })
  yearly = await world.plan({ interval: 'YEAR', amounts: [{ country: 'US', currency: 'USD', value: 12_000 }] })
})
after(() => world?.close())

async function days(query = '', bearer = OPERATOR_KEY): Promise<readonly Json[]> {
  const path = `/reports/revenue/daily?from=2026-01-09&to=2026-04-30${query}`
  const { status, body, text } = await world.ask(bearer, 'GET', path)
  assert.equal(status, 200, text)
  return body.list[0]?.days ?? []
}

const dayOf = (list: readonly Json[], day: string) => list.find(one => one.day === day) ?? assert.fail(day)

async function holds(): Promise<void> {
  const { checks } = await world.call('GET', '/operations/checks?check=revenueDaysMatch')
  assert.deepEqual([checks[0].status, checks[0].violations], ['PASSED', []])
}

async function fold(): Promise<void> {
  while ((await world.app.jobs.revenueSums.runOnce()) > 0);
}

test('starts, plan changes, declines, recoveries, refunds and ends appear on their day, before and after folds', async () => {
  const [first, second, third] = [0, 1, 2].map(() => world.merchant({ type: 'MERCHANT' }))
  const [one, two, three] = [await first, await second, await third]
  assert.ok(one && two && three)
  const path = (id: string) => `/apps/${world.appId}/subscriptions/${id}`
  const kept = await one.subscribe(monthly)
  await two.subscribe(monthly)
  world.clock.set('2026-01-11T12:00:00Z')
  const leaving = await three.subscribe(monthly)
  world.clock.set('2026-01-12T12:00:00Z')
  await world.call('PATCH', path(kept.subscriptionId), { planId: yearly, when: 'NOW' })
  await world.work()
  world.clock.set('2026-01-13T12:00:00Z')
  const [invoice] = await two.invoices()
  await two.refund(invoice?.invoiceId, { amount: 200 })
  world.clock.set('2026-01-14T12:00:00Z')
  await world.call('POST', `${path(leaving.subscriptionId)}/end`, {}, 200)
  await two.card('tok_insufficient_funds')
  world.clock.set('2026-02-10T12:00:00Z')
  await world.work()
  world.clock.set('2026-02-11T12:00:00Z')
  await two.card('tok_ok')
  await world.work()
  for (let turn = 0; turn < 2; turn++) {
    const list = await days()
    const at = (day: string) => dayOf(list, day)
    assert.deepEqual([at('2026-01-09').mrr, at('2026-01-09').subscribers], [0, 0])
    assert.deepEqual([at('2026-01-10').mrr, at('2026-01-10').new], [1_000, { count: 2, amount: 1_000 }])
    assert.deepEqual(at('2026-01-10').collected, { count: 2, amount: 1_000 })
    assert.deepEqual([at('2026-01-12').mrr, at('2026-01-12').expansion], [2_000, { count: 0, amount: 500 }])
    assert.deepEqual(at('2026-01-13').refunded, { count: 1, amount: 200 })
    assert.deepEqual([at('2026-01-14').mrr, at('2026-01-14').churn], [1_500, { count: -1, amount: -500 }])
    assert.deepEqual(at('2026-02-10').pastDue, { count: 1, amount: 500 })
    assert.deepEqual(at('2026-02-11').recovered, { count: 1, amount: 500 })
    assert.deepEqual([at('2026-02-11').mrr, at('2026-02-11').subscribers], [1_500, 2])
    assert.equal(list.length, 112)
    const ofPlan = await days(`&planId=${yearly}`)
    assert.deepEqual([dayOf(ofPlan, '2026-02-11').mrr, dayOf(ofPlan, '2026-02-11').subscribers], [1_000, 1])
    await holds()
    await fold()
  }
})

test('a trial counts at its start, end and payment, and an unpaid subscription counts as lost', async () => {
  const app = await world.developer('trials')
  const planId = await world.plan({ trialPeriodDays: 10, gracePeriodDays: 3 }, app.appId)
  world.clock.set('2026-03-01T12:00:00Z')
  const path = `/apps/${app.appId}/subscriptions`
  for (const card of ['tok_ok', 'tok_insufficient_funds']) {
    const { businessId } = await world.merchant({ type: 'MERCHANT', card })
    await world.call('POST', path, { businessId, planId })
  }
  for (const at of ['2026-03-11T13:00:00Z', '2026-03-12T13:00:00Z', '2026-03-15T13:00:00Z']) {
    world.clock.set(at)
    await world.work()
  }
  const list = await days(`&appId=${app.appId}`)
  const sum = (name: string, part?: string) =>
    list.reduce((total, day) => total + (part ? day[name][part] : day[name]), 0)
  assert.deepEqual(
    ['trialsStarted', 'trialsEnded', 'trialsConverted'].map(name => sum(name)),
    [2, 2, 1],
  )
  assert.deepEqual([sum('lost', 'count'), sum('churn', 'count')], [1, -1])
  assert.equal(list.at(-1)?.subscribers, 1)
  await holds()
})

test('test merchants are reported separately, and a developer sees only apps of the organization', async () => {
  world.clock.set('2026-04-01T12:00:00Z')
  const before = (await days()).at(-1)
  const shop = await world.merchant()
  await shop.subscribe(monthly)
  assert.deepEqual((await days()).at(-1), before)
  assert.equal((await days('&merchantType=TEST_MERCHANT')).at(-1)?.mrr, 500)
  const { organizationId } = world
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')
  assert.equal((await days('&merchantType=TEST_MERCHANT', token)).at(-1)?.mrr, 500)
  const other = await world.developer('stranger')
  const workspace = { kind: 'DEVELOPER', organizationId: other.organizationId } as const
  const { token: stranger } = await newPerson(world, workspace, 'ADMIN')
  assert.deepEqual(await days('', stranger), [])
  const path = '/reports/revenue/daily'
  for (const report of [path, `${path}.csv`]) {
    assert.equal((await world.ask(stranger, 'GET', `${report}?appId=${world.appId}`)).status, 404)
  }
  assert.equal((await world.ask(stranger, 'GET', `${path}?organizationId=${organizationId}`)).status, 403)
  assert.equal((await world.ask(await tokenOf(world, world.credentials), 'GET', path)).status, 403)
  assert.equal((await world.ask(null, 'GET', path)).status, 401)
})

test('the csv has the same days, with decimal amounts', async () => {
  const path = '/reports/revenue/daily.csv?from=2026-01-10&to=2026-01-11'
  const { text, headers } = await world.ask(OPERATOR_KEY, 'GET', path)
  assert.match(String(headers['content-disposition']), /revenue-2026-01-10-2026-01-11\.csv/)
  const [head = '', first = '', ...others] = text.trim().split('\r\n')
  const row = Object.fromEntries(head.split(',').map((name, i) => [name, first.split(',')[i]]))
  assert.deepEqual([row.day, row.currency, row.mrr, row.newCount], ['2026-01-10', 'USD', '10.00', '2'])
  assert.equal(others.length, 1)
})

test('a wrong day or currency is rejected with the name of the field', async () => {
  for (const query of [
    'from=2026-02-30',
    'to=tomorrow',
    'from=2026-03-02&to=2026-03-01',
    'from=2024-01-01&to=2026-01-01',
    'currency=usd',
    'currency=%00',
  ]) {
    for (const path of ['/reports/revenue/daily', '/reports/revenue/daily.csv']) {
      const { status, body } = await world.ask(OPERATOR_KEY, 'GET', `${path}?${query}`)
      assert.deepEqual([status, body.fields?.[0]?.path], [400, query.split('=')[0]], query)
    }
  }
})
