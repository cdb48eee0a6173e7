import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  newBusiness,
  newDeveloper,
  newPlans,
  OPERATOR,
  openTenants,
  PLAN,
  type Tenants,
  writeSubscription,
} from '../../../test/support/tenants.ts'
import type { Principal } from '../../core/principal.ts'

let tenants: Tenants
before(async () => {
  tenants = await openTenants()
})
after(() => tenants[Symbol.asyncDispose]())

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'
const MERCHANT = { legalName: 'Café Zürich Ltd', emailAddress: 'owner@zurich.example', country: 'CH', type: 'MERCHANT' }

async function read(as: Principal | null, path: string) {
  const { status, body } = await tenants.call(as, 'GET', path)
  return { status, body, list: body[LISTS[path.split('?')[0] ?? ''] ?? ''] ?? [] }
}

const LISTS: Readonly<Record<string, string>> = {
  '/organizations': 'organizations',
  '/apps': 'apps',
  '/releases': 'releases',
  '/businesses/search': 'businesses',
}

async function idsOf(as: Principal, path: string, id: string): Promise<string[]> {
  return (await read(as, path)).list.map((one: Record<string, string>) => one[id])
}

test('the operator finds an organization by the beginnings of words of its name and e-mail, or by its id', async () => {
  const made = { name: "L'Épicerie du Lac", email: 'dev.team@lac-apps.example' }
  const { body } = await tenants.call(OPERATOR, 'POST', '/organizations', made)
  for (const q of ['épic', 'LAC', 'du épicerie', 'dev.team@lac', 'lac-apps.example', body.organizationId]) {
    const path = `/organizations?q=${encodeURIComponent(q)}`
    assert.deepEqual(await idsOf(OPERATOR, path, 'organizationId'), [body.organizationId], q)
  }
  assert.deepEqual(await idsOf(OPERATOR, '/organizations?q=lac%20nowhere', 'organizationId'), [])
})

test('an app is found by its name, package name, URN, organization and status', async () => {
  const { developer, organizationId, appId, uuid } = await newDeveloper(tenants)
  const other = await newDeveloper(tenants)
  const { body: app } = await tenants.call(developer, 'GET', `/apps/${appId}`)
  for (const q of [app.packageName, appId, uuid]) {
    const found = await read(OPERATOR, `/apps?q=${q}`)
    assert.deepEqual(found.list, [app], q)
  }
  assert.deepEqual(await idsOf(developer, '/apps', 'appId'), [appId])
  assert.deepEqual(await idsOf(OPERATOR, `/apps?organizationId=${organizationId}`, 'appId'), [appId])
  assert.deepEqual(await idsOf(developer, '/apps?status=DISABLED', 'appId'), [])
  assert.deepEqual(await idsOf(developer, `/apps?q=${other.uuid}`, 'appId'), [])
})

test('releases in review are listed over all apps, and a decided release leaves the list', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const { body } = await tenants.call(developer, 'POST', `/apps/${appId}/releases`, { version: '2.0', plans: [PLAN] })
  const waiting = '/releases?status=SUBMITTED'
  assert.deepEqual((await idsOf(OPERATOR, waiting, 'releaseId'))[0], body.releaseId)
  assert.deepEqual(await idsOf(developer, waiting, 'releaseId'), [body.releaseId])
  const { developer: stranger } = await newDeveloper(tenants)
  assert.deepEqual(await idsOf(stranger, '/releases', 'releaseId'), [])
  await tenants.call(OPERATOR, 'POST', `/apps/${appId}/releases/${body.releaseId}/approve`)
  assert.deepEqual(await idsOf(developer, waiting, 'releaseId'), [])
  assert.deepEqual(await idsOf(developer, '/releases', 'releaseId'), [body.releaseId])
})

test("a developer lists the merchants that the organization's apps may read, and no other", async () => {
  const { developer, organizationId, appId, uuid } = await newDeveloper(tenants)
  const [planId = ''] = await newPlans(tenants, appId)
  const approving = await newBusiness(tenants)
  const revoked = await newBusiness(tenants)
  const subscribed = await newBusiness(tenants)
  const ended = await newBusiness(tenants)
  const own = await newBusiness(tenants, { organizationId })
  const stranger = await newBusiness(tenants)
  for (const id of [approving, revoked, subscribed]) {
    await tenants.call(OPERATOR, 'POST', `/businesses/${id}/approvals`, { appId, rights: ['READ'] })
  }
  await tenants.call(OPERATOR, 'DELETE', `/businesses/${revoked}/approvals/${appId}`)
  const of = { appId: uuid, organizationId, planId }
  await writeSubscription(tenants.db.sql, { ...of, businessId: subscribed, status: 'ACTIVE' })
  await writeSubscription(tenants.db.sql, { ...of, businessId: ended, status: 'ENDED' })
  const related = [own, ended, subscribed, approving]
  const list = (query: string) => idsOf(developer, `/businesses/search${query}`, 'businessId')
  assert.deepEqual(await list(''), related)
  assert.deepEqual(await list('?q=corner'), related)
  assert.deepEqual(await list('?type=TEST_MERCHANT'), [own])
  assert.deepEqual(await list(`?q=${stranger}`), [])
  assert.deepEqual(await list(`?organizationId=${organizationId}&after=${ended}`), [subscribed, approving])
  for (const id of [approving, own]) assert.equal((await read(developer, `/businesses/${id}`)).status, 200)
  for (const id of [revoked, stranger, UNKNOWN]) assert.equal((await read(developer, `/businesses/${id}`)).status, 403)
})

test('the operator finds a merchant by name, e-mail and id, and the summary omits stores and mail settings', async () => {
  const { body } = await tenants.call(OPERATOR, 'POST', '/businesses', { ...MERCHANT, doingBusinessAs: 'Café <b>' })
  const { stores, language, mailsOff, ...summary } = body
  assert.deepEqual([stores, language, mailsOff], [[], 'en', []])
  for (const q of ['zür', 'café', 'owner@zurich.example', body.businessId.toUpperCase()]) {
    assert.deepEqual((await read(OPERATOR, `/businesses/search?q=${encodeURIComponent(q)}`)).list, [summary], q)
  }
})

test('each list continues after its cursor to the end, and the last page has no next link', async () => {
  for (let i = 0; i < 5; i++) {
    const made = { ...MERCHANT, legalName: `Paged Shop ${i}` }
    await tenants.call(OPERATOR, 'POST', '/businesses', made)
  }
  const names: string[] = []
  let path: string | undefined = '/businesses/search?q=paged&limit=2'
  let parts = 0
  while (path !== undefined) {
    const { list, body } = await read(OPERATOR, path)
    names.push(...list.map(({ legalName }: { legalName: string }) => legalName))
    const href: string | undefined = body.links[0]?.href
    path = href && `/businesses/search${new URL(href).search}`
    parts++
  }
  assert.deepEqual(
    names,
    [4, 3, 2, 1, 0].map(i => `Paged Shop ${i}`),
  )
  assert.equal(parts, 3)
})

for (const path of Object.keys(LISTS)) {
  test(`${path}: another organization and wrong values are rejected, and the list needs a token`, async () => {
    const { developer, app } = await newDeveloper(tenants)
    const { organizationId } = await newDeveloper(tenants)
    assert.equal((await read(developer, `${path}?organizationId=${organizationId}`)).status, 403)
    assert.equal((await read(app, path)).status, 403)
    assert.equal((await read(null, path)).status, 401)
    const wrong = ['limit=0', 'limit=101', 'limit=x', 'after=1', 'organizationId=1']
    for (const query of path === '/releases' ? wrong : [...wrong, 'q=', 'q=...', `q=${'a'.repeat(201)}`]) {
      const { status, body } = await read(OPERATOR, `${path}?${query}`)
      assert.deepEqual([status, body.fields?.[0]?.path], [400, query.split('=')[0]], query)
    }
  })
}
