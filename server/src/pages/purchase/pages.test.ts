import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { v7 } from 'uuid'
import { newPerson, type Person } from '../../../test/support/people.ts'
import { newTill, type OpenScreen, type Till } from '../../../test/support/purchases.ts'
import { fieldsOf, newVisitor, type Visitor } from '../../../test/support/visitor.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { isRejection } from '../../core/rejection.ts'
import { openPurchase } from '../../money/billing/open-purchase.ts'

const START = '2026-03-01T10:00:00Z'

let world: World
const logged: string[] = []
before(async () => {
  const log = pino({ level: 'trace' }, { write: line => void logged.push(line) })
  world = await createWorld({ at: START, log })
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

const heading = (body: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1]
async function count({ businessId }: Till): Promise<number> {
  await world.work()
  return (await world.call('GET', `/apps/${world.appId}/subscriptions?businessId=${businessId}`)).total
}

test('the secret is exchanged for a cookie of this purchase, and no address contains the secret afterwards', async () => {
  const till = await newTill(world)
  const screen = await till.open({ planId: await world.plan() })
  const browser = newBrowser()
  const entered = await browser.get(screen.url)
  assert.equal(entered.statusCode, 303)
  assert.equal(entered.headers.location, screen.path)
  assert.equal(entered.headers['referrer-policy'], 'same-origin')
  const cookie = String(entered.headers['set-cookie'])
  assert.equal(cookie, `tillhook-purchase=${screen.key}; Path=${screen.path}; HttpOnly; SameSite=Lax; Max-Age=3600`)
  const shown = await browser.get(screen.path)
  assert.equal(heading(shown.body), 'Pro')
  assert.ok(!shown.body.includes(screen.key))
  const elsewhere = await till.open({ planId: await world.plan() })
  assert.equal((await browser.get(elsewhere.path)).statusCode, 404)
})

test('an incomplete address shows a friendly page that reveals nothing', async () => {
  const till = await newTill(world)
  const screen = await till.open({ planId: await world.plan() })
  const said = new Set<string>()
  const other = await (await newTill(world)).open({ planId: await world.plan() })
  for (const url of [
    screen.path,
    `${screen.path}?key=`,
    `${screen.path}?key=${'x'.repeat(43)}`,
    `${screen.path}?key=${other.key}`,
    `${screen.path}/card`,
    `/purchases/${v7()}`,
    `/purchases/${v7()}?key=${screen.key}`,
  ]) {
    const { statusCode, body, headers } = await newBrowser().get(url)
    assert.equal(statusCode, 404, url)
    assert.equal(headers['set-cookie'], undefined)
    said.add(body)
  }
  assert.equal(said.size, 1)
  const long = await newBrowser().get(`${screen.path}?key=${'x'.repeat(300)}`)
  const malformed = await newBrowser().get('/purchases/1')
  assert.deepEqual([long.statusCode, malformed.statusCode], [400, 400])
  for (const verb of ['buy', 'cancel', 'card', 'pay']) {
    const posted = await newBrowser().post(`${screen.path}/${verb}`, { csrf: 'x' })
    assert.equal(posted.statusCode, 403, verb)
  }
  assert.equal((await till.purchase(screen)).status, 'OPEN')
})

test('a purchase confirmed twice, by two browsers at once, and again later is made once, and all see the same result', async () => {
  const till = await newTill(world)
  const screen = await till.open({ planId: await world.plan() })
  const other = await world.openAnother()
  const [one, two] = [newBrowser(), newBrowser(other)]
  const [shown, beside] = [(await enter(one, screen)).body, (await enter(two, screen)).body]
  const pressed = await Promise.all([
    pressBuy(one, screen, shown),
    pressBuy(one, screen, shown),
    pressBuy(two, screen, beside),
  ])
  assert.deepEqual(
    pressed.map(({ statusCode, headers }) => [statusCode, headers.location]),
    Array(3).fill([303, screen.path]),
  )
  const waiting = await one.get(screen.path)
  assert.equal(heading(waiting.body), 'The payment is being confirmed')
  assert.match(waiting.body, /<noscript><meta http-equiv="refresh" content="1"><\/noscript>/)
  assert.match(waiting.body, /<main [^>]*data-refresh="1"/)
  await world.work()
  assert.equal((await pressBuy(two, screen, beside)).headers.location, screen.path)
  const results = [await one.get(screen.path), await two.get(screen.path)]
  assert.deepEqual(
    results.map(({ statusCode, body }) => [statusCode, heading(body)]),
    Array(2).fill([200, 'Done']),
  )
  assert.equal(await count(till), 1)
  assert.equal((await till.merchant.invoices()).length, 1)
})

test('without its form token, from another site, or with fields that no form of ours has, nothing is bought', async () => {
  const till = await newTill(world)
  const screen = await till.open({ planId: await world.plan() })
  const browser = newBrowser()
  const fields = fieldsOf((await enter(browser, screen)).body, `${screen.path}/buy`)
  const statusOf = async (changed: Record<string, string>, headers = {}) =>
    (await browser.post(`${screen.path}/buy`, { ...fields, ...changed }, headers)).statusCode
  assert.equal(await statusOf({ csrf: '' }), 403)
  assert.equal(await statusOf({ csrf: `${fields.csrf}x` }), 403)
  assert.equal(await statusOf({}, { origin: 'https://evil.example' }), 403)
  assert.equal(await statusOf({}, { 'sec-fetch-site': 'cross-site' }), 403)
  for (const amount of ['', '-1', '1e3', '5.00', '9'.repeat(13)]) assert.equal(await statusOf({ amount }), 400, amount)
  assert.equal(await statusOf({ paymentMethodId: 'mine' }), 400)
  const foreign = await statusOf({ paymentMethodId: v7() })
  assert.equal(foreign, 404)
  const another = newBrowser()
  await enter(another, screen)
  assert.equal((await another.post(`${screen.path}/buy`, fields)).statusCode, 403)
  assert.deepEqual([(await till.purchase(screen)).status, await count(till)], ['OPEN', 0])
})

test('a price above the shown price is shown again and not charged, and can then be confirmed', async () => {
  const till = await newTill(world)
  await till.merchant.subscribe(await world.plan())
  const amounts = [{ country: 'US', currency: 'USD', value: 2000 }]
  const screen = await till.open({ planId: await world.plan({ amounts }), replace: true })
  const browser = newBrowser()
  const shown = (await enter(browser, screen)).body
  assert.match(shown, /<strong>\$15\.00<\/strong>/)
  world.clock.set('2026-03-01T10:14:00Z')
  try {
    for (const changed of [{}, { amount: '0' }, { price: '1999' }, { next: '0' }]) {
      const again = await pressBuy(browser, screen, shown, changed)
      assert.equal(again.statusCode, 200)
      assert.match(again.body, /The price has changed.*Today it is \$15\.01/s)
    }
    assert.equal((await till.merchant.invoices()).length, 1)
    const fresh = (await browser.get(screen.path)).body
    assert.equal((await pressBuy(browser, screen, fresh)).statusCode, 303)
    await world.work()
    const amountsPaid = (await till.merchant.invoices()).map(({ amountPaid }) => amountPaid)
    assert.deepEqual(amountsPaid.toSorted(), [1501, 500])
  } finally {
    world.clock.set(START)
  }
})

test('an ended purchase shows its result and stays ended', async () => {
  const till = await newTill(world)
  const planId = await world.plan()
  const [left, late] = [await till.open({ planId }), await till.open({ planId })]
  const browser = newBrowser()
  const cancel = { csrf: fieldsOf((await enter(browser, left)).body, `${left.path}/cancel`).csrf ?? '' }
  for (let i = 0; i < 2; i++)
    assert.equal((await browser.post(`${left.path}/cancel`, cancel)).headers.location, left.path)
  const gone = await browser.get(left.path)
  assert.deepEqual([gone.statusCode, heading(gone.body)], [410, 'Cancelled'])
  const shown = (await enter(browser, late)).body
  world.clock.set('2026-03-01T10:30:00Z')
  try {
    assert.equal((await pressBuy(browser, late, shown)).headers.location, late.path)
    const expired = await browser.get(late.path)
    assert.deepEqual([expired.statusCode, heading(expired.body)], [410, 'This took too long'])
    assert.equal((await browser.get(`${late.path}/card`)).headers.location, late.path)
    assert.equal(await count(till), 0)
  } finally {
    world.clock.set(START)
  }
})

test('a purchase completed on another screen is shown as completed and not charged again', async () => {
  const till = await newTill(world)
  const planId = await world.plan()
  const [first, second] = [await till.open({ planId }), await till.open({ planId })]
  const browser = newBrowser()
  const [shown, beside] = [(await enter(browser, first)).body, (await enter(browser, second)).body]
  const pressed = await Promise.all([pressBuy(browser, first, shown), pressBuy(browser, second, beside)])
  assert.deepEqual(pressed.map(({ statusCode }) => statusCode).toSorted(), [303, 409])
  const rejected = pressed.find(({ statusCode }) => statusCode === 409)
  assert.match(rejected?.body ?? '', /You have this plan already.*Nothing was bought/s)
  assert.equal(await count(till), 1)
})

test('a card with a hard decline is neither offered nor charged again by an old form', async () => {
  const till = await newTill(world, { card: 'tok_ok' })
  const first = await till.open({ planId: await world.plan() })
  const browser = newBrowser()
  await pressBuy(browser, first, (await enter(browser, first)).body)
  await world.work()
  await till.merchant.card('tok_stolen')
  const screen = await till.open({
    planId: await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 1_999 }] }),
    replace: true,
  })
  await pressBuy(browser, screen, (await enter(browser, screen)).body)
  await world.work()
  const shown = (await browser.get(screen.path)).body
  assert.match(shown, /The payment was declined/)
  assert.doesNotMatch(shown, /Declined|Try the same card again/)
  const form = fieldsOf(shown, `${screen.path}/pay`)
  const methods = await world.call('GET', `/businesses/${till.merchant.businessId}/payment-methods`)
  const [stolen, good] = methods.list
  const pay = (paymentMethodId: string) => browser.post(`${screen.path}/pay`, { ...form, paymentMethodId })
  await pay(stolen.paymentMethodId)
  await world.work()
  const attempts = async () => (await till.merchant.invoices()).at(-1)?.attempts.length
  assert.equal(await attempts(), 1)
  await pay(good.paymentMethodId)
  await world.work()
  assert.equal(await attempts(), 2)
  assert.equal((await till.merchant.invoices()).at(-1)?.status, 'PAID')
})

test('a card is added once with repeated forms, and a bad card is explained beside the field', async () => {
  const till = await newTill(world, { card: 'none' })
  const screen = await till.open({ planId: await world.plan() })
  const browser = newBrowser()
  const shown = (await enter(browser, screen)).body
  // Without a card the button is not there; pressed all the same, nothing happens.
  assert.doesNotMatch(shown, /BUY NOW/)
  assert.equal((await pressBuy(browser, screen, shown)).headers.location, screen.path)
  const card = `${screen.path}/card`
  const { csrf = '', once = '' } = fieldsOf((await browser.get(card)).body, '')
  for (const token of ['', 'tok_unknown']) {
    const { statusCode, body } = await browser.post(card, { csrf, once, token })
    assert.equal(statusCode, 400)
    assert.match(body, /id="token-problem"/)
  }
  assert.equal((await browser.post(card, { csrf, once: 'mine', token: 'tok_ok' })).statusCode, 400)
  for (let i = 0; i < 2; i++) assert.equal((await browser.post(card, { csrf, once, token: 'tok_ok' })).statusCode, 303)
  assert.equal((await world.call('GET', `/businesses/${till.businessId}/payment-methods`)).list.length, 1)
  assert.match((await browser.get(screen.path)).body, /BUY NOW/)
})

test('an app’s purchase needs a signed-in person with the right to subscribe, and returns after the sign-in', async () => {
  const { businessId, merchant } = await newTill(world)
  const appId = world.appId.slice('urn:aid:'.length)
  const opened = await openPurchase(world.app.ports, {
    appId,
    businessId,
    openedBy: 'APP',
    wanted: { planId: await world.plan() },
  })
  assert.ok(!isRejection(opened))
  const screen = { purchaseId: opened.purchase.purchaseId, path: new URL(opened.url).pathname, url: '', key: '' }
  const nobody = await newBrowser().get(screen.path)
  assert.equal(nobody.headers.location, `/sign-in?next=${encodeURIComponent(screen.path)}`)
  const asPerson = ({ token }: Person) => newBrowser(world.app, token)
  const workspace = { kind: 'MERCHANT', businessId } as const
  const elsewhere = { kind: 'MERCHANT', businessId: (await world.merchant()).businessId } as const
  const [viewer, foreigner] = [await newPerson(world, workspace, 'VIEWER'), await newPerson(world, elsewhere, 'OWNER')]
  for (const person of [viewer, foreigner]) {
    const { statusCode, body } = await asPerson(person).get(screen.path)
    assert.equal(statusCode, 404)
    assert.match(body, /only an owner or a manager may make it/)
  }
  const manager = asPerson(await newPerson(world, workspace, 'MANAGER'))
  const shown = (await manager.get(screen.path)).body
  // A form of another session is rejected.
  assert.equal((await pressBuy(asPerson(foreigner), screen, shown)).statusCode, 403)
  assert.equal((await pressBuy(manager, screen, shown)).headers.location, screen.path)
  await world.work()
  const done = (await manager.get(screen.path)).body
  assert.equal(heading(done), 'Done')
  assert.match(done, /href="\/my\/subscriptions"/)
  assert.equal((await merchant.invoices()).length, 1)
})

test('a form of an expired session leads to the sign-in and back, and a form without a session is rejected', async () => {
  const { businessId, merchant } = await newTill(world)
  const appId = world.appId.slice('urn:aid:'.length)
  const wanted = { planId: await world.plan() }
  const opened = await openPurchase(world.app.ports, { appId, businessId, openedBy: 'APP', wanted })
  assert.ok(!isRejection(opened))
  const path = new URL(opened.url).pathname
  const person = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  const browser = newBrowser(world.app, person.token)
  const fields = fieldsOf((await browser.get(path)).body, `${path}/buy`)
  assert.equal((await world.ask(person.token, 'DELETE', `/sessions/${person.sessionId}`)).status, 204)
  const from = (site: string) => ({ host: 'localhost', referer: `${site}${path}` })
  const pressed = await browser.post(`${path}/buy`, fields, from('http://localhost'))
  assert.equal(pressed.headers.location, `/sign-in?next=${encodeURIComponent(path)}`)
  const elsewhere = await browser.post(`${path}/buy`, fields, from('https://evil.example'))
  assert.equal(elsewhere.headers.location, '/sign-in?next=%2F')
  const nobodys = await newBrowser().post(`${path}/buy`, fields, from('http://localhost'))
  assert.equal(nobodys.statusCode, 403)
  assert.equal((await merchant.invoices()).length, 0)
})

/** The words of the audit trail for who changed a purchase last, and how. */
async function lastActOn(purchaseId: string) {
  const { entries } = await world.call('GET', `/audit?limit=1&resourceId=${purchaseId}`)
  const { principal, principalKind, operation } = entries[0]
  return { principal, principalKind, operation }
}

test('a confirmation at a terminal is audited for the terminal and its user, even if another person is signed in in the browser', async () => {
  const till = await newTill(world)
  const planId = await world.plan()
  const operator = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  const [, deviceId] = till.terminal.deviceId.split('urn:tid:')
  const act = {
    principal: `terminal:${deviceId}:${till.businessUserId}`,
    principalKind: 'terminal',
    operation: 'terminal.purchase',
  }
  for (const browser of [newBrowser(), newBrowser(world.app, operator.token)]) {
    const left = await till.open({ planId })
    const csrf = fieldsOf((await enter(browser, left)).body, `${left.path}/cancel`).csrf ?? ''
    assert.equal((await browser.post(`${left.path}/cancel`, { csrf })).statusCode, 303)
    assert.deepEqual(await lastActOn(left.purchaseId), act)
    const bought = await till.open({ planId: await world.plan() })
    assert.equal((await pressBuy(browser, bought, (await enter(browser, bought)).body)).statusCode, 303)
    assert.deepEqual(await lastActOn(bought.purchaseId), act)
  }
})

test("a confirmation of an app's purchase is audited for the signed-in person", async () => {
  const { businessId } = await newTill(world)
  const appId = world.appId.slice('urn:aid:'.length)
  const wanted = { planId: await world.plan() }
  const opened = await openPurchase(world.app.ports, { appId, businessId, openedBy: 'APP', wanted })
  assert.ok(!isRejection(opened))
  const { purchaseId } = opened.purchase
  const screen = { purchaseId, path: new URL(opened.url).pathname, url: '', key: '' }
  const owner = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  const browser = newBrowser(world.app, owner.token)
  assert.equal((await pressBuy(browser, screen, (await browser.get(screen.path)).body)).statusCode, 303)
  const principal = `merchant:${owner.userId}:${businessId}`
  assert.deepEqual(await lastActOn(purchaseId), {
    ...{ principal, principalKind: 'merchant', operation: 'subscriptions.subscribe' },
  })
})

test('neither the log nor the audit trail holds the secret', async () => {
  const till = await newTill(world)
  const screen = await till.open({ planId: await world.plan() })
  const browser = newBrowser()
  await pressBuy(browser, screen, (await enter(browser, screen)).body)
  await browser.get(`${screen.path}?key=${screen.key}x`)
  assert.ok(logged.some(line => line.includes(screen.path) || line.includes('/purchases/:purchaseId')))
  assert.ok(logged.every(line => !line.includes(screen.key)))
  const rows = await world.app.ports.db.sql<{ text: string }[]>`select a::text as text from audit_entries a`
  assert.ok(rows.some(({ text }) => text.includes(screen.purchaseId)))
  assert.ok(rows.every(({ text }) => !text.includes(screen.key)))
})
