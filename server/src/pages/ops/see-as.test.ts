import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { fieldsOf } from '../../../test/matrix/samples.ts'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { formOf, type Visitor, visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

async function operator(role: PersonRole = 'ADMIN'): Promise<Visitor> {
  const person = await newPerson(world, { kind: 'OPERATOR' }, role)
  await proveSecondFactor(world, person)
  return { person, ...visiting(world, person.token) }
}

async function seeing(path: string): Promise<Visitor> {
  const olga = await operator()
  const pressed = await olga.send(path, {}, `${path}/see-as`)
  assert.deepEqual([pressed.status, pressed.location], [303, '/my'])
  return olga
}

const FREE_OF_VIEWING = ['/stop-viewing', '/sign-out']

test('an operator sees a merchant’s pages as a viewer, with a banner, and stops', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan())
  const path = `/ops/merchants/${shop.businessId}`
  const olga = await seeing(path)
  assert.equal((await olga.get('/my')).location, '/my/subscriptions')
  for (const own of [
    '/my/subscriptions',
    `/my/subscriptions/${subscriptionId}`,
    '/my/invoices',
    '/my/apps',
    '/people',
  ]) {
    const { status, words, text } = await olga.get(own)
    assert.equal(status, 200, own)
    assert.match(words, /You see Corner Shop as a viewer until 10:30 UTC\. Nothing can be changed/, own)
    const forms = [...text.matchAll(/<form [^>]*method="post"[^>]*action="([^"]*)"/g)].map(([, action]) => action)
    assert.deepEqual([...new Set(forms)].sort(), ['/sign-out', '/stop-viewing'], own)
  }
  assert.equal((await olga.send('/my/subscriptions', {}, '/stop-viewing')).location, path)
  assert.equal((await olga.get(path)).status, 200)
  assert.equal((await olga.get('/my/subscriptions')).status, 403)
})

test('during a viewing every form is rejected, and the operator’s own pages are closed', async () => {
  const shop = await world.merchant()
  const { organizationId } = await world.developer()
  for (const path of [`/ops/merchants/${shop.businessId}`, `/ops/organizations/${organizationId}`]) {
    const olga = await seeing(path)
    const { hidden } = formOf((await olga.get('/people')).text, '/stop-viewing') ?? assert.fail('no stop button')
    const once = { once: v7(), draftId: v7(), invitationId: v7() }
    const ids = {
      businessId: shop.businessId,
      organizationId,
      revision: '0',
      next: '0',
      price: '0',
      month: '2026-01',
      ...once,
    }
    const address = (route: string) =>
      route.replace(/:(\w+)/g, (_, name) => String((ids as Record<string, string>)[name] ?? shop.businessId))
    const before = await changes()
    let inWords = 0
    for (const page of world.app.pages) {
      if (page.signIn === 'none' || FREE_OF_VIEWING.includes(page.path)) continue
      if (page.method === 'POST') {
        const fields = Object.entries(fieldsOf(page.form, ids)).map(([field, value]) => [field, String(value)])
        const sent = await olga.post(address(page.path), { ...Object.fromEntries(fields), ...hidden })
        // The schema rejects some of these forms before.
        assert.ok([400, 403].includes(sent.status), `${page.path}: ${sent.status}`)
        if (sent.words.includes('so nothing was changed')) inWords++
      } else if (page.path.startsWith('/ops') || page.path.startsWith('/account')) {
        assert.ok([403, 404].includes((await olga.get(address(page.path))).status), page.path)
      }
    }
    assert.deepEqual(await changes(), before)
    assert.ok(inWords > 50, `${inWords} forms`)
    const said = await olga.post('/theme', { ...hidden, theme: 'dark' })
    assert.equal(said.status, 403)
    assert.match(said.words, /You see this workspace as a viewer, so nothing was changed/)
    assert.ok(formOf(said.text, '/stop-viewing'))
    await olga.send('/people', {}, '/stop-viewing')
  }
})

test('consent issues no code during a viewing, although the merchant has approved the app', async () => {
  const shop = await world.merchant()
  const { appId } = await world.developer()
  const callback = 'https://app.example/callback'
  await world.call('PATCH', `/apps/${appId}`, { callbackUrls: [callback] })
  await world.call('POST', `/businesses/${shop.businessId}/approvals`, { appId })
  const asked = `/applications/authorize?${new URLSearchParams({ client_id: appId, redirect_uri: callback })}`
  const owner = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  assert.match((await visiting(world, owner.token).get(asked)).location, /code=/)
  const olga = await seeing(`/ops/merchants/${shop.businessId}`)
  const { status, location, text } = await olga.get(asked)
  assert.deepEqual([status, location], [403, ''])
  assert.doesNotMatch(text, /code=/)
})

test('a developer’s pages open for their own organization alone', async () => {
  const [own, other] = [await world.developer(), await world.developer()]
  const olga = await seeing(`/ops/organizations/${own.organizationId}`)
  assert.equal((await olga.get('/my')).location, '/dev')
  const id = (appId: string) => appId.slice('urn:aid:'.length)
  assert.equal((await olga.get(`/dev/apps/${id(own.appId)}`)).status, 200)
  assert.equal((await olga.get(`/dev/apps/${id(other.appId)}`)).status, 404)
  assert.match((await olga.get('/dev')).words, /as a viewer until/)
})

test('a viewing ends after 30 minutes, and a new one begins', async () => {
  const start = world.clock.now()
  const shop = await world.merchant()
  const path = `/ops/merchants/${shop.businessId}`
  const olga = await seeing(path)
  world.clock.set(new Date(start.getTime() + 30 * 60_000 - 1))
  assert.equal((await olga.get('/my/subscriptions')).status, 200)
  world.clock.set(new Date(start.getTime() + 30 * 60_000))
  assert.equal((await olga.get('/my/subscriptions')).status, 403)
  const pressed = await olga.send(path, {}, `${path}/see-as`)
  assert.equal(pressed.location, '/my')
  assert.equal((await olga.get('/my/subscriptions')).status, 200)
  world.clock.set(start)
})

test('the audit trail has the start and the end, with the person, the workspace and the instants', async () => {
  const shop = await world.merchant()
  const olga = await seeing(`/ops/merchants/${shop.businessId}`)
  await olga.send('/my/subscriptions', {}, '/stop-viewing')
  const rows = await world.app.ports.db.sql<{ principal: string; businessId: string; endedAt: string | null }[]>`
    select principal, business_id as "businessId", after ->> 'ended_at' as "endedAt" from audit_entries
    where kind = 'VIEWING' and business_id = ${shop.businessId} order by entry_id`
  assert.deepEqual(
    rows.map(({ principal, businessId, endedAt }) => [principal, businessId, endedAt !== null]),
    [
      [`operator:${olga.person.userId}`, shop.businessId, false],
      [`operator:${olga.person.userId}`, shop.businessId, true],
    ],
  )
})

test('a viewer of the operator, a merchant and an unknown workspace cannot begin a viewing', async () => {
  const shop = await world.merchant()
  const path = `/ops/merchants/${shop.businessId}`
  const [olga, vera] = [await operator(), await operator('VIEWER')]
  assert.equal(formOf((await vera.get(path)).text, `${path}/see-as`), null)
  const tokenOf = async (who: Visitor, from: string) => formOf((await who.get(from)).text, '/sign-out')?.hidden ?? {}
  const owner = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  const ann = { person: owner, ...visiting(world, owner.token) }
  assert.equal((await vera.post(`${path}/see-as`, await tokenOf(vera, '/account'))).status, 403)
  assert.equal((await ann.post(`${path}/see-as`, await tokenOf(ann, '/account'))).status, 404)
  const unknown = '00000000-0000-7000-8000-000000000000'
  for (const nowhere of [`/ops/merchants/${unknown}/see-as`, `/ops/organizations/${unknown}/see-as`]) {
    assert.equal((await olga.post(nowhere, await tokenOf(olga, '/account'))).status, 404)
  }
})

async function changes(): Promise<number> {
  const [row] = await world.app.ports.db.sql<{ count: number }[]>`select count(*)::int as count from audit_entries`
  return row?.count ?? 0
}
