import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world.close())

const page = async (query: string): Promise<Json> => world.call('GET', `/audit?${query}`)
const idsOf = (entries: Json[]) => entries.map(({ entryId }) => entryId)

/** All pages, by their links. */
async function follow(query: string): Promise<Json[]> {
  const all: Json[] = []
  for (let { entries, links } = await page(query); ; ) {
    all.push(...entries)
    if (links.length === 0) return all
    assert.equal(links[0].rel, 'next')
    ;({ entries, links } = await page(new URL(links[0].href).search.slice(1)))
  }
}

test('pages follow each other newest first, without gaps and repeats, also within one instant', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  for (let i = 0; i < 12; i++) await world.call('PATCH', `/businesses/${businessId}`, { doingBusinessAs: `Name ${i}` })
  const all = (await page(`resourceId=${businessId}&limit=100`)).entries
  assert.equal(all.length, 13)
  assert.deepEqual(all.map(({ after }: Json) => after.doing_business_as).slice(0, 3), ['Name 11', 'Name 10', 'Name 9'])
  assert.deepEqual(idsOf(await follow(`resourceId=${businessId}&limit=5`)), idsOf(all))
  assert.deepEqual(idsOf(await follow(`resourceId=${businessId}&limit=13`)), idsOf(all))
  assert.equal((await page(`resourceId=${businessId}`)).entries.length, 10)
})

test('later entries do not shift the next page', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  const change = (name: string) => world.call('PATCH', `/businesses/${businessId}`, { doingBusinessAs: name })
  await change('A')
  const first = await page(`resourceId=${businessId}&limit=1`)
  await change('B')
  const second = await page(new URL(first.links[0].href).search.slice(1))
  assert.equal(second.entries[0].after.doing_business_as, first.entries[0].before.doing_business_as)
})

test('entries are found by time: from startAt on, before endAt', async () => {
  const days = ['2026-04-01T00:00:00Z', '2026-04-02T00:00:00Z', '2026-04-03T00:00:00Z']
  const made: string[] = []
  for (const day of days) {
    world.clock.set(day)
    made.push((await world.call('POST', '/organizations', { name: day, email: 'a@b.c' })).organizationId)
  }
  const found = await page(`startAt=${days[1]}&endAt=${days[2]}&limit=100`)
  assert.deepEqual(
    found.entries.map((entry: Json) => entry.resourceId),
    [made[1]],
  )
  const since = await follow(`startAt=${days[1]}&limit=1`)
  assert.deepEqual(
    since.map(({ resourceId }) => resourceId),
    [made[2], made[1]],
  )
})

test('a resource is found by its id on the wire and by its kind', async () => {
  const { appId, kid } = await world.developer()
  const uuid = appId.slice('urn:aid:'.length)
  const find = async (resourceId: string) =>
    (await page(`resourceId=${encodeURIComponent(resourceId)}`)).entries.map(({ kind }: Json) => kind)
  assert.deepEqual(await find(appId), ['APP'])
  assert.deepEqual(await find(uuid.toUpperCase()), ['APP'])
  assert.deepEqual(await find(`${uuid}/${kid}`), ['APP_KEY'])
  assert.deepEqual(await find(`${uuid}/another`), [])
  const keys = await page('kind=APP_KEY&limit=100')
  assert.ok(keys.entries.some((entry: Json) => entry.resourceId === `${uuid}/${kid}`))
  assert.ok(keys.entries.every((entry: Json) => entry.kind === 'APP_KEY'))
  assert.deepEqual((await page(`kind=ORDER&resourceId=${appId}`)).entries, [])
})

test('the actions of two apps are distinguished by principal', async () => {
  const other = await world.developer()
  const merchant = await world.merchant()
  const cancelled: string[] = []
  for (const app of [world.credentials, other]) {
    const planId = await world.plan({}, app.appId)
    const body = { businessId: merchant.businessId, planId }
    const { subscriptionId: id } = await world.call('POST', `/apps/${app.appId}/subscriptions`, body)
    const token = await tokenOf(world, app)
    assert.equal((await world.ask(token, 'DELETE', `/apps/${app.appId}/subscriptions/${id}`)).status, 200)
    cancelled.push(id)
  }
  const principal = `app:${other.appId.slice('urn:aid:'.length)}:`
  const { entries } = await page(`principal=${encodeURIComponent(principal)}&kind=SUBSCRIPTION`)
  assert.deepEqual(
    entries.map((entry: Json) => [entry.resourceId, entry.principalKind, entry.operation, entry.after.status]),
    [[cancelled[1], 'app', 'subscriptions.cancel', 'ENDED']],
  )
})

test('only the operator reads the audit trail', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  assert.equal((await world.ask(null, 'GET', '/audit')).status, 401)
  for (const token of [
    await tokenOf(world, world.credentials),
    await tokenWithin(world, world.credentials, businessId),
  ]) {
    const answer = await world.ask(token, 'GET', '/audit')
    assert.deepEqual([answer.status, answer.body.code, answer.body.entries], [403, 'FORBIDDEN', undefined])
  }
  assert.equal((await world.ask(OPERATOR_KEY, 'GET', '/audit')).status, 200)
})

for (const [query, field] of [
  ['kind=NOTHING', 'kind'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=ten', 'limit'],
  ['startAt=yesterday', 'startAt'],
  ['endAt=2026-02-30T00:00:00Z', 'endAt'],
  ['after=-1', 'after'],
  ['after=9999999999999999', 'after'],
  ['resourceId=', 'resourceId'],
  ['principal=a%00b', 'principal'],
] as const) {
  test(`${query} is rejected, naming the field`, async () => {
    const answer = await world.call('GET', `/audit?${query}`, undefined, 400)
    assert.equal(answer.fields[0].path, field)
  })
}

test('a cursor of an unknown entry returns an empty page', async () => {
  assert.deepEqual(await page('after=999999999999999'), { entries: [], links: [] })
})
