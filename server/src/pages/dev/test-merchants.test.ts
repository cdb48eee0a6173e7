import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { formOf, type Visitor, visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const LIST = '/dev/test-merchants'
let packages = 0

async function developer(role: PersonRole = 'ADMIN', organizationId?: string) {
  const own =
    organizationId ??
    (await world.call('POST', '/organizations', { name: 'Lakeside', email: 'dev@lake.example' })).organizationId
  const person = await newPerson(world, { kind: 'DEVELOPER', organizationId: own }, role)
  return { organizationId: own as string, ...visiting(world, person.token) }
}

async function newMerchant(ann: Pick<Visitor, 'send'>, fields = { name: 'Test café', country: 'US' }): Promise<string> {
  const made = await ann.send(LIST, fields)
  assert.equal(made.status, 303, made.words)
  assert.match(made.location, /^\/dev\/test-merchants\/[0-9a-f-]{36}\?done=created$/)
  return made.location.replace(/\?.*/, '')
}

async function newPlan(organizationId: string, plan: object = {}): Promise<string> {
  const [planId = ''] = await newPlans(organizationId, [plan])
  return planId
}

/** Approved plans of a new app. */
async function newPlans(organizationId: string, plans: readonly object[]): Promise<string[]> {
  packages++
  const made = await world.call('POST', '/apps', {
    organizationId,
    name: 'Planner',
    packageName: `com.example.tm${packages}`,
  })
  const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
  const definitions = plans.map(plan => ({ name: 'Pro', amounts, interval: 'MONTH', scope: 'BUSINESS', ...plan }))
  const release = await world.call('POST', `/apps/${made.appId}/releases`, { version: '1', plans: definitions })
  await world.call('POST', `/apps/${made.appId}/releases/${release.releaseId}/approve`, {}, 200)
  return release.plans.map(({ planId }: { planId: string }) => planId)
}

/** Reads the forecast, and moves the clock as the forecast says. */
async function moved(ann: Pick<Visitor, 'get' | 'post'>, at: string, query: string) {
  const forecast = await ann.get(`${at}/clock?${query}`)
  assert.equal(forecast.status, 200, forecast.words)
  const form = formOf(forecast.text, `${at}/clock`) ?? assert.fail(forecast.words)
  const answer = await whileWorking(ann.post(`${at}/clock`, form.hidden))
  return { ...answer, forecast: forecast.words, form: form.hidden }
}

async function whileWorking<T>(answer: Promise<T>): Promise<T> {
  let isDone = false
  void answer.finally(() => {
    isDone = true
  })
  for (let turns = 0; turns < 1_000 && !isDone; turns++) await world.work()
  return answer
}

/** Presses a button while the world's background work runs. */
async function pressed(ann: Pick<Visitor, 'send'>, path: string, fields: Record<string, string>) {
  return whileWorking(ann.send(path, fields))
}

test('a test merchant is created by one press, subscribes, and pays for months on its clock', async () => {
  const ann = await developer()
  const planId = await newPlan(ann.organizationId)
  const at = await newMerchant(ann)
  const { words } = await ann.get(at)
  assert.match(words, /Test card ok/)
  assert.match(words, /No current subscription/)
  assert.doesNotMatch(words, /To the next charge/)
  const subscribed = await pressed(ann, at, { planId })
  assert.equal(subscribed.location, `${at}?done=subscribed`, subscribed.words)
  assert.match((await ann.get(at)).words, /To the next charge .*Planner, Pro Active \$5\.00 on/)
  for (const by of ['day', 'week', 'month', 'renewal']) {
    const { location, words } = await moved(ann, at, `by=${by}`)
    assert.match(location, new RegExp(`^${at}\\?done=advanced&since=2`), words)
  }
  const { list: invoices } = await world.call('GET', `/businesses/${at.slice(LIST.length + 1)}/invoices`)
  assert.deepEqual(
    invoices.map(({ status, amount }: { status: string; amount: number }) => [status, amount]),
    Array(3).fill(['PAID', 500]),
  )
  const [{ invoiceId }] = invoices
  const { hidden } = formOf((await ann.get(at)).text, `${at}/dispute`) ?? assert.fail('the form')
  const disputed = (status: string) => ann.post(`${at}/dispute`, { ...hidden, invoiceId, status })
  for (const status of ['OPEN', 'WON']) {
    const sent = await disputed(status)
    assert.equal(sent.location, `${at}?done=disputed`, sent.words)
    if (status === 'OPEN') assert.match((await ann.get('/dev/disputes')).words, /Until [^$]* in real time/)
  }
  assert.match((await disputed('LOST')).words, /The dispute has already been decided/)
  assert.match((await ann.get('/dev/disputes')).words, /Test café.* Won/)
  const card = await ann.send(at, { token: 'tok_insufficient_funds' })
  assert.equal(card.location, `${at}?done=card`)
  await moved(ann, at, 'by=renewal')
  const { words: after, text } = await ann.get(at)
  assert.match(after, /Past due Next attempt/)

  const one = /href="(\/dev\/apps\/[^"]+\/subscriptions\/[^"]+)"/.exec(text)?.[1] ?? assert.fail('the subscription')
  const shown = await ann.get(one)
  assert.match(shown.text, new RegExp(`href="${at}/subscriptions/${one.split('/').at(-1)}/plan"`))
  assert.match(shown.words, /Test café Past due Pro .* Details Merchant Test café Plan Pro Price \$5\.00/)
  assert.match(shown.words, /Invoices, newest first/)
  const appId = one.split('/')[3] ?? ''
  const list = `/dev/subscriptions?appId=${appId}`
  const app = await ann.get(`/dev/apps/${appId}`)
  assert.match(app.words, /Active subscriptions 1/)
  assert.ok(app.text.includes(`href="${list}"`))
  assert.match((await ann.get(`${list}&state=PAST_DUE`)).words, /Past due 1 .*Test café .* Pro .* Past due/)
  assert.match((await ann.get(`${list}&state=ENDED`)).words, /Ended 0 .*No subscriptions here/)
  const eve = await developer()
  assert.equal((await eve.get(one)).status, 404)
  assert.doesNotMatch((await eve.get(`${list}&state=PAST_DUE`)).words, /Past due 1|Test café/)
  const endpoint = { deliveryUrl: 'http://127.0.0.1:9/one', eventTypes: 'APPLICATION_SUBSCRIPTION_END' }
  const add = (merchant: string) => ann.send(`/dev/apps/${appId}/endpoint`, { ...endpoint, merchant })
  assert.match((await add('Nobody')).words, /None of your merchants has this name or ID/)
  assert.equal((await add('Test café')).status, 200)
  const { hooks } = await world.call('GET', `/hooks?applicationId=urn:aid:${appId}`)
  assert.deepEqual(
    hooks.map((hook: { businessId: string }) => hook.businessId),
    [at.split('/').at(-1)],
  )
  const paid = await ann.send(at, { token: 'tok_ok' })
  assert.match((await ann.get(paid.location)).text, /<main [^>]*data-refresh/, 'the charge is under way')
  await world.work()
  const settled = await ann.get(paid.location)
  assert.match(settled.words, /Planner, Pro Active/)
  assert.doesNotMatch(settled.text, /<main [^>]*data-refresh/)
  const own = await newPlan(eve.organizationId)
  assert.ok(own)
  const foreignApp = (await world.call('GET', `/apps?organizationId=${eve.organizationId}`)).apps[0].appId
  const mixed = `/dev/apps/${foreignApp.slice('urn:aid:'.length)}/subscriptions/${one.split('/').at(-1)}`
  assert.equal((await eve.get(mixed)).status, 404)
})

test('plans of stores and terminals are sold to the merchant’s own terminal', async () => {
  const ann = await developer()
  const plans = [
    await newPlan(ann.organizationId, { scope: 'STORE' }),
    await newPlan(ann.organizationId, { scope: 'DEVICE' }),
  ]
  const at = await newMerchant(ann)
  for (const planId of plans) {
    const { location, words } = await pressed(ann, at, { planId })
    assert.equal(location, `${at}?done=subscribed`, words)
  }
})

test('wrong input is named, a declined card and a second subscription are explained, and nothing else changes', async () => {
  const ann = await developer()
  const planId = await newPlan(ann.organizationId)
  for (const [fields, problem] of [
    [{ name: '', country: 'US' }, /Enter a name/],
    [{ name: 'Café', country: 'U' }, /Choose a country/],
    [{ name: 'Café', country: 'ZZ' }, /Choose a country/],
  ] as const) {
    const answer = await ann.send(LIST, fields)
    assert.equal(answer.status, 400, JSON.stringify(fields))
    assert.match(answer.words, problem)
  }
  assert.match((await ann.get(LIST)).words, /No test merchants yet/)
  const at = await newMerchant(ann, { name: '<script>alert(1)</script> مقهى', country: 'US' })
  assert.doesNotMatch((await ann.get(LIST)).text, /<script>alert/)
  await ann.send(at, { token: 'tok_stolen' })
  const declined = await pressed(ann, at, { planId })
  assert.equal(declined.status, 409)
  assert.match(declined.words, /declined/i)
  await ann.send(at, { token: 'tok_action_required' })
  const asked = await ann.get((await pressed(ann, at, { planId })).location)
  assert.match(asked.words, /The first payment is open.* The bank asks for a confirmation/)
  const [, bank = ''] = /href="[^"]*(\/test-bank\/[^"]+)"/.exec(asked.text) ?? assert.fail(asked.text)
  assert.match((await ann.send(bank, { answer: 'decline', back: at })).text, new RegExp(`Declined<.*href="${at}"`, 's'))
  await world.work()
  assert.doesNotMatch((await ann.get(at)).text, /test-bank/)
  await ann.send(at, { token: 'tok_ok' })
  assert.equal((await pressed(ann, at, { planId })).status, 303)
  const twice = await pressed(ann, at, { planId })
  assert.equal(twice.status, 409)
  assert.match(twice.words, /still live/)
})

test('another organization gets 404 for the merchant, a live merchant is not listed, and a viewer has no buttons', async () => {
  const ann = await developer()
  const planId = await newPlan(ann.organizationId)
  const at = await newMerchant(ann)
  const eve = await developer()
  const hers = await newMerchant(eve)
  assert.equal((await eve.get(at)).status, 404)
  const foreign = await eve.send(hers, { planId })
  assert.equal(foreign.status, 409)
  assert.match(foreign.words, /None of your apps sells this plan/)
  const { businessId } = await world.merchant()
  assert.equal((await ann.get(`${LIST}/${businessId}`)).status, 404)
  const vic = await developer('VIEWER', ann.organizationId)
  assert.doesNotMatch((await vic.get(LIST)).text, /Create a test merchant</)
  assert.doesNotMatch((await vic.get(at)).text, /Use this card|Move the clock|>Subscribe<|Dispute</)
})

test('the forecast of a month lists each charge and event, and the page then shows the results', async () => {
  const ann = await developer()
  const planId = await newPlan(ann.organizationId, { trialPeriodDays: 7 })
  const at = await newMerchant(ann)
  assert.match((await ann.get(`${at}/clock?by=month`)).words, /Nothing is due until then/)
  assert.equal((await pressed(ann, at, { planId })).location, `${at}?done=subscribed`)
  const { forecast, location, form } = await moved(ann, at, 'by=month')
  assert.match(forecast, /The trial of Pro ends soon .*TRIAL_ENDING/)
  assert.match(forecast, /The trial of Pro ends .*PHASE_CHANGE/)
  assert.match(forecast, /\$5\.00 charged for Pro .*PAYMENT_SUCCESS .* The card: Test card ok/)
  const { words } = await ann.get(location)
  assert.match(words, /What happened since .* \$5\.00 paid .* Invoice T-\S+ issued/)
  assert.doesNotMatch((await ann.get(at)).words, /What happened/)
  const twice = await ann.post(`${at}/clock`, form)
  assert.equal(twice.location, at, 'pressed twice')
  const { list } = await world.call('GET', `/businesses/${at.slice(LIST.length + 1)}/invoices`)
  assert.equal(list.length, 1)
})

test('a clock moves to a chosen day, never back, and not beyond the quota', async () => {
  const ann = await developer()
  const at = await newMerchant(ann)
  const next = new Date(world.clock.now().getTime() + 40 * 86_400_000).toISOString().slice(0, 10)
  const { words } = await ann.get((await moved(ann, at, `date=${next}`)).location)
  assert.match(words, /The clock was moved .* Nothing was due/)
  for (const query of ['date=2001-01-01', 'date=', 'date=2026-13-45', 'date=9999-01-01', 'by=year', 'by=renewal', ''])
    assert.ok([400, 404, 409].includes((await ann.get(`${at}/clock?${query}`)).status), query)
  const again = await ann.get(`${at}/clock?date=2001-01-01`)
  assert.match(again.words, /A clock moves forward only/)
  assert.match(again.text, /<input[^>]*value="2001-01-01"/, 'the form is kept, with the choice')
  const { csrf = '' } = formOf((await ann.get(at)).text)?.hidden ?? {}
  for (const to of ['x', '2001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'])
    assert.ok([400, 409].includes((await ann.post(`${at}/clock`, { csrf, to })).status), to)
  const eve = await developer()
  const hers = formOf((await eve.get(await newMerchant(eve))).text)?.hidden.csrf ?? ''
  const to = '2030-01-01T00:00:00Z'
  assert.equal((await eve.get(`${at}/clock?by=day`)).status, 404)
  assert.equal((await eve.post(`${at}/clock`, { csrf: hers, to })).status, 404)
  assert.equal((await eve.post(`${at}/simulator`, { csrf: hers })).status, 404)
  const vic = await developer('VIEWER', ann.organizationId)
  assert.equal((await vic.get(`${at}/clock?by=day`)).status, 403)
})

test('a plan change is previewed and made once, and another organization gets 404', async () => {
  const ann = await developer()
  const amounts = [{ country: 'US', currency: 'USD', value: 2_000 }]
  const [small = '', large = ''] = await newPlans(ann.organizationId, [{}, { name: 'Large', amounts }])
  const at = await newMerchant(ann)
  await pressed(ann, at, { planId: small })
  const { text } = await ann.get(at)
  const path = /[^"]+\/subscriptions\/[0-9a-f-]{36}\/plan/.exec(text)?.[0] ?? assert.fail('the link')
  assert.match((await ann.get(path)).words, /is on Pro\. .* Large \$20\.00 per month/)
  assert.match((await ann.get(`${path}?planId=${large}&when=PERIOD_END`)).words, /Charged on/)
  const preview = await ann.get(`${path}?planId=${large}&when=NOW`)
  assert.match(preview.words, /Change to Large\? .* Charge \$15\.\d\d and change/)
  const { hidden = {} } = formOf(preview.text, path) ?? {}
  const asked = await ann.post(path, { ...hidden, amount: '1' })
  assert.equal(asked.status, 200, 'more than was agreed is asked again')
  assert.match(asked.words, /Change to Large\?/)
  for (let n = 0; n < 2; n++) {
    const { location, words } = await whileWorking(ann.post(path, hidden))
    assert.equal(location, `${at}?done=changed`, words)
  }
  const { list } = await world.call('GET', `/businesses/${at.slice(LIST.length + 1)}/invoices`)
  assert.equal(list.length, 2, 'pressed twice')
  assert.match((await ann.get(`${path}?planId=${large}&when=NOW`)).words, /The plan was not changed/)
  const eve = await developer()
  assert.equal((await eve.get(path)).status, 404)
  const hers = formOf((await eve.get(await newMerchant(eve))).text)?.hidden.csrf ?? ''
  assert.equal((await eve.post(path, { ...hidden, csrf: hers })).status, 404)
  const vic = await developer('VIEWER', ann.organizationId)
  assert.equal((await vic.get(path)).status, 403)
})

test('the terminal opens in the simulator with a new code and a user, any number of times', async () => {
  const ann = await developer()
  const at = await newMerchant(ann)
  const codes = new Set<string>()
  for (let n = 0; n < 2; n++) {
    const { status, text, words } = await ann.send(at, {}, `${at}/simulator`)
    assert.equal(status, 200, words)
    assert.match(words, /User ID cashier Passcode 7391/)
    codes.add(/\/simulator#activationCode=([\w-]+)&amp;userId=cashier/.exec(text)?.[1] ?? assert.fail(text))
  }
  assert.equal(codes.size, 2)
  const [activationCode] = [...codes].slice(-1)
  const { publicKey } = (await import('node:crypto')).generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  assert.equal(
    (await world.ask(null, 'POST', '/devices/activate', { body: { activationCode, publicKey: pem } })).status,
    201,
  )
})
