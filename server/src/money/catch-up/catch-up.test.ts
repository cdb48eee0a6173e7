import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type Json, type World } from '../../../test/support/world.ts'
import { advanceDue } from '../billing/advance.ts'

let world: World
beforeEach(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
afterEach(() => world?.close())

const guarded = () => {
  const { ports } = world.app
  return { ...ports, settings: { ...ports.settings, catchUpHours: 4 } }
}
/** A worker of an installation with the guard bills until nothing is due. */
async function bill(at: string): Promise<void> {
  world.clock.set(at)
  while ((await advanceDue(guarded())) + (await world.app.jobs.charges.runOnce()) > 0);
}
const decide = (decision: string, more: Json = {}, expected = 200) =>
  world.call('POST', '/operations/catch-up', { decision, ...more }, expected)
const report = () => world.call('GET', '/operations/catch-up')

/** A daily subscriber, billed on 1 and 2 January; then every process stops until 8 January, 12:00. */
async function outage() {
  const shop = await world.merchant({ type: 'MERCHANT' })
  await shop.subscribe(await world.plan({ interval: 'DAY' }))
  await bill('2026-01-02T00:00:00Z')
  const charges = async () => (await shop.invoices()).filter(({ status }) => status === 'PAID').length
  assert.equal(await charges(), 2)
  await bill('2026-01-08T12:00:00Z')
  return { shop, charges }
}

async function isSound(): Promise<void> {
  const { checks } = await world.call('GET', '/operations/checks')
  assert.deepEqual(
    checks.filter(({ status }: Json) => status !== 'PASSED'),
    [],
  )
}

test('after an outage of more than a day no missed charge is made, each operator gets one mail, and a dry run shows the missed charges', async () => {
  const admin = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await world.mails()
  const { charges } = await outage()
  await Promise.all([advanceDue(guarded()), advanceDue(guarded())])
  assert.equal(await charges(), 2)
  const mails = (await world.mails()).filter(({ subject }) => /stood still/.test(subject))
  assert.deepEqual([mails.length, mails[0]?.to], [1, admin.email])
  const { catchUp, dryRun, isCut } = await report()
  assert.deepEqual(catchUp, {
    ...{ outageFrom: '2026-01-02T00:00:00Z', outageUntil: '2026-01-08T12:00:00Z', state: 'WAITING' },
    goesOnAt: '2026-01-08T16:00:00Z',
  })
  const days = [3, 4, 5, 6, 7, 8].map(day => [`2026-01-0${day}T00:00:00Z`, 1, 500])
  assert.deepEqual(
    dryRun.map(({ day, charges, amount }: Json) => [day, charges, amount]),
    days,
  )
  assert.equal(isCut, false)
  await world.call('PATCH', `/apps/${world.appId}`, { status: 'DISABLED' })
  assert.deepEqual((await report()).dryRun, [], 'a disabled app is not charged')
})

test('charges that fall due after the outage are made as usual', async () => {
  const { charges } = await outage()
  const other = await world.merchant({ type: 'MERCHANT' })
  await other.subscribe(await world.plan({ interval: 'DAY', trialPeriodDays: 0 }))
  await bill('2026-01-08T15:00:00Z')
  assert.deepEqual([await charges(), (await other.invoices()).length], [2, 1])
})

test('without a decision the missed charges start after the configured hours, and a late decision is rejected', async () => {
  const { charges } = await outage()
  await bill('2026-01-08T15:59:00Z')
  assert.equal(await charges(), 2)
  await bill('2026-01-08T16:00:00Z')
  assert.equal(await charges(), 8)
  assert.equal((await decide('WAIVE', {}, 409)).code, 'NO_CATCH_UP')
  await isSound()
})

test('a later outage begins when billing stopped, or with the older missed charges that still wait', async () => {
  const { charges } = await outage()
  const begins = async () => (await report()).catchUp.outageFrom
  // The older backlog waited until billing stood still again.
  await bill('2026-01-10T15:00:00Z')
  assert.deepEqual([await begins(), await charges()], ['2026-01-02T00:00:00Z', 2])
  await decide('SPREAD', { spreadDays: 4 })
  for (const at of ['11T03', '11T15', '12T03', '12T15']) await bill(`2026-01-${at}:00:00Z`)
  await bill('2026-01-14T00:00:00Z')
  assert.equal(await begins(), '2026-01-06T07:30:00Z', 'half of the older backlog is billed')
  await bill('2026-01-14T04:00:00Z')
  await bill('2026-01-20T00:00:00Z')
  assert.equal(await begins(), '2026-01-14T04:00:00Z')
  await decide('RELEASE')
  await bill('2026-01-20T00:00:10Z')
  await isSound()
})

test('the decision RELEASE charges each missed period once, and the first of two decisions wins', async () => {
  const { charges } = await outage()
  await decide('RELEASE')
  await decide('WAIVE', {}, 409)
  await bill('2026-01-08T12:00:10Z')
  assert.equal(await charges(), 8)
  await isSound()
})

test('the decision SPREAD over six days makes about one missed charge a day, besides the current charges', async () => {
  const { charges } = await outage()
  await decide('SPREAD', { spreadDays: 6 })
  await bill('2026-01-08T12:30:00Z')
  assert.equal(await charges(), 2)
  const counts: number[] = []
  for (let day = 9; day <= 15; day++) {
    await bill(`2026-01-${String(day).padStart(2, '0')}T12:00:00Z`)
    counts.push(await charges())
  }
  // On 14 January, after six days, the backlog is through, and the days since are billed as well.
  assert.ok(
    counts.every((count, i) => i === 0 || count - (counts[i - 1] ?? 0) <= 8),
    String(counts),
  )
  assert.ok((counts[0] ?? 0) <= 4 && counts.at(-1) === 15, String(counts))
  await isSound()
})

test('the decision WAIVE makes the missed periods free, and a new period begins now', async () => {
  const { shop, charges } = await outage()
  await decide('WAIVE')
  await bill('2026-01-08T12:00:10Z')
  assert.equal(await charges(), 3)
  const { periodStart } = (await shop.invoices()).at(-1) ?? {}
  assert.ok(
    (await shop.invoices()).some((one: Json) => one.periodStart === '2026-01-08T12:00:10Z'),
    periodStart,
  )
  await bill('2026-01-09T00:00:00Z')
  await bill('2026-01-09T12:00:10Z')
  assert.equal(await charges(), 4)
  await isSound()
})

test('a shorter outage, an idle installation and an installation without the setting need no decision', async () => {
  const shop = await world.merchant({ type: 'MERCHANT' })
  await bill('2026-01-01T00:00:00Z')
  await bill('2026-02-01T00:00:00Z')
  assert.equal((await report()).catchUp, undefined, 'nothing was due')
  await shop.subscribe(await world.plan({ interval: 'DAY' }))
  await bill('2026-02-02T00:00:00Z')
  await bill('2026-02-03T00:00:00Z')
  assert.equal((await report()).catchUp, undefined, 'a day is not an outage')
  world.clock.set('2026-02-20T00:00:00Z')
  await world.work()
  assert.equal((await shop.invoices()).length, 20)
})
