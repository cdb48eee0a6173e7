import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newPerson } from '../../../test/support/people.ts'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const LISTS = {
  '/subscriptions/search': 'subscriptions',
  '/invoices': 'invoices',
  '/charges': 'charges',
  '/disputes': 'disputes',
}
const PATHS = Object.keys(LISTS) as (keyof typeof LISTS)[]
const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let token: string
let developer: string
let live: Merchant
let tested: Merchant
let late: Merchant
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-31T00:00:00Z' })
  planId = await world.plan()
  live = await world.merchant({ type: 'MERCHANT' })
  await live.subscribe(planId)
  tested = await world.merchant()
  await tested.subscribe(planId)
  late = await world.merchant({ type: 'MERCHANT' })
  await world.call('PATCH', `/businesses/${late.businessId}`, { doingBusinessAs: 'Bistro Zürich' })
  await late.renewWith(planId, 'tok_insufficient_funds')
  await dispute(late)
  const { organizationId } = world
  developer = (await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')).token
  token = await tokenOf(world, world.credentials)
})
after(() => world?.close())

/** A dispute of the merchant's first invoice. Gateways report disputes in tests of their own. */
async function dispute({ businessId }: Merchant) {
  const { sql } = world.app.ports.db
  await sql`
    insert into disputes (dispute_id, gateway, gateway_dispute_id, invoice_id, amount, status, created_at, updated_at)
    select ${v7()}, 'sandbox', ${v7()}, invoice_id, 500, 'LOST', created_at, created_at
    from invoices where business_id = ${businessId} order by invoice_id limit 1`
}

async function read(bearer: string | null, path: string) {
  const { status, body } = await world.ask(bearer, 'GET', path)
  const list: Json[] = body[LISTS[path.split('?')[0] as keyof typeof LISTS]] ?? []
  return { status, body, list }
}

const merchantsOf = async (bearer: string, path: string) =>
  (await read(bearer, path)).list.map(({ businessId }) => businessId)

/** The merchants of a list, each once. */
const setOf = async (bearer: string, path: string) => [...new Set(await merchantsOf(bearer, path))].sort()

const each = (...merchants: readonly Merchant[]) => merchants.map(({ businessId }) => businessId).sort()

test('the operator, the developer and the app see every merchant of the app, and a token within a merchant sees that merchant', async () => {
  const within = await tokenWithin(world, world.credentials, live.businessId)
  const { token: owner } = await newPerson(world, { kind: 'MERCHANT', businessId: late.businessId }, 'OWNER')
  for (const path of PATHS.slice(0, 3)) {
    for (const bearer of [OPERATOR_KEY, developer, token]) {
      assert.deepEqual(await setOf(bearer, path), each(live, tested, late), path)
    }
    assert.deepEqual(await setOf(within, path), each(live), path)
    assert.deepEqual(await setOf(owner, path), each(late), path)
  }
  for (const bearer of [OPERATOR_KEY, developer, token, owner]) {
    assert.deepEqual(await setOf(bearer, '/disputes'), each(late))
  }
  assert.deepEqual(await setOf(within, '/disputes'), [])
})

test('another organization, and another app of the organization, cannot list or filter the rows', async () => {
  const other = await world.developer()
  const { token: stranger } = await newPerson(
    world,
    { kind: 'DEVELOPER', organizationId: other.organizationId },
    'ADMIN',
  )
  const foreign = await tokenOf(world, other)
  for (const path of PATHS) {
    for (const bearer of [stranger, foreign]) {
      assert.deepEqual(await merchantsOf(bearer, path), [], path)
      assert.equal((await read(bearer, `${path}?appId=${world.appId}`)).status, 404, path)
      assert.equal((await read(bearer, `${path}?businessId=${live.businessId}`)).status, 403, path)
    }
    assert.equal((await read(stranger, `${path}?organizationId=${world.organizationId}`)).status, 403, path)
    assert.equal((await read(null, path)).status, 401, path)
  }
})

test('live and test merchants are listed separately, and a merchant is found by name, id and filter', async () => {
  for (const path of PATHS.slice(0, 3)) {
    assert.deepEqual(await setOf(developer, `${path}?merchantType=MERCHANT`), each(live, late), path)
    assert.deepEqual(await setOf(developer, `${path}?merchantType=TEST_MERCHANT`), each(tested), path)
    for (const query of ['q=zür', 'q=bistro', `businessId=${late.businessId}`, `q=zürich&merchantType=MERCHANT`]) {
      assert.deepEqual(await setOf(developer, `${path}?${encodeURI(query)}`), each(late), `${path} ${query}`)
    }
    assert.deepEqual(await setOf(developer, `${path}?q=${UNKNOWN}`), [], path)
    assert.deepEqual(await setOf(developer, `${path}?appId=${world.appId}&q=corner`), each(live, tested, late), path)
  }
})

test('a row has names for people and equals the other representations', async () => {
  const { list } = await read(developer, `/subscriptions/search?businessId=${late.businessId}`)
  const { appName, businessName, planName, merchantType, currency, amount, ...subscription } = list[0] ?? {}
  const names = ['Stories', 'Bistro Zürich', 'Pro', 'MERCHANT', 'USD', 500]
  assert.deepEqual([appName, businessName, planName, merchantType, currency, amount], names)
  assert.deepEqual(await late.subscription(subscription.subscriptionId), subscription)
  const [open, paid] = (await read(developer, `/invoices?q=${subscription.subscriptionId}`)).list
  assert.deepEqual([open?.status, open?.amountPaid, paid?.status, paid?.amountPaid], ['OPEN', 0, 'PAID', 500])
  const [charge] = (await read(developer, `/charges?invoiceId=${open?.invoiceId}`)).list
  assert.deepEqual([charge?.status, charge?.invoiceNumber], ['DECLINED_SOFT', open?.number])
  assert.deepEqual((await read(developer, `/invoices?number=${paid?.number}`)).list, [paid])
  const [lost] = (await read(developer, '/disputes')).list
  assert.deepEqual([lost?.invoiceId, lost?.amount, lost?.status], [paid?.invoiceId, 500, 'LOST'])
})

test('each filter restricts the list', async () => {
  const one = `&businessId=${late.businessId}`
  for (const [path, some, none] of [
    ['/subscriptions/search', 'status=ACTIVE&paymentStatus=PAST_DUE', 'status=ENDED'],
    ['/subscriptions/search', 'phase=FULL', 'phase=TRIAL'],
    ['/subscriptions/search', 'paymentStatus=PAST_DUE', 'paymentStatus=CURRENT'],
    ['/subscriptions/search', `planId=${planId}`, `planId=${UNKNOWN}`],
    ['/subscriptions/search', 'startAt=2026-01-01T00:00:00Z', 'endAt=2026-01-01T00:00:00Z'],
    ['/invoices', 'status=OPEN', 'status=VOID'],
    ['/invoices', 'status=PAID', 'status=UNCOLLECTIBLE'],
    ['/invoices', 'refunded=false', 'refunded=true'],
    ['/invoices', 'startAt=2020-01-01T00:00:00Z', 'endAt=2020-01-01T00:00:00Z'],
    ['/charges', 'status=DECLINED', 'status=UNKNOWN'],
    ['/charges', 'status=SUCCEEDED', 'status=WITHDRAWN'],
    ['/charges', 'startAt=2020-01-01T00:00:00Z', 'endAt=2020-01-01T00:00:00Z'],
    ['/disputes', 'status=LOST', 'status=WON'],
    ['/disputes', 'startAt=2020-01-01T00:00:00Z', 'endAt=2020-01-01T00:00:00Z'],
  ] as const) {
    // By app and by merchant: the two ways to read a list.
    for (const also of ['', one]) {
      assert.ok((await merchantsOf(developer, `${path}?${some}${also}`)).includes(late.businessId), `${path} ${some}`)
      assert.ok(!(await merchantsOf(developer, `${path}?${none}${also}`)).includes(late.businessId), `${path} ${none}`)
    }
  }
})

for (const path of PATHS) {
  test(`${path} continues after its cursor, newest first, with the filter of the first page`, async () => {
    const filter = `appId=${encodeURIComponent(world.appId)}&merchantType=MERCHANT`
    const whole = (await read(OPERATOR_KEY, `${path}?${filter}&limit=100`)).list
    const parts: Json[] = []
    let query: string | undefined = `?${filter}&limit=1`
    while (query !== undefined) {
      const { list, body } = await read(OPERATOR_KEY, `${path}${query}`)
      parts.push(...list)
      const href: string | undefined = body.links[0]?.href
      query = href && new URL(href).search
    }
    assert.ok(whole.length > 0)
    assert.deepEqual(parts, whole)
    const keys = whole.map(row => row.createdAt ?? row.startedAt)
    assert.deepEqual(keys, keys.toSorted().toReversed())
  })

  test(`${path} rejects wrong values by name`, async () => {
    const wrong = [
      'limit=0',
      'limit=101',
      'after=1',
      'organizationId=1',
      'appId=1',
      'businessId=1',
      'merchantType=test',
    ]
    for (const query of [...wrong, 'status=paid', 'startAt=yesterday', 'endAt=1', 'q=', 'q=...']) {
      const { status, body } = await read(OPERATOR_KEY, `${path}?${query}`)
      assert.deepEqual([status, body.fields?.[0]?.path], [400, query.split('=')[0]], query)
    }
  })
}
