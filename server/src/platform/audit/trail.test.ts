import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf } from '../../../test/support/tokens.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { findAuditedTables } from './catalog.fixture.ts'
import { type Secrets, tellStory } from './story.fixture.ts'

/** Routes whose changes have no actor, with the reason. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  'POST /businesses/:businessId/payment-methods/setup': 'Nothing of ours is changed: the gateway begins something.',
  'POST /gateways/:gateway/events': 'A gateway sends it, and no person or app.',
  'POST /apps/:appId/deliveries/:deliveryId/redeliver':
    'It changes nothing but the queue; the history has its attempts.',
  'POST /businesses/:businessId/deliveries/:deliveryId/redeliver':
    'It changes nothing but the queue; the history has its attempts.',
  'POST /hooks/:hookId/test': 'The notification and its attempt are in the history.',
  'POST /terminal/apps/:packageName/token': 'The grant that it makes is its own record.',
  'POST /terminal/sessions': 'The session is its own record.',
  'DELETE /terminal/sessions/current': 'The session keeps when it ended.',
  'POST /token': 'The grant that it makes is its own record.',
  'POST /sessions': 'A session’s row says who, since when and until when.',
  'PATCH /sessions/current': 'A session’s row says as what.',
  'DELETE /sessions/current': 'A session’s row says when it ended.',
  'DELETE /sessions/:sessionId': 'A session’s row says when it ended.',
  'POST /device-logins': 'Nobody is known to ask. The row says when.',
  'POST /device-logins/token': 'A session’s row says who, since when and until when.',
  'POST /password-resets': 'Nobody is known to ask. The link’s row says when.',
  'POST /apps/:appId/subscriptions/:subscriptionId/preview': 'It changes nothing.',
  'POST /token/revoke': 'Nobody is known to ask. The grant keeps when it ended.',
}

/** Routes that need Stripe Connect, which this world lacks. payouts/transfer.test.ts expects their entries. */
const OF_CONNECT = ['payout-account', 'transfers'].map(last => `POST /organizations/:organizationId/${last}`)

/** Their entries are expected in payouts/transfer.test.ts, ops/see-as.test.ts and ops/system.test.ts: viewings and notes begin on pages. */
const ELSEWHERE = ['notes', 'payout_accounts', 'payout_transfers', 'viewings']

/** Kinds that background jobs or unaudited requests change too: a token request records the last use of a key. */
const CHANGED_BY_LOOPS = [
  'app_keys',
  'billing_progress',
  'businesses',
  'charges',
  'devices',
  'invoices',
  'purchases',
  'redeliveries',
  'refunds',
  'subscriptions',
  'test_clocks',
]

let world: World
let secrets: Secrets
before(async () => {
  world = await createWorld()
  secrets = await tellStory(world)
})
after(() => world.close())

const sql = () => world.app.ports.db.sql

async function countEntries(): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`select count(*) as count from audit_entries`
  return row?.count ?? 0
}

/** The entries of one resource, oldest first. */
async function entriesOf(resourceId: string): Promise<Json[]> {
  return (await world.call('GET', `/audit?limit=100&resourceId=${encodeURIComponent(resourceId)}`)).entries.reverse()
}

test('every changing route writes an audit entry, or is listed with a reason', async () => {
  const rows = await sql()<{ name: string }[]>`select distinct method || ' ' || path as name from audit_entries`
  const changing = world.app.routes.filter(({ method }) => method !== 'GET')
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
  const silent = changing.filter(({ audited }) => audited === false).map(nameOf)
  const audited = changing.map(nameOf).filter(name => !silent.includes(name) && !OF_CONNECT.includes(name))
  assert.deepEqual(silent.sort(), Object.keys(NOT_AUDITED).sort())
  assert.deepEqual(rows.map(({ name }) => name).sort(), audited.sort(), 'call each route in story.fixture.ts')
})

test('the entries of a resource are consistent: each begins where the last one ended, and the last one is the current row', async () => {
  const tables = await findAuditedTables(sql())
  assert.ok(tables.length > 10)
  for (const { table, kind, keys, hidden } of tables.filter(
    ({ table }) => ![...CHANGED_BY_LOOPS, ...ELSEWHERE].includes(table),
  )) {
    const rows = await sql()<{ row: Json }[]>`select to_jsonb(t) - ${hidden}::text[] as row from ${sql()(table)} as t`
    const entries = await sql()<{ resourceId: string; before: Json | null; after: Json | null }[]>`
      select resource_id as "resourceId", before, after from audit_entries where kind = ${kind} order by entry_id`
    assert.ok(entries.length > 0, `the story changes no ${kind}`)
    const known = new Map<string, Json | null>()
    for (const { resourceId, before, after } of entries) {
      assert.deepEqual(before, known.get(resourceId) ?? null, `${kind} ${resourceId}`)
      known.set(resourceId, after)
    }
    const alive = [...known].filter(([, row]) => row !== null)
    const idOf = (row: Json) => keys.map(key => row[key]).join('/')
    assert.deepEqual(new Map(alive), new Map(rows.map(({ row }) => [idOf(row), row])), table)
  }
})

test('no entry holds a secret, a token, a key or a code', async () => {
  const [all] = await sql()<{ text: string }[]>`select string_agg(e::text, e'\n') as text from audit_entries as e`
  const text = all?.text ?? ''
  assert.match(text, /Corner Shop/)
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(secret.length > 4 && !text.includes(secret), `an entry holds ${name}`)
    // A key in PEM has line ends, which JSON escapes.
    assert.ok(!text.includes(secret.split('\n')[1] ?? secret), `an entry holds ${name}`)
  }
  assert.doesNotMatch(text, /PRIVATE KEY|tok_|_hash"/)
})

test('an entry has the principal, the action, the resource, the time, and the row before and after', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  const headers = { 'service-request-id': 'the-request' }
  const body = { doingBusinessAs: 'The Shop' }
  await world.ask(OPERATOR_KEY, 'PATCH', `/businesses/${businessId}`, { body, headers })
  const [made, changed] = await entriesOf(businessId)
  assert.equal(made?.before, undefined)
  assert.equal(made?.after.doing_business_as, changed?.before.doing_business_as)
  const { entryId, at, before, after, ...rest } = changed ?? {}
  assert.ok(entryId > made?.entryId)
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.equal(before.business_id, businessId)
  assert.equal(after.doing_business_as, 'The Shop')
  assert.deepEqual(rest, {
    principal: made?.principal,
    principalKind: 'operator',
    operation: 'businesses.write',
    method: 'PATCH',
    path: '/businesses/:businessId',
    requestId: 'the-request',
    kind: 'BUSINESS',
    resourceId: businessId,
    businessId,
  })
})

test('a rejection and a request without changes leave no entry', async () => {
  const merchant = await world.merchant()
  const planId = await world.plan({ cancelPolicy: 'BILLING' })
  const { subscriptionId: id } = await merchant.subscribe(planId)
  await merchant.cancel(id)
  const count = await countEntries()
  await merchant.cancel(id)
  await merchant.subscribe(planId, 409)
  await world.call('PATCH', `/businesses/${merchant.businessId}`, { country: 'nowhere' }, 400)
  await world.call('POST', '/hooks', { applicationId: world.appId }, 400)
  await world.call('POST', `/apps/${world.appId}/plans/${merchant.businessId}/retire`, undefined, 404)
  const token = await tokenOf(world, world.credentials)
  assert.equal((await world.ask(token, 'POST', '/organizations', { body: { name: 'a', email: 'a@b.c' } })).status, 403)
  assert.equal(await countEntries(), count)
})

test('later background work is not the caller’s action', async () => {
  const merchant = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  const { subscriptionId: id } = await merchant.subscribe(await world.plan())
  const entries = await entriesOf(id)
  assert.equal(entries.length, 1)
  const before = await countEntries()
  await merchant.until('2026-03-01T00:00:00Z')
  // The goal of the clock was set by a request; the two renewals on its way were not.
  assert.equal(await countEntries(), before + 1)
  assert.deepEqual(await entriesOf(id), entries)
})

test('a request repeated with its key leaves no second entry', async () => {
  const headers = { 'idempotency-key': 'one-organization' }
  const body = { name: 'Once', email: 'once@example.com' }
  const first = await world.ask(OPERATOR_KEY, 'POST', '/organizations', { body, headers })
  const again = await world.ask(OPERATOR_KEY, 'POST', '/organizations', { body, headers })
  assert.equal(again.headers['idempotent-replayed'], 'true')
  const entries = await entriesOf(first.body.organizationId)
  assert.equal(entries.length, 1)
  assert.deepEqual(entries[0]?.path, '/organizations')
})

test('each of many concurrent changes records its own rows before and after', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  const names = Array.from({ length: 8 }, (_, i) => `Name ${i}`)
  const change = (doingBusinessAs: string) => world.call('PATCH', `/businesses/${businessId}`, { doingBusinessAs })
  await Promise.all(names.map(change))
  const entries = await entriesOf(businessId)
  assert.equal(entries.length, 1 + names.length)
  const nameOf = (row: Json) => row.doing_business_as
  entries.slice(1).forEach((entry, i) => {
    assert.deepEqual(entry.before, entries[i]?.after)
  })
  assert.deepEqual(
    entries
      .slice(1)
      .map(({ after }) => nameOf(after))
      .sort(),
    names,
  )
})

test('one request that changes many resources leaves an entry for each', async () => {
  const version = { version: '3.0', plans: ['A', 'B'].map(name => ({ ...PLAN, name })) }
  const release = await world.call('POST', `/apps/${world.appId}/releases`, version)
  const headers = { 'service-request-id': 'approve-both' }
  const path = `/apps/${world.appId}/releases/${release.releaseId}/approve`
  await world.ask(OPERATOR_KEY, 'POST', path, { headers })
  const { entries } = await world.call('GET', '/audit?limit=3')
  assert.deepEqual(new Set(entries.map((entry: Json) => entry.requestId)), new Set(['approve-both']))
  const changed = entries.map((entry: Json) => `${entry.kind} ${entry.before.status} ${entry.after.status}`)
  const approved = 'PLAN INACTIVE ACTIVE'
  assert.deepEqual(changed.sort(), [approved, approved, 'RELEASE SUBMITTED APPROVED'])
})

const PLAN = { amounts: [{ country: 'US', currency: 'USD', value: 500 }], interval: 'MONTH', scope: 'BUSINESS' }
