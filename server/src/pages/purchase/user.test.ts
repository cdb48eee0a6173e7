import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { newTill, type OpenScreen, type Till } from '../../../test/support/purchases.ts'
import { newTerminalKey } from '../../../test/support/terminals.ts'
import { fieldsOf, newVisitor, type Visitor } from '../../../test/support/visitor.ts'
import { untilWaiting } from '../../../test/support/waiting.ts'
import { createWorld, type Json, type World } from '../../../test/support/world.ts'
import { updateBusinessUser } from '../../access/business-users/update.ts'
import { isRejection } from '../../core/rejection.ts'
import { completePurchase } from '../../money/billing/purchase.fixture.ts'
import type { Ports } from '../../ports.ts'

const START = '2026-03-01T10:00:00Z'

let world: World
before(async () => {
  world = await createWorld({ at: START })
})
afterEach(() => world.clock.set(new Date(START)))
after(() => world?.close())

const headingOf = (body: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1]

/** A browser on the current screen of a purchase. */
async function enter(screen: OpenScreen): Promise<{ browser: Visitor; shown: string }> {
  const browser = newVisitor(world.app)
  await browser.get(screen.url)
  return { browser, shown: (await browser.get(screen.path)).body }
}

async function opened(card: 'tok_ok' | 'tok_insufficient_funds' = 'tok_ok') {
  const till = await newTill(world, { card })
  const screen = await till.open({ planId: await world.plan() })
  return { till, screen, ...(await enter(screen)) }
}

const buy = (browser: Visitor, { path }: OpenScreen, shown: string) =>
  browser.post(`${path}/buy`, fieldsOf(shown, `${path}/buy`))

const edit = ({ businessId, businessUserId }: Till, changes: object) =>
  world.call('PATCH', `/businesses/${businessId}/users/${businessUserId}`, changes, 200)

async function activateAnew({ businessId, terminal }: Till) {
  const renewed = await world.call('POST', `/businesses/${businessId}/devices/${terminal.deviceId}/activation-code`)
  const body = { activationCode: renewed.activationCode, publicKey: newTerminalKey().publicKey }
  assert.equal((await world.ask(null, 'POST', '/devices/activate', { body })).status, 201)
}

async function bought({ businessId }: Till): Promise<number> {
  await world.work()
  return (await world.call('GET', `/apps/${world.appId}/subscriptions?businessId=${businessId}`)).total
}

const ENDS: Record<string, (till: Till) => Promise<unknown>> = {
  'is disabled': till => edit(till, { status: 'DISABLED' }),
  'has another passcode': till => edit(till, { passcode: '97531' }),
  'is removed': ({ businessId, businessUserId }) =>
    world.call('DELETE', `/businesses/${businessId}/users/${businessUserId}`, undefined, 204),
  'has signed out': ({ token, headers }) => world.ask(token, 'DELETE', '/terminal/sessions/current', { headers }),
  'was idle for 15 minutes': async () => world.clock.set(new Date('2026-03-01T10:15:00Z')),
  'lost the terminal to a new activation': activateAnew,
}

for (const [name, end] of Object.entries(ENDS)) {
  test(`a purchase of a user who ${name} is not completed, and the screen explains it`, async () => {
    const { till, screen, browser, shown } = await opened()
    await end(till)
    const pressed = await buy(browser, screen, shown)
    const looked = await browser.get(screen.path)
    for (const { statusCode, body } of [pressed, looked]) {
      assert.equal(statusCode, 403)
      assert.equal(headingOf(body), 'This cannot be bought now')
      assert.match(body, /no longer signed in on the terminal.*Sign in on the terminal/s)
    }
    assert.equal((await browser.get(`${screen.path}/card`)).headers.location, screen.path)
    assert.equal(await bought(till), 0)
    assert.equal(
      (await browser.post(`${screen.path}/cancel`, fieldsOf(looked.body, `${screen.path}/cancel`))).statusCode,
      303,
    )
    assert.equal(headingOf((await browser.get(screen.path)).body), 'Cancelled')
  })
}

test('a user who became a clerk learns that a manager must buy, and can buy as a manager again', async () => {
  const { till, screen, browser, shown } = await opened()
  await edit(till, { role: 'CLERK' })
  const { statusCode, body } = await buy(browser, screen, shown)
  assert.deepEqual([statusCode, await bought(till)], [403, 0])
  assert.match(body, /may no longer buy here\. Ask a manager/)
  await edit(till, { role: 'MANAGER' })
  assert.equal((await buy(browser, screen, (await browser.get(screen.path)).body)).statusCode, 303)
  assert.equal(await bought(till), 1)
})

test('another user of the business on the same terminal is not locked out with the first', async () => {
  const first = await opened()
  const second = await opened()
  await edit(first.till, { status: 'DISABLED' })
  assert.equal((await buy(second.browser, second.screen, second.shown)).statusCode, 303)
})

test('using the screen keeps its user signed in', async () => {
  const { till, screen, browser } = await opened()
  world.clock.set(new Date('2026-03-01T10:14:00Z'))
  assert.equal((await browser.get(`${screen.path}/card`)).statusCode, 200)
  world.clock.set(new Date('2026-03-01T10:28:00Z'))
  assert.equal((await buy(browser, screen, (await browser.get(screen.path)).body)).statusCode, 303)
  assert.equal(await bought(till), 1)
})

test('a declined payment cannot be paid on the screen of a locked-out user', async () => {
  const { till, screen, browser, shown } = await opened('tok_insufficient_funds')
  await buy(browser, screen, shown)
  await world.work()
  const declined = (await browser.get(screen.path)).body
  assert.match(declined, /The payment was declined.*not enough money/s)
  await edit(till, { status: 'DISABLED' })
  await browser.post(`${screen.path}/buy`, fieldsOf(declined, `${screen.path}/buy`))
  await world.work()
  assert.equal((await till.merchant.invoices()).length, 1)
  assert.match((await browser.get(screen.path)).body, /This cannot be bought now/)
  assert.equal((await browser.get(`${screen.path}/card`)).headers.location, screen.path)
})

test('an hour after the end the address of the screen is invalid', async () => {
  const { till, screen, browser } = await opened()
  const [expired, done] = [await till.open({ planId: await world.plan() }), await enter(screen)]
  await buy(done.browser, screen, done.shown)
  const beside = await enter(expired)
  world.clock.set(new Date('2026-03-01T10:59:59Z'))
  assert.equal((await browser.get(screen.path)).statusCode, 200)
  world.clock.set(new Date('2026-03-01T11:29:59Z'))
  assert.equal((await beside.browser.get(expired.path)).statusCode, 410)
  assert.equal((await newVisitor(world.app).get(screen.url)).statusCode, 404)
  assert.equal((await browser.get(screen.path)).statusCode, 404)
  world.clock.set(new Date('2026-03-01T11:30:00Z'))
  assert.equal((await beside.browser.get(expired.path)).statusCode, 404)
  assert.equal((await newVisitor(world.app).get(expired.url)).statusCode, 404)
})

/** Runs a hook before each commit. */
function beforeCommit(ports: Ports, happens: () => Promise<void>): Ports {
  return {
    ...ports,
    db: {
      ...ports.db,
      transaction: work =>
        ports.db.transaction(async tx => {
          const result = await work(tx)
          await happens()
          return result
        }),
    },
  }
}

const NOBODY_HEARS = { add: () => undefined } as unknown as Parameters<typeof updateBusinessUser>[0]['revocations']

test('a purchase that was confirmed before its user is disabled stands', async () => {
  const { till, screen } = await opened()
  const { ports } = world.app
  let disabled: Promise<unknown> | undefined
  const completed = await completePurchase(
    beforeCommit(ports, async () => {
      disabled = edit(till, { status: 'DISABLED' })
      await untilWaiting(ports.db.sql, 1)
    }),
    { purchaseId: screen.purchaseId, by: { secret: screen.key } },
  )
  await disabled
  assert.ok(!isRejection(completed))
  assert.equal(await bought(till), 1)
})

test('a confirmation during the disabling of its user buys nothing', async () => {
  const { till, screen } = await opened()
  const { ports } = world.app
  let pressed: ReturnType<typeof completePurchase> | undefined
  const disabling = beforeCommit(ports, async () => {
    pressed = completePurchase(ports, { purchaseId: screen.purchaseId, by: { secret: screen.key } })
    await untilWaiting(ports.db.sql, 1)
  })
  const { businessId, businessUserId } = till
  await updateBusinessUser(
    { ...disabling, revocations: NOBODY_HEARS },
    { businessId, businessUserId, edit: { status: 'DISABLED' } },
  )
  const declined = await pressed
  assert.ok(isRejection(declined))
  assert.equal(declined.rejected, 'INVALID_USER_SESSION')
  assert.equal(await bought(till), 0)
})

const DECLINED_PAYMENT: Record<string, (browser: Visitor, screen: OpenScreen) => Promise<() => Promise<unknown>>> = {
  'presses BUY NOW again': async (browser, { path }) => {
    const fields = fieldsOf((await browser.get(path)).body, `${path}/buy`)
    return () => browser.post(`${path}/buy`, fields)
  },
  'adds another card': async (browser, { path }) => {
    const { csrf = '', once = '' } = fieldsOf((await browser.get(`${path}/card`)).body, '')
    return () => browser.post(`${path}/card`, { csrf, once, token: 'tok_ok' })
  },
}

for (const [does, prepare] of Object.entries(DECLINED_PAYMENT)) {
  test(`a user who ${does} during the disabling pays nothing, and the screen explains it`, async () => {
    const { till, screen, browser, shown } = await opened('tok_insufficient_funds')
    await buy(browser, screen, shown)
    await world.work()
    const press = await prepare(browser, screen)
    const { ports } = world.app
    let pressed: Promise<unknown> | undefined
    const disabling = beforeCommit(ports, async () => {
      pressed = press()
      await untilWaiting(ports.db.sql, 1)
    })
    const { businessId, businessUserId } = till
    const revocations = { add: () => undefined } as unknown as Parameters<typeof updateBusinessUser>[0]['revocations']
    const edit = { status: 'DISABLED' as const }
    await updateBusinessUser({ ...disabling, revocations }, { businessId, businessUserId, edit })
    await pressed
    await world.work()
    assert.equal((await till.merchant.invoices()).length, 1)
    assert.equal((await world.call('GET', `/businesses/${businessId}/payment-methods`)).list.length, 1)
    assert.match((await browser.get(screen.path)).body, /This cannot be bought now/)
  })
}

test('concurrent confirmations and disablings either buy before or not at all', async () => {
  for (let i = 0; i < 6; i++) {
    const { till, screen, browser, shown } = await opened()
    const [pressed] = await Promise.all([buy(browser, screen, shown), edit(till, { status: 'DISABLED' })])
    assert.equal(await bought(till), pressed.statusCode === 303 ? 1 : 0)
    assert.equal((await till.merchant.invoices()).length, await bought(till))
  }
})

const cardsOf = async ({ businessId }: Till) =>
  (await world.call('GET', `/businesses/${businessId}/payment-methods`)).list.map(({ label }: Json) => label)

test('adding a card or paying again during the disabling has no effect', async () => {
  const { till, screen, browser, shown } = await opened('tok_insufficient_funds')
  await buy(browser, screen, shown)
  await world.work()
  const declined = (await browser.get(screen.path)).body
  const entered = (await browser.get(`${screen.path}/card`)).body
  const before = await cardsOf(till)
  const { ports } = world.app
  const presses = [
    () => browser.post(`${screen.path}/card`, { ...fieldsOf(entered, ''), token: 'tok_ok' }),
    () => browser.post(`${screen.path}/buy`, fieldsOf(declined, `${screen.path}/buy`)),
  ]
  let pressed: ReturnType<(typeof presses)[number]>[] = []
  const disabling = beforeCommit(ports, async () => {
    pressed = presses.map(press => press())
    await untilWaiting(ports.db.sql, presses.length)
  })
  const { businessId, businessUserId } = till
  await updateBusinessUser(
    { ...disabling, revocations: NOBODY_HEARS },
    { businessId, businessUserId, edit: { status: 'DISABLED' } },
  )
  assert.deepEqual(
    (await Promise.all(pressed)).map(({ statusCode }) => statusCode),
    [303, 403],
  )
  await world.work()
  assert.deepEqual(await cardsOf(till), before)
  assert.equal((await till.merchant.invoices()).length, 1)
  assert.match((await browser.get(screen.path)).body, /This cannot be bought now/)
})

test('a card added before its user is disabled stays', async () => {
  const { till, screen, browser } = await opened('tok_insufficient_funds')
  const entered = (await browser.get(`${screen.path}/card`)).body
  const fields = { ...fieldsOf(entered, ''), token: 'tok_ok' }
  assert.equal((await browser.post(`${screen.path}/card`, fields)).statusCode, 303)
  await edit(till, { status: 'DISABLED' })
  assert.equal((await cardsOf(till)).length, 2)
})
