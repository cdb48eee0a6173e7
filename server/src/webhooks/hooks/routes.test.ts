import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newBusiness, OPERATOR, type Tenants } from '../../../test/support/tenants.ts'
import { newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { Principal } from '../../core/principal.ts'
import { openSecrets } from './secret.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks[Symbol.asyncDispose]())

const URL = 'http://127.0.0.1:9/hook'
const body = (applicationId: string, more: object = {}) => ({
  applicationId,
  deliveryUrl: URL,
  secret: 'very secret',
  eventTypes: ['ORDER_UPDATED', 'APPLICATION_SUBSCRIPTION_START'],
  ...more,
})
const merchant = () => newBusiness(webhooks as unknown as Tenants)

test('the secret of a registered hook is masked and sealed', async () => {
  const { app, appId, businessId } = await newListening(webhooks)
  const made = await webhooks.call(app, 'POST', '/hooks', body(appId, { businessId }))
  assert.equal(made.status, 201)
  assert.deepEqual(made.body, {
    id: made.body.id,
    applicationId: appId,
    businessId,
    deliveryUrl: URL,
    secret: '********',
    eventTypes: ['APPLICATION_SUBSCRIPTION_START', 'ORDER_UPDATED'],
    active: true,
    createdAt: '2026-03-01T10:00:00Z',
    updatedAt: '2026-03-01T10:00:00Z',
  })
  assert.deepEqual((await webhooks.call(app, 'GET', `/hooks/${made.body.id}`)).body, made.body)
  const [row] = await webhooks.db.sql`select secret from hooks where hook_id = ${made.body.id}`
  assert.ok(!String(row?.secret).includes('very secret'))
  assert.equal(openSecrets(webhooks.ports.vault, row?.secret).secret, 'very secret')
})

test('registering the same hook again returns the hook with the new secret and activates it', async () => {
  const { app, appId } = await newListening(webhooks)
  const made = await webhooks.call(app, 'POST', '/hooks', body(appId))
  await webhooks.db.sql`update hooks set active = false, disabled_reason = 'gone' where hook_id = ${made.body.id}`
  const eventTypes = ['APPLICATION_SUBSCRIPTION_START', 'ORDER_UPDATED', 'ORDER_UPDATED']
  const again = await webhooks.call(app, 'POST', '/hooks', body(appId, { secret: 'newer', eventTypes }))
  assert.equal(again.status, 200)
  assert.deepEqual(again.body, made.body)
  const [row] = await webhooks.db.sql`select secret, disabled_reason from hooks where hook_id = ${made.body.id}`
  assert.equal(openSecrets(webhooks.ports.vault, row?.secret).secret, 'newer')
  assert.equal(row?.disabled_reason, null)
  const other = await webhooks.call(app, 'POST', '/hooks', body(appId, { deliveryUrl: `${URL}/2` }))
  assert.equal(other.status, 201)
})

test('the same hook registered many times at once exists once', async () => {
  const { app, appId } = await newListening(webhooks)
  const all = await Promise.all(Array.from({ length: 8 }, () => webhooks.call(app, 'POST', '/hooks', body(appId))))
  assert.equal(new Set(all.map(({ body }) => body.id)).size, 1)
  assert.deepEqual(all.map(({ status }) => status).sort(), [...Array(7).fill(200), 201])
})

test('an app has at most 50 hooks for a business, also with concurrent registrations', async () => {
  const { app, appId, businessId } = await newListening(webhooks)
  const register = (number: number, more: object = {}) =>
    webhooks.call(app, 'POST', '/hooks', body(appId, { businessId, deliveryUrl: `${URL}/${number}`, ...more }))
  const all = await Promise.all(Array.from({ length: 54 }, (_, number) => register(number)))
  assert.equal(all.filter(({ status }) => status === 201).length, 50)
  const rejected = all.filter(({ status }) => status === 409)
  assert.deepEqual([...new Set(rejected.map(({ body }) => body.code))], ['TOO_MANY_HOOKS'])
  const known = all.findIndex(({ status }) => status === 201)
  assert.equal((await register(known)).status, 200)
  assert.equal((await register(99, { businessId: undefined })).status, 201)
})

const WRONG: [title: string, more: Record<string, unknown>, code: string, path: string][] = [
  ['no secret', { secret: undefined }, 'MISSING_PARAMETER', 'secret'],
  ['an empty secret', { secret: '' }, 'INVALID_PARAMETER', 'secret'],
  ['a long secret', { secret: 'x'.repeat(256) }, 'INVALID_PARAMETER', 'secret'],
  ['a null secret', { secret: null }, 'INVALID_PARAMETER', 'secret'],
  ['a NUL in the secret', { secret: 'a\0' }, 'INVALID_PARAMETER', 'secret'],
  ['no URL', { deliveryUrl: undefined }, 'MISSING_PARAMETER', 'deliveryUrl'],
  ['another scheme', { deliveryUrl: 'ftp://a.example/' }, 'INVALID_PARAMETER', 'deliveryUrl'],
  ['credentials', { deliveryUrl: 'https://a:b@a.example/' }, 'INVALID_PARAMETER', 'deliveryUrl'],
  ['a private address', { deliveryUrl: 'http://10.0.0.1/' }, 'INVALID_PARAMETER', 'deliveryUrl'],
  ['a NUL in the URL', { deliveryUrl: 'http://a.example/\0' }, 'INVALID_PARAMETER', 'deliveryUrl'],
  ['a long URL', { deliveryUrl: `http://a.example/${'x'.repeat(2_048)}` }, 'INVALID_PARAMETER', 'deliveryUrl'],
  ['no event types', { eventTypes: [] }, 'INVALID_PARAMETER', 'eventTypes'],
  ['51 event types', { eventTypes: Array(51).fill('ORDER_OPENED') }, 'INVALID_PARAMETER', 'eventTypes'],
  ['an unknown event type', { eventTypes: ['ORDER_OPENED', 'ORDER_LOST'] }, 'INVALID_PARAMETER', 'eventTypes[1]'],
  ['a list in the list', { eventTypes: [['ORDER_OPENED']] }, 'INVALID_PARAMETER', 'eventTypes[0]'],
  ['an app id that is no URN', { applicationId: v7() }, 'INVALID_PARAMETER', 'applicationId'],
  ['a business id that is none', { businessId: 'x' }, 'INVALID_PARAMETER', 'businessId'],
]

for (const [title, more, code, path] of WRONG) {
  test(`a hook with ${title} is rejected by field name`, async () => {
    const { app, appId } = await newListening(webhooks)
    const rejected = await webhooks.call(app, 'POST', '/hooks', body(appId, more))
    assert.equal(rejected.status, 400)
    assert.equal(rejected.body.code, code)
    assert.equal(rejected.body.fields[0].path, path)
    assert.ok(!JSON.stringify(rejected.body).includes('very secret'))
  })
}

test('a URL of 2048 characters of any script, with all event types, is registered', async () => {
  const { app, appId } = await newListening(webhooks)
  const deliveryUrl = `http://a.example/${Array.from({ length: 2_031 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('')}`
  await newHook(webhooks, app, { applicationId: appId, deliveryUrl })
})

test("the app's own organization as the business means all its merchants", async () => {
  const { app, appId, organizationId } = await newListening(webhooks)
  for (const as of [app, OPERATOR]) {
    const { body: made } = await webhooks.call(as, 'POST', '/hooks', body(appId, { businessId: organizationId }))
    assert.equal(made.businessId, undefined)
  }
  const same = await webhooks.call(app, 'POST', '/hooks', body(appId))
  assert.equal(same.status, 200)
})

test('a merchant without a relation to the app, and an unknown merchant, are 403', async () => {
  const { app, appId } = await newListening(webhooks)
  for (const businessId of [await merchant(), v7()]) {
    const rejected = await webhooks.call(app, 'POST', '/hooks', body(appId, { businessId }))
    assert.equal(rejected.status, 403)
    assert.equal(rejected.body.code, 'FORBIDDEN')
  }
})

test("another app's hook is not found", async () => {
  const mine = await newListening(webhooks)
  const other = await newListening(webhooks)
  const hookId = await newHook(webhooks, mine.app, { applicationId: mine.appId, deliveryUrl: URL })
  const unknown = v7()
  for (const as of [other.app, other.developer]) {
    for (const method of ['GET', 'DELETE'] as const) {
      const [foreign, none] = [
        await webhooks.call(as, method, `/hooks/${hookId}`),
        await webhooks.call(as, method, `/hooks/${unknown}`),
      ]
      assert.equal(foreign.status, 404)
      assert.equal(foreign.body.code, 'HOOK_NOT_FOUND')
      assert.equal(foreign.body.developerMessage, none.body.developerMessage)
    }
  }
  const elsewhere = await webhooks.call(other.app, 'POST', '/hooks', body(mine.appId))
  assert.equal(elsewhere.body.code, 'APPLICATION_NOT_FOUND')
  assert.equal((await webhooks.call(mine.developer, 'GET', `/hooks/${hookId}`)).status, 200)
  assert.equal((await webhooks.call(null, 'GET', `/hooks/${hookId}`)).status, 401)
})

test('a token for one business can touch neither app-wide hooks nor hooks of another business', async () => {
  const { app, appId, businessId, organizationId } = await newListening(webhooks)
  const bound = { ...app, businessId } as Principal
  const wide = await newHook(webhooks, app, { applicationId: appId, deliveryUrl: URL })
  const own = await newHook(webhooks, bound, { applicationId: appId, deliveryUrl: URL, businessId })
  for (const method of ['GET', 'DELETE'] as const) {
    assert.equal((await webhooks.call(bound, method, `/hooks/${wide}`)).body.code, 'HOOK_NOT_FOUND')
  }
  const listed = await webhooks.call(bound, 'GET', '/hooks')
  assert.deepEqual(
    listed.body.hooks.map(({ id }: { id: string }) => id),
    [own],
  )
  for (const more of [{}, { businessId: organizationId }, { businessId: await merchant() }]) {
    const rejected = await webhooks.call(bound, 'POST', '/hooks', body(appId, { deliveryUrl: `${URL}/b`, ...more }))
    assert.equal(rejected.status, 403)
  }
  assert.equal((await webhooks.call(bound, 'GET', `/hooks?businessId=${organizationId}`)).status, 403)
})

test('hooks are listed by app, business and activity, page by page', async () => {
  const { app, appId, businessId, organizationId, developer } = await newListening(webhooks)
  const other = await newListening(webhooks)
  await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: URL })
  const wide = await newHook(webhooks, app, { applicationId: appId, deliveryUrl: URL })
  const own = await newHook(webhooks, app, { applicationId: appId, deliveryUrl: URL, businessId })
  const off = await newHook(webhooks, app, { applicationId: appId, deliveryUrl: `${URL}/off` })
  await webhooks.db.sql`update hooks set active = false where hook_id = ${off}`

  const list = async (as: Principal, query: string) => {
    const listed = await webhooks.call(as, 'GET', `/hooks${query}`)
    assert.equal(listed.status, 200, JSON.stringify(listed.body))
    return listed.body.hooks.map(({ id }: { id: string }) => id)
  }
  for (const as of [app, developer]) assert.deepEqual(await list(as, ''), [wide, own, off])
  assert.deepEqual(await list(OPERATOR, `?applicationId=${appId}`), [wide, own, off])
  for (const as of [app, developer, OPERATOR]) {
    const ofApp = `?applicationId=${appId}`
    assert.deepEqual(await list(as, `${ofApp}&businessId=${businessId}`), [own])
    assert.deepEqual(await list(as, `${ofApp}&businessId=${organizationId}`), [wide, off])
    assert.deepEqual(await list(as, `${ofApp}&active=true`), [wide, own])
    assert.deepEqual(await list(as, `${ofApp}&active=false`), [off])
  }
  const pages: string[] = []
  let url: string | undefined = '/hooks?limit=2'
  while (url) {
    const page: { body: { hooks: { id: string }[]; links: { href: string; rel: string }[] } } = await webhooks.call(
      app,
      'GET',
      url,
    )
    pages.push(page.body.hooks.map(({ id }) => id).join())
    url = page.body.links.find(({ rel }) => rel === 'next')?.href
  }
  assert.deepEqual(pages, [`${wide},${own}`, off])
  for (const query of ['?limit=0', '?limit=101', '?limit=x', '?active=maybe', '?after=x']) {
    assert.equal((await webhooks.call(app, 'GET', `/hooks${query}`)).status, 400)
  }
  assert.equal((await webhooks.call(other.app, 'GET', `/hooks?applicationId=${appId}`)).status, 404)
  assert.equal((await webhooks.call(app, 'GET', `/hooks?businessId=${await merchant()}`)).status, 403)
})

test('a deleted hook is not found', async () => {
  const { app, appId } = await newListening(webhooks)
  const hookId = await newHook(webhooks, app, { applicationId: appId, deliveryUrl: URL })
  assert.deepEqual(await webhooks.call(app, 'DELETE', `/hooks/${hookId.toUpperCase()}`), {
    status: 204,
    body: undefined,
  })
  assert.equal((await webhooks.call(app, 'DELETE', `/hooks/${hookId}`)).status, 404)
  assert.equal((await webhooks.call(app, 'GET', `/hooks/${hookId}`)).status, 404)
})
