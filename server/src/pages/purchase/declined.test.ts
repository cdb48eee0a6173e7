import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newTill, type OpenScreen, type Till } from '../../../test/support/purchases.ts'
import { fieldsOf, newVisitor, type Visitor } from '../../../test/support/visitor.ts'
import { createWorld, type World } from '../../../test/support/world.ts'

const START = '2026-03-01T10:00:00Z'

let world: World
before(async () => {
  world = await createWorld({ at: START })
})
after(() => world?.close())

const newBrowser = (app = world.app, session?: string) => newVisitor(app, session)
type Browser = Visitor

/** Opens the screen by the terminal's address. */
async function enter(browser: Browser, { url, path }: OpenScreen) {
  const entered = await browser.get(url)
  assert.deepEqual([entered.statusCode, entered.headers.location], [303, path])
  return browser.get(path)
}

async function pressBuy(browser: Browser, { path }: OpenScreen, shown: string, changed: Record<string, string> = {}) {
  return browser.post(`${path}/buy`, { ...fieldsOf(shown, `${path}/buy`), ...changed })
}

async function count({ businessId }: Till): Promise<number> {
  await world.work()
  return (await world.call('GET', `/apps/${world.appId}/subscriptions?businessId=${businessId}`)).total
}

test('a declined card is shown, and another card can pay for an hour on the same screen', async () => {
  const till = await newTill(world, { card: 'tok_insufficient_funds' })
  const screen = await till.open({ planId: await world.plan() })
  const browser = newBrowser()
  await pressBuy(browser, screen, (await enter(browser, screen)).body)
  await world.work()
  const declined = await browser.get(screen.path)
  assert.equal(declined.statusCode, 200)
  assert.match(declined.body, /The payment was declined.*not enough money.*Choose another card/s)
  await till.merchant.expectEvents('PAYMENT_FAIL')
  await pressBuy(browser, screen, declined.body)
  await world.work()
  await till.merchant.card('tok_ok')
  const again = (await browser.get(screen.path)).body
  await Promise.all([pressBuy(browser, screen, again), pressBuy(browser, screen, again)])
  await world.work()
  assert.match((await browser.get(screen.path)).body, /is yours to use/)
  assert.deepEqual(
    (await till.merchant.invoices()).map(({ status }) => status),
    ['VOID', 'VOID', 'PAID'],
  )
  await till.merchant.expectEvents('PAYMENT_FAIL', 'START', 'PAYMENT_SUCCESS')
  assert.equal(await count(till), 1)
})

test('a declined purchase can be cancelled, and expires after an hour', async () => {
  const till = await newTill(world, { card: 'tok_stolen' })
  const [left, late] = [
    await till.open({ planId: await world.plan() }),
    await till.open({ planId: await world.plan() }),
  ]
  const browser = newBrowser()
  for (const screen of [left, late]) await pressBuy(browser, screen, (await enter(browser, screen)).body)
  await world.work()
  await till.merchant.card('tok_ok')
  const shown = (await browser.get(left.path)).body
  assert.equal((await browser.post(`${left.path}/cancel`, fieldsOf(shown, `${left.path}/cancel`))).statusCode, 303)
  assert.equal((await browser.get(left.path)).statusCode, 410)
  const form = (await browser.get(late.path)).body
  try {
    world.clock.set('2026-03-01T11:00:00Z')
    await pressBuy(browser, late, form)
    await world.work()
    assert.equal(await count(till), 0)
  } finally {
    world.clock.set(START)
  }
})
