import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newDeveloper, OPERATOR, openTenants, PLAN, type Tenants } from '../../../test/support/tenants.ts'

let tenants: Tenants
before(async () => {
  tenants = await openTenants()
})
after(() => tenants[Symbol.asyncDispose]())

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

async function submit(appId: string, plans: readonly unknown[] = [PLAN]) {
  return tenants.call(OPERATOR, 'POST', `/apps/${appId}/releases`, { version: '1.0', plans })
}

test('a release has its plans in order, and the plans are inactive and hidden until the approval', async () => {
  const { developer, app, appId } = await newDeveloper(tenants)
  const plans = [
    { ...PLAN, name: 'B' },
    { ...PLAN, name: 'A' },
    { ...PLAN, name: 'C', interval: 'DAY' },
  ]
  const submitted = await tenants.call(developer, 'POST', `/apps/${appId}/releases`, { version: '1.0', plans })
  assert.equal(submitted.status, 201)
  const { releaseId, plans: made, ...rest } = submitted.body
  assert.deepEqual(rest, {
    ...{ appId, version: '1.0', status: 'SUBMITTED', createdAt: '2026-03-01T10:00:00Z' },
    messages: [],
  })
  assert.deepEqual(
    made.map((plan: { name: string; status: string }) => [plan.name, plan.status]),
    [
      ['B', 'INACTIVE'],
      ['A', 'INACTIVE'],
      ['C', 'INACTIVE'],
    ],
  )
  const path = `/apps/${appId}/releases/${releaseId}`
  assert.deepEqual((await tenants.call(developer, 'GET', path)).body, submitted.body)
  for (const query of ['', '?status=INACTIVE', '?status=ACTIVE']) {
    assert.equal((await tenants.call(app, 'GET', `/apps/${appId}/plans${query}`)).body.total, 0)
  }

  tenants.setNow(new Date('2026-03-02T10:00:00Z'))
  const approved = await tenants.call(OPERATOR, 'POST', `${path}/approve`)
  tenants.setNow(new Date('2026-03-01T10:00:00Z'))
  assert.equal(approved.status, 200)
  assert.partialDeepStrictEqual(approved.body, { status: 'APPROVED', decidedAt: '2026-03-02T10:00:00Z' })
  const listed = (await tenants.call(app, 'GET', `/apps/${appId}/plans`)).body
  assert.deepEqual(listed.list, approved.body.plans)
  assert.partialDeepStrictEqual(listed.list[0], { name: 'B', status: 'ACTIVE', updatedAt: '2026-03-02T10:00:00Z' })
  assert.deepEqual((await tenants.call(developer, 'GET', path)).body, approved.body)
})

test('a rejected release keeps its reason, and its plans stay hidden', async () => {
  const { app, appId } = await newDeveloper(tenants)
  const { releaseId } = (await submit(appId)).body
  const path = `/apps/${appId}/releases/${releaseId}`
  for (const body of [undefined, {}, { reason: '' }, { reason: 'r'.repeat(2001) }, { reason: 7 }]) {
    assert.equal((await tenants.call(OPERATOR, 'POST', `${path}/reject`, body)).status, 400)
  }
  const rejected = await tenants.call(OPERATOR, 'POST', `${path}/reject`, { reason: 'It crashes.' })
  assert.partialDeepStrictEqual(rejected, { status: 200, body: { status: 'REJECTED', reason: 'It crashes.' } })
  assert.equal(rejected.body.plans[0].status, 'INACTIVE')
  assert.equal((await tenants.call(app, 'GET', `/apps/${appId}/plans`)).body.total, 0)
  assert.equal((await tenants.call(OPERATOR, 'POST', `${path}/approve`)).body.code, 'RELEASE_ALREADY_DECIDED')
})

test('one of several concurrent decisions about a release wins', async () => {
  const { appId } = await newDeveloper(tenants)
  const { releaseId } = (await submit(appId)).body
  const path = `/apps/${appId}/releases/${releaseId}`
  const approve = () => tenants.call(OPERATOR, 'POST', `${path}/approve`)
  const reject = () => tenants.call(OPERATOR, 'POST', `${path}/reject`, { reason: 'No.' })
  const row = { table: 'releases', column: 'release_id', id: releaseId } as const
  const answers = await tenants.atOnce(row, [approve, approve, reject, reject])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
  const release = (await tenants.call(OPERATOR, 'GET', path)).body
  const planStatus = release.status === 'APPROVED' ? 'ACTIVE' : 'INACTIVE'
  assert.equal(release.plans[0].status, planStatus)
})

test('only the operator decides about a release', async () => {
  const { developer, app, appId } = await newDeveloper(tenants)
  const { releaseId } = (await submit(appId)).body
  for (const caller of [developer, app]) {
    const path = `/apps/${appId}/releases/${releaseId}/approve`
    assert.equal((await tenants.call(caller, 'POST', path)).body.code, 'FORBIDDEN')
  }
})

test("another app's release is not found", async () => {
  const { appId } = await newDeveloper(tenants)
  const other = await newDeveloper(tenants)
  const { releaseId } = (await submit(other.appId)).body
  for (const id of [releaseId, UNKNOWN]) {
    const path = `/apps/${appId}/releases/${id}`
    const answers = [await tenants.call(OPERATOR, 'GET', path), await tenants.call(OPERATOR, 'POST', `${path}/approve`)]
    assert.deepEqual(
      answers.map(({ body }) => body.code),
      ['RELEASE_NOT_FOUND', 'RELEASE_NOT_FOUND'],
    )
  }
  const foreign = await tenants.call(other.developer, 'GET', `/apps/${appId}/releases`)
  assert.equal(foreign.body.code, 'APPLICATION_NOT_FOUND')
  assert.equal((await submit(`urn:aid:${UNKNOWN}`)).body.code, 'APPLICATION_NOT_FOUND')
})

test('releases are listed oldest first, page by page', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await submit(appId, [])).body.releaseId)
  const all = (await tenants.call(developer, 'GET', `/apps/${appId}/releases`)).body
  assert.deepEqual(
    all.list.map((release: { releaseId: string }) => release.releaseId),
    ids,
  )
  const page = (await tenants.call(developer, 'GET', `/apps/${appId}/releases?start=1&count=1`)).body
  assert.partialDeepStrictEqual(page, { start: 1, total: 3, count: 1, list: [{ releaseId: ids[1] }] })
  const since = (await tenants.call(developer, 'GET', `/apps/${appId}/releases?start=2030-01-01T00:00:00Z`)).body
  assert.deepEqual(since, { list: [], start: 3, total: 3, count: 0 })
  assert.equal((await tenants.call(developer, 'GET', `/apps/${appId}/releases?count=0`)).status, 400)
})

const US = PLAN.amounts[0]
const rejected: [string, unknown][] = [
  ['version', { plans: [PLAN] }],
  ['version', { version: '', plans: [PLAN] }],
  ['plans', { version: '1.0' }],
  ['plans', { version: '1.0', plans: PLAN }],
  ['plans[0].name', { version: '1.0', plans: [{ ...PLAN, name: undefined }] }],
  ['plans[1].name', { version: '1.0', plans: [PLAN, { ...PLAN, name: 'a\u0000' }] }],
  ['plans[0].interval', { version: '1.0', plans: [{ ...PLAN, interval: 'QUARTER' }] }],
  ['plans[0].amounts', { version: '1.0', plans: [{ ...PLAN, amounts: [] }] }],
  ['plans[0].amounts[1].country', { version: '1.0', plans: [{ ...PLAN, amounts: [US, US] }] }],
  ['plans[0].amounts[0].value', { version: '1.0', plans: [{ ...PLAN, amounts: [{ ...US, value: '5' }] }] }],
  ['plans[0].amounts[0].value', { version: '1.0', plans: [{ ...PLAN, amounts: [{ ...US, value: null }] }] }],
  ['plans[0].amounts[0].value', { version: '1.0', plans: [{ ...PLAN, amounts: [{ ...US, value: 1.5 }] }] }],
  ['plans[0].amounts[0].currency', { version: '1.0', plans: [{ ...PLAN, amounts: [{ ...US, currency: 'USX' }] }] }],
  ['plans[0].trialPeriodDays', { version: '1.0', plans: [{ ...PLAN, trialPeriodDays: 366 }] }],
  ['plans[0].trialPeriodDays', { version: '1.0', plans: [{ ...PLAN, trialPeriodDays: true }] }],
  ['plans[0].amounts[0].value', { version: '1.0', plans: [{ ...PLAN, amounts: [{ ...US, value: 49 }] }] }],
  ['plans[0].trialDays', { version: '1.0', plans: [{ ...PLAN, trialDays: 30 }] }],
  ['plans[0].amounts[0].price', { version: '1.0', plans: [{ ...PLAN, amounts: [{ ...US, price: 5 }] }] }],
  ['plans[0].gracePeriodDays', { version: '1.0', plans: [{ ...PLAN, gracePeriodDays: 29 }] }],
]
for (const [path, body] of rejected) {
  test(`a release is rejected as a whole, naming ${path}: ${JSON.stringify(body).slice(0, 90)}`, async () => {
    const { developer, appId } = await newDeveloper(tenants)
    const answer = await tenants.call(developer, 'POST', `/apps/${appId}/releases`, body)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.fields[0].path, path)
    assert.equal((await tenants.call(developer, 'GET', `/apps/${appId}/releases`)).body.total, 0)
  })
}

test('an app has at most 500 plans, also with concurrent releases, and rejected plans do not count', async () => {
  const { appId, uuid } = await newDeveloper(tenants)
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...PLAN, name: `Plan ${n}` }))
  assert.equal((await submit(appId, many(501))).body.code, 'TOO_MANY_PLANS')
  const submit300 = () => submit(appId, many(300))
  const row = { table: 'apps', column: 'app_id', id: uuid } as const
  const answers = await tenants.atOnce(row, [submit300, submit300, submit300])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal((await submit(appId, many(200))).status, 201)
  assert.equal((await submit(appId, many(1))).body.code, 'TOO_MANY_PLANS')
  assert.equal((await submit(appId, [])).status, 201)
  const { releaseId } = answers.find(({ status }) => status === 201)?.body ?? {}
  await tenants.call(OPERATOR, 'POST', `/apps/${appId}/releases/${releaseId}/reject`, { reason: 'No.' })
  assert.equal((await submit(appId, many(300))).status, 201)
})
