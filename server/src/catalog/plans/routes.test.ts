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
import { findPlan, findPlans } from './store.ts'

let tenants: Tenants
before(async () => {
  tenants = await openTenants()
})
after(() => tenants[Symbol.asyncDispose]())

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'
const idsOf = (list: { planId: string }[]) => list.map(plan => plan.planId)

test('an app lists its plans with the fields of the interface', async () => {
  const { app, appId } = await newDeveloper(tenants)
  const amounts = [...PLAN.amounts, { country: 'DE', currency: 'EUR', value: 450 }]
  const [planId] = await newPlans(tenants, appId, [{ ...PLAN, amounts, trialPeriodDays: 14 }])
  const listed = await tenants.call(app, 'GET', `/apps/${appId}/plans`)
  const times = { createdAt: '2026-03-01T10:00:00Z', updatedAt: '2026-03-01T10:00:00Z' }
  const plan = {
    ...{ planId, appId, name: 'Basic', description: '', amounts, amount: 500, interval: 'MONTH', intervalCount: 1 },
    ...{
      trialPeriodDays: 14,
      trialEligibility: 'ONCE_PER_BUSINESS',
      startPolicy: 'IMMEDIATE',
      cancelPolicy: 'IMMEDIATE',
    },
    ...{ gracePeriodDays: 7, scope: 'BUSINESS', status: 'ACTIVE', ...times },
  }
  assert.deepEqual(listed, { status: 200, body: { list: [plan], start: 0, total: 1, count: 1 } })
})

test("amount is the price in the caller's country, or else the first price", async () => {
  const { app, appId } = await newDeveloper(tenants)
  await newPlans(tenants, appId, [
    { ...PLAN, amounts: [...PLAN.amounts, { country: 'DE', currency: 'EUR', value: 450 }] },
  ])
  const amountFor = async (caller: Principal) =>
    (await tenants.call(caller, 'GET', `/apps/${appId}/plans`)).body.list[0].amount
  const within = async (country: string) =>
    ({ ...app, businessId: await newBusiness(tenants, { country }) }) as Principal
  assert.equal(await amountFor(app), 500)
  assert.equal(await amountFor(await within('DE')), 450)
  assert.equal(await amountFor(await within('FR')), 500)
  const merchant: Principal = {
    kind: 'merchant',
    role: 'OWNER',
    userId: 'u',
    businessId: await newBusiness(tenants, { country: 'DE' }),
  }
  assert.equal(await amountFor(merchant), 450)
})

test('a list is limited only by start and count', async () => {
  const { app, appId } = await newDeveloper(tenants)
  const plans = Array.from({ length: 150 }, (_, n) => ({ ...PLAN, name: `Plan ${n}` }))
  const ids = await newPlans(tenants, appId, plans)
  const page = async (query: string) => (await tenants.call(app, 'GET', `/apps/${appId}/plans${query}`)).body
  const check = async (query: string, from: number, to: number) => {
    const { list, start, total, count } = await page(query)
    assert.deepEqual([start, total, count], [from, 150, to - from])
    assert.deepEqual(idsOf(list), ids.slice(from, to))
  }
  await check('', 0, 150)
  await check('?count=2', 0, 2)
  await check('?start=3&count=2', 3, 5)
  await check('?start=149&count=1000', 149, 150)
  await check('?start=2&unknown=1', 2, 150)
  await check('?count=5000', 0, 150)
  await check('?start=2026-03-01T10:00:00Z&count=1', 0, 1)
  assert.deepEqual(await page('?start=999'), { list: [], start: 999, total: 150, count: 0 })
  assert.deepEqual(await page('?start=2026-03-01T10:00:01Z'), { list: [], start: 150, total: 150, count: 0 })
  for (const query of ['?count=0', '?count=x', '?start=-1', '?start=yesterday', '?count=1&count=2', '?status=GONE']) {
    assert.equal((await tenants.call(app, 'GET', `/apps/${appId}/plans${query}`)).status, 400, query)
  }
})

test('a retired plan is listed while it has live subscriptions, and always with status INACTIVE', async () => {
  const { app, developer, appId, uuid, organizationId } = await newDeveloper(tenants)
  const [kept = '', live = '', past = '', unused = ''] = await newPlans(tenants, appId, [PLAN, PLAN, PLAN, PLAN])
  const businessId = await newBusiness(tenants)
  const of = { appId: uuid, organizationId, businessId }
  await writeSubscription(tenants.db.sql, { ...of, planId: live, status: 'ACTIVE' })
  await writeSubscription(tenants.db.sql, { ...of, planId: past, status: 'ENDED' })
  for (const planId of [live, past, unused]) {
    assert.equal((await tenants.call(developer, 'POST', `/apps/${appId}/plans/${planId}/retire`)).status, 200)
  }
  const listed = async (query: string) =>
    idsOf((await tenants.call(app, 'GET', `/apps/${appId}/plans${query}`)).body.list)
  assert.deepEqual(await listed(''), [kept, live])
  assert.deepEqual(await listed('?status=ACTIVE'), [kept])
  assert.deepEqual(await listed('?status=INACTIVE'), [live, past, unused])
})

test('two concurrent retirements retire a plan once', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const [planId = ''] = await newPlans(tenants, appId)
  const path = `/apps/${appId}/plans/${planId}/retire`
  let day = 1
  tenants.setNow(() => new Date(Date.UTC(2026, 2, ++day, 10)))
  const retire = () => tenants.call(developer, 'POST', path)
  const row = { table: 'plans', column: 'plan_id', id: planId } as const
  const [one, two] = await tenants.atOnce(row, [retire, retire])
  assert.partialDeepStrictEqual(one, { status: 200, body: { planId, status: 'INACTIVE' } })
  const later = await retire()
  tenants.setNow(new Date('2026-03-01T10:00:00Z'))
  assert.deepEqual(one, two)
  assert.deepEqual(later, one)
  assert.ok((await findPlan(tenants.db.sql, planId))?.retiredAt)
})

test("another app's plan, an unapproved plan and an unknown plan cannot be retired", async () => {
  const { developer, app, appId } = await newDeveloper(tenants)
  const other = await newDeveloper(tenants)
  const [foreign = ''] = await newPlans(tenants, other.appId)
  const submitted = await tenants.call(developer, 'POST', `/apps/${appId}/releases`, { version: '2', plans: [PLAN] })
  for (const planId of [foreign, submitted.body.plans[0].planId, UNKNOWN]) {
    const answer = await tenants.call(developer, 'POST', `/apps/${appId}/plans/${planId}/retire`)
    assert.deepEqual([answer.status, answer.body.code], [404, 'PLAN_NOT_FOUND'])
  }
  assert.equal((await tenants.call(app, 'POST', `/apps/${appId}/plans/${UNKNOWN}/retire`)).body.code, 'FORBIDDEN')
  const foreignApp = await tenants.call(developer, 'POST', `/apps/${other.appId}/plans/${foreign}/retire`)
  assert.equal(foreignApp.body.code, 'APPLICATION_NOT_FOUND')
  assert.equal((await findPlan(tenants.db.sql, foreign))?.status, 'ACTIVE')
})

test('an app lists only its own plans, a developer the plans of the organization, and the operator all plans', async () => {
  const mine = await newDeveloper(tenants)
  const other = await newDeveloper(tenants)
  const path = `/apps/${other.appId}/plans`
  for (const caller of [mine.app, mine.developer]) {
    assert.equal((await tenants.call(caller, 'GET', path)).body.code, 'APPLICATION_NOT_FOUND')
  }
  for (const caller of [OPERATOR, other.app, other.developer]) {
    assert.equal((await tenants.call(caller, 'GET', path)).status, 200)
  }
  assert.equal((await tenants.call(null, 'GET', path)).status, 401)
})

test('plans are found by id, without duplicates', async () => {
  const { appId } = await newDeveloper(tenants)
  const ids = await newPlans(tenants, appId, [PLAN, PLAN])
  const found = await findPlans(tenants.db.sql, [...ids, ...ids, UNKNOWN])
  assert.deepEqual(idsOf(found), ids)
  assert.ok(found[0] && !('retiredAt' in found[0]) && found[0].approvedAt instanceof Date)
  assert.deepEqual(await findPlans(tenants.db.sql, []), [])
})
