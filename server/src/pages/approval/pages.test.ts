import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { inviteTo, newEmail, newPerson, PASSWORD } from '../../../test/support/people.ts'
import { assertionOf } from '../../../test/support/tokens.ts'
import { fieldsOf, newVisitor, type Visitor } from '../../../test/support/visitor.ts'
import { type Credentials, createWorld, type World } from '../../../test/support/world.ts'

const BACK = 'https://app.example/back?from=tillhook'
const PATH = '/applications/authorize'
const [APPROVE, DECLINE] = [`${PATH}/approve`, `${PATH}/decline`]

let world: World
let app: Credentials
before(async () => {
  world = await createWorld()
  app = await newApp([BACK, 'https://app.example/other'])
})
after(() => world?.close())

async function newApp(callbackUrls: string[]): Promise<Credentials> {
  const made = await world.developer(`BeanCounter-${v7().slice(-6)}`)
  await world.call('PATCH', `/apps/${made.appId}`, { callbackUrls })
  return made
}

async function newMerchant(role: 'OWNER' | 'MANAGER' | 'VIEWER' = 'OWNER') {
  const { businessId } = await world.merchant({ card: 'none' })
  const person = await newPerson(world, { kind: 'MERCHANT', businessId }, role)
  return { businessId, person, browser: newVisitor(world.app, person.token) }
}

const address = (asked: Record<string, string>) => `${PATH}?${new URLSearchParams(asked)}`
const ours = (more: Record<string, string> = {}) => ({ client_id: app.appId, redirect_uri: BACK, ...more })
const approvalsOf = async (businessId: string) => (await world.call('GET', `/businesses/${businessId}/approvals`)).list

async function answer(browser: Visitor, asked: Record<string, string>, action: string, changed = {}) {
  const { body } = await browser.get(address(asked))
  return browser.post(action, { ...fieldsOf(body, action), ...changed })
}

function parametersOf(location: unknown): Record<string, string> {
  const url = new URL(String(location))
  assert.equal(`${url.origin}${url.pathname}`, 'https://app.example/back')
  return Object.fromEntries(url.searchParams)
}

async function exchange(code: string, of: Credentials = app, redirect_uri = BACK) {
  const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: of.appId, code, redirect_uri })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const assertion = await assertionOf(world, of)
  return world.ask(assertion, 'POST', '/token', { headers, body: body.toString() })
}

test('a merchant approves and is redirected with a code, which is exchanged for a token once', async () => {
  const { browser, businessId } = await newMerchant()
  const asked = ours({ rights: 'READ,SUBSCRIBE', context: 'table 7' })
  const shown = await browser.get(address(asked))
  assert.equal(shown.statusCode, 200)
  for (const words of [/See your subscriptions/, /you will be charged/, /by BeanCounter/, /Corner Shop/]) {
    assert.match(shown.body, words)
  }
  const policy = String(shown.headers['content-security-policy'])
  assert.match(policy, /form-action 'self' https:\/\/app\.example;/)
  assert.match(policy, /frame-ancestors 'none'/)
  const approved = await answer(browser, asked, APPROVE)
  assert.equal(approved.statusCode, 303)
  const { code = '', ...parameters } = parametersOf(approved.headers.location)
  assert.deepEqual(parameters, { from: 'tillhook', status: 'success', businessId, context: 'table 7' })
  assert.deepEqual((await approvalsOf(businessId))[0].rights, ['READ', 'SUBSCRIBE'])

  const swapped = await exchange(code, await newApp([BACK]))
  assert.deepEqual([swapped.status, swapped.body.error], [400, 'invalid_grant'])
  assert.equal((await exchange(code, app, 'https://app.example/other')).status, 400)
  const token = (await exchange(code)).body.accessToken
  assert.equal((await world.ask(token, 'GET', `/businesses/${businessId}`)).status, 200)
  assert.equal((await exchange(code)).status, 400)
  // A code presented twice was stolen: its grant has ended.
  assert.equal((await world.ask(token, 'GET', `/businesses/${businessId}`)).status, 401)
})

test('a merchant declines, and the app learns nothing', async () => {
  const { browser, businessId } = await newMerchant()
  const declined = await answer(browser, ours({ context: 'c' }), DECLINE)
  assert.deepEqual(parametersOf(declined.headers.location), { from: 'tillhook', status: 'fail', context: 'c' })
  assert.deepEqual(await approvalsOf(businessId), [])
})

test('an approved merchant is redirected at once, and further rights show the page again', async () => {
  const { browser } = await newMerchant()
  await answer(browser, ours(), APPROVE)
  const again = await browser.get(address(ours()))
  assert.deepEqual([again.statusCode, parametersOf(again.headers.location).status], [303, 'success'])
  // Coming from our own sign-in, whose policy knows no app address, the page continues by itself.
  const fromSignIn = await browser.get(address(ours()), { 'sec-fetch-site': 'same-origin' })
  assert.equal(fromSignIn.statusCode, 200)
  const to = String(fromSignIn.headers.refresh).replace('0;url=', '')
  assert.equal(parametersOf(to).status, 'success')
  assert.equal((await browser.get(address(ours({ rights: 'SUBSCRIBE' })))).statusCode, 200)
})

test('older parameter names are accepted, and a single callback may be omitted', async () => {
  const { browser } = await newMerchant()
  const older = { applicationId: app.appId, callback: BACK }
  assert.equal(parametersOf((await answer(browser, older, APPROVE)).headers.location).status, 'success')
  const single = await newApp([BACK])
  const other = await newMerchant()
  const { headers } = await answer(other.browser, { client_id: single.appId }, APPROVE)
  assert.equal(parametersOf(headers.location).businessId, other.businessId)
})

test('no trick redirects to an address that the app did not register', async () => {
  const { browser } = await newMerchant()
  const good = fieldsOf((await browser.get(address(ours()))).body, APPROVE)
  for (const redirect_uri of [
    'https://app.example/back',
    `${BACK}&x=1`,
    `${BACK}/`,
    'https://app.example/back/?from=tillhook',
    'https://APP.example/back?from=tillhook',
    'https://app.example/Back?from=tillhook',
    'https://app.example/x/../back?from=tillhook',
    'https://app.example/back%3Ffrom=tillhook',
    'https://app.example%2F@evil.example/back?from=tillhook',
    'https://app.example:8443/back?from=tillhook',
    'https://app.example@evil.example/back?from=tillhook',
    'https://app.example.evil.example/back?from=tillhook',
    'http://app.example/back?from=tillhook',
    `${BACK}#fragment`,
    ` ${BACK}`,
    `${BACK}\n`,
    '//app.example/back?from=tillhook',
    '/back',
    'javascript:alert(1)',
    'data:text/html,x',
    '',
  ]) {
    const asked = await browser.get(address(ours({ redirect_uri })))
    const posted = [
      await browser.post(APPROVE, { ...good, redirect_uri }),
      await browser.post(DECLINE, { csrf: good.csrf ?? '', client_id: app.appId, redirect_uri }),
    ]
    for (const { statusCode, headers, body } of [asked, ...posted]) {
      assert.deepEqual([statusCode, headers.location, headers.refresh], [400, undefined, undefined], redirect_uri)
      assert.match(body, /This link is not valid/)
      assert.doesNotMatch(body, /evil\.example|javascript:/)
    }
  }
})

test('a wrong request is rejected before the sign-in', async () => {
  const off = await newApp([BACK])
  await world.call('PATCH', `/apps/${off.appId}`, { status: 'DISABLED' })
  const several = ours()
  const cases: [Record<string, string>, number][] = [
    [{}, 400],
    [{ client_id: 'me', redirect_uri: BACK }, 400],
    [{ client_id: `urn:aid:${v7()}`, redirect_uri: BACK }, 404],
    [{ client_id: several.client_id }, 400],
    [{ client_id: off.appId }, 409],
    [ours({ rights: 'EVERYTHING' }), 400],
    [ours({ context: 'x'.repeat(4097) }), 400],
    [ours({ context: '€'.repeat(1366) }), 400],
    [ours({ context: '"'.repeat(2400) }), 400],
  ]
  for (const [asked, status] of cases) {
    const { statusCode, headers, body } = await newVisitor(world.app).get(address(asked))
    assert.deepEqual([statusCode, headers.location], [status, undefined], JSON.stringify(asked).slice(0, 99))
    assert.match(body, /Nothing was approved/)
  }
  const twice = await newVisitor(world.app).get(`${address(ours())}&client_id=x`)
  assert.equal(twice.statusCode, 400)
})

test('the sign-in returns to the request with all its parameters, with any context', async () => {
  const { person } = await newMerchant()
  for (const context of [`a&b=c#d?e%20+ü€😀"'<>\\ `, 'x'.repeat(4096), '"'.repeat(2330)]) {
    const browser = newVisitor(world.app)
    const sent = await browser.get(address(ours({ context })))
    assert.match(String(sent.headers.location), /^\/sign-in\?next=/)
    const { body } = await browser.get(String(sent.headers.location))
    const fields = { ...fieldsOf(body, '/sign-in'), email: person.email, password: PASSWORD }
    const signedIn = await browser.post('/sign-in', fields)
    assert.equal(signedIn.statusCode, 303)
    const shown = await browser.get(String(signedIn.headers.location))
    const { headers } = await browser.post(DECLINE, fieldsOf(shown.body, DECLINE))
    assert.equal(parametersOf(headers.location).context, context)
  }
})

test('only an owner or a manager approves, and only a business', async () => {
  for (const role of ['MANAGER', 'VIEWER'] as const) {
    const { browser, businessId } = await newMerchant(role)
    const shown = await browser.get(address(ours()))
    const owner = await newMerchant()
    const form = fieldsOf((await owner.browser.get(address(ours()))).body, APPROVE)
    const { csrf = '' } = fieldsOf(shown.body, DECLINE)
    const posted = await browser.post(APPROVE, { ...form, csrf, businessId })
    assert.deepEqual([shown.statusCode, posted.statusCode], role === 'MANAGER' ? [200, 303] : [403, 403])
    assert.equal((await approvalsOf(businessId)).length, role === 'MANAGER' ? 1 : 0)
    assert.equal((await browser.post(DECLINE, { ...form, csrf })).statusCode, 303)
  }
  const { organizationId } = await world.developer('Elsewhere')
  const developer = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const shown = await newVisitor(world.app, developer.token).get(address(ours()))
  assert.equal(shown.statusCode, 403)
  assert.match(shown.body, /Only a business can approve apps/)
})

test('without its form token, from another session or from another site, nothing is approved', async () => {
  const [ann, bob] = [await newMerchant(), await newMerchant()]
  const fields = fieldsOf((await ann.browser.get(address(ours()))).body, APPROVE)
  const statuses = [
    await ann.browser.post(APPROVE, { ...fields, csrf: '' }),
    await bob.browser.post(APPROVE, fields),
    await ann.browser.post(APPROVE, fields, { origin: 'https://evil.example' }),
    await ann.browser.post(APPROVE, fields, { origin: 'null' }),
    await ann.browser.post(APPROVE, fields, { 'sec-fetch-site': 'cross-site' }),
  ].map(({ statusCode }) => statusCode)
  assert.deepEqual(statuses, Array(5).fill(403))
  assert.deepEqual([...(await approvalsOf(ann.businessId)), ...(await approvalsOf(bob.businessId))], [])
})

test('if the session ends, the sign-in returns to the question, and nothing was approved', async () => {
  const { browser, businessId, person } = await newMerchant()
  const fields = fieldsOf((await browser.get(address(ours()))).body, APPROVE)
  assert.equal((await world.ask(person.token, 'DELETE', '/sessions/current')).status, 204)
  const referer = `http://pay.example${address(ours())}`
  const posted = await browser.post(APPROVE, fields, { referer, host: 'pay.example' })
  assert.equal(posted.headers.location, `/sign-in?next=${encodeURIComponent(address(ours()))}`)
  assert.deepEqual(await approvalsOf(businessId), [])
})

test('after a switch to another business the question is asked again for that business', async () => {
  const [first, second] = [await world.merchant({ card: 'none' }), await world.merchant({ card: 'none' })].map(
    ({ businessId }) => businessId,
  )
  assert.ok(first && second)
  const email = newEmail()
  const person = await newPerson(world, { kind: 'MERCHANT', businessId: first }, 'OWNER', { email })
  const { secret } = await inviteTo(world, { kind: 'MERCHANT', businessId: second }, 'OWNER', { email })
  const joined = await world.ask(null, 'POST', '/memberships', { body: { secret, password: PASSWORD } })
  const browser = newVisitor(world.app, person.token)
  const shown = (await browser.get(address(ours()))).body
  assert.match(shown, /href="\/choose-workspace\?next=/)
  const { membershipId } = joined.body
  await world.ask(person.token, 'PATCH', '/sessions/current', { body: { membershipId } })
  const again = await browser.post(APPROVE, fieldsOf(shown, APPROVE))
  assert.equal(again.statusCode, 200)
  assert.match(again.body, /Nothing was approved yet/)
  assert.deepEqual([...(await approvalsOf(first)), ...(await approvalsOf(second))], [])
  const approved = await browser.post(APPROVE, fieldsOf(again.body, APPROVE))
  assert.equal(parametersOf(approved.headers.location).businessId, second)
})

test('two concurrent presses are one approval, and each response has its own code', async () => {
  const { browser, businessId } = await newMerchant()
  const fields = fieldsOf((await browser.get(address(ours()))).body, APPROVE)
  const pressed = await Promise.all([browser.post(APPROVE, fields), browser.post(APPROVE, fields)])
  const codes = pressed.map(({ headers }) => parametersOf(headers.location).code)
  assert.equal(new Set(codes).size, 2)
  assert.equal((await approvalsOf(businessId)).length, 1)
})
