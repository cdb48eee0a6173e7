import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import { type Database, type Db, openDatabase } from '../db/db.ts'
import type { Idempotency, KeyedRequest } from '../http/ports.ts'
import type { WireAnswer } from '../http/send.ts'
import { createVault } from '../vault/vault.ts'
import { createIdempotency, purge, purgeBatches } from './once.ts'

const vault = createVault(randomBytes(32))
let fresh: FreshDatabase
let db: Database
let now = new Date('2026-01-31T00:00:00Z')
const clock = { now: () => now }
let idempotency: Idempotency

before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
  await db.sql`create table made (made_id text primary key)`
  idempotency = createIdempotency({ db, clock, vault })
})
after(async () => {
  await db.close()
  await fresh.drop()
})

const app = (appId: string, businessId?: string): Principal => ({
  kind: 'app',
  appId,
  organizationId: 'o',
  grantId: 'g',
  ...(businessId && { businessId }),
})

const request = (changes: Partial<KeyedRequest> = {}): KeyedRequest => ({
  principal: app('a'),
  method: 'POST',
  path: '/apps/:appId/things',
  params: { appId: 'a' },
  key: randomUUID(),
  body: Buffer.from('{"n":1}'),
  ...changes,
})

/** A use case that inserts a row and returns an answer. */
function making(answer: Partial<WireAnswer> = {}) {
  const id = randomUUID()
  const calls = { count: 0 }
  const work = async ({ sql }: Db): Promise<WireAnswer> => {
    calls.count++
    await sql`insert into made (made_id) values (${`${id} ${calls.count}`})`
    return { status: 201, headers: { location: '/made' }, body: `{"privateKey":"${id}"}`, ...answer }
  }
  const countMade = async () => {
    const [row] = await db.sql<{ count: number }[]>`
      select count(*)::integer as count from made where made_id like ${`${id}%`}`
    return row?.count
  }
  return { work, calls, countMade }
}

/** One request alone. */
async function once(keyed: KeyedRequest, work: (db: Db) => Promise<WireAnswer>) {
  const [answer] = await idempotency.onceEach([keyed], async tx => [await work(tx)])
  assert.ok(answer)
  return answer
}

const codeOf = (outcome: unknown) => (isRejection(outcome) ? outcome.rejected : outcome)

test('a repeated request gets the first response byte for byte, and nothing happens twice', async () => {
  const { work, calls, countMade } = making()
  const again = request()
  const first = await once(again, work)
  const second = await once(again, work)
  assert.ok(!isRejection(first))
  assert.deepEqual(second, { ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } })
  assert.equal(calls.count, 1)
  assert.equal(await countMade(), 1)
})

test('another body with the same key is rejected and has no effect', async () => {
  const { work, calls } = making()
  const first = request()
  await once(first, work)
  const outcome = await once({ ...first, body: Buffer.from('{"n":2}') }, work)
  assert.equal(codeOf(outcome), 'REQUEST_ID_DUPLICATE')
  assert.equal(calls.count, 1)
})

test('for callers without a token the body is part of the key, and a repeated request gets the first response', async () => {
  const first = request({ principal: { kind: 'anonymous' } })
  const [one, two] = [making(), making()]
  const answered = await once(first, one.work)
  const other = { ...first, body: Buffer.from('{"n":2}') }
  assert.ok(!isRejection(await once(other, two.work)))
  assert.equal(two.calls.count, 1)
  const again = await once(first, one.work)
  assert.ok(!isRejection(answered) && !isRejection(again))
  assert.deepEqual([again.body, one.calls.count], [answered.body, 1])
  assert.deepEqual(await idempotency.find(first), again)
  assert.equal(await idempotency.find({ ...first, body: Buffer.from('{"n":3}') }), null)
})

test('another caller, business, path, parameter or key is another request', async () => {
  const first = request()
  await once(first, making().work)
  for (const changes of [
    { principal: app('b') },
    { principal: app('a', 'business') },
    { principal: { kind: 'operator', role: 'ADMIN', name: 'a' } as const },
    { path: '/apps/:appId/others' },
    { params: { appId: 'b' } },
    { key: randomUUID() },
  ]) {
    const { work, calls } = making()
    await once({ ...first, ...changes }, work)
    assert.equal(calls.count, 1)
  }
})

test('many concurrent requests do the work once, and the others get its response or REQUEST_IN_PROGRESS', async () => {
  const { work, countMade } = making()
  const same = request()
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => once(same, work)))
  assert.equal(await countMade(), 1)
  const codes = outcomes.map(outcome => (isRejection(outcome) ? outcome.rejected : outcome.status))
  assert.ok(codes.includes(201))
  assert.ok(codes.every(code => code === 201 || code === 'REQUEST_IN_PROGRESS'))
})

test('a repeat during the first request is rejected, and gets the response afterwards', async () => {
  const { work, calls } = making()
  const same = request()
  const [working, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = once(same, async tx => {
    working.resolve()
    await finish.promise
    return work(tx)
  })
  await working.promise
  assert.equal(codeOf(await once(same, work)), 'REQUEST_IN_PROGRESS')
  finish.resolve()
  await first
  const later = await once(same, work)
  assert.ok(!isRejection(later) && later.status === 201)
  assert.equal(calls.count, 1)
})

test('work that throws leaves nothing behind and can be repeated', async () => {
  const { work, countMade } = making()
  const same = request()
  const crashing = async (tx: Db): Promise<WireAnswer> => {
    await work(tx)
    throw new Error('crash')
  }
  await assert.rejects(once(same, crashing), /crash/)
  assert.equal(await countMade(), 0)
  const answer = await once(same, work)
  assert.ok(!isRejection(answer) && answer.headers['idempotent-replayed'] === undefined)
  assert.equal(await countMade(), 1)
})

test('a rejection with 409 is stored, and every other status from 400 up is not', async () => {
  const kept = making({ status: 409 })
  const conflict = request()
  await once(conflict, kept.work)
  const again = await once(conflict, kept.work)
  assert.ok(!isRejection(again) && again.status === 409)
  assert.equal(kept.calls.count, 1)
  for (const status of [400, 403, 404, 429]) {
    const rejected = making({ status })
    const same = request()
    await once(same, rejected.work)
    await once(same, rejected.work)
    assert.equal(rejected.calls.count, 2)
  }
})

test('a response without a body is replayed without a body', async () => {
  const { work } = making({ status: 204, headers: {}, body: null })
  const same = request()
  await once(same, work)
  const again = await once(same, work)
  assert.deepEqual(again, { status: 204, headers: { 'idempotent-replayed': 'true' }, body: null })
})

test('a key expires after 24 hours', async () => {
  const { work, calls } = making()
  const same = request()
  await once(same, work)
  const madeAt = now
  now = new Date(madeAt.getTime() + 86_400_000 - 1)
  await once(same, work)
  assert.equal(calls.count, 1)
  now = new Date(madeAt.getTime() + 86_400_000)
  await once({ ...same, body: Buffer.from('other') }, work)
  assert.equal(calls.count, 2)
  assert.equal(codeOf(await once(same, work)), 'REQUEST_ID_DUPLICATE')
})

test('no response is readable in the table', async () => {
  const { work } = making({ body: '{"privateKey":"unmistakable"}' })
  await once(request(), work)
  const rows = await db.sql<{ answer: Buffer }[]>`select answer from idempotency_keys`
  assert.ok(rows.length > 0)
  assert.ok(rows.every(row => !row.answer.includes('unmistakable') && !row.answer.includes('privateKey')))
})

test('a purge deletes only expired responses', async () => {
  now = new Date('2026-03-01T00:00:00Z')
  const { work, calls } = making()
  const same = request()
  await once(same, work)
  const [old] = await db.sql<{ count: number }[]>`select count(*)::integer - 1 as count from idempotency_keys`
  assert.equal(await purgeBatches({ db, clock }), old?.count)
  assert.equal(await purgeBatches({ db, clock }), 0)
  await once(same, work)
  assert.equal(calls.count, 1)
  assert.equal(await purge(db.sql, now), 1)
})

test('a purge of many responses continues after the first batch', async () => {
  await db.sql`
    insert into idempotency_keys (key_hash, body_hash, status, answer, recorded_at)
    select sha256(i::text::bytea), '', 201, '', ${new Date('2020-01-01')} from generate_series(1, 2500) as i`
  assert.equal(await purge(db.sql, new Date('2021-01-01')), 2500)
})

test('requests in one transaction have their own responses: created, repeated, in use, or another body', async () => {
  const repeated = request()
  const first = await once(repeated, making().work)
  assert.ok(!isRejection(first))
  const fresh = request()
  const requests = [fresh, null, repeated, fresh, { ...repeated, body: Buffer.from('{"n":2}') }, null]
  const asked: number[] = []
  const answers = await idempotency.onceEach(requests, async (_db, positions) => {
    asked.push(...positions)
    return positions.map(position => ({ status: 200, headers: {}, body: String(position) }))
  })
  assert.deepEqual(asked, [0, 1, 5])
  assert.deepEqual(
    answers.map(answer => (isRejection(answer) ? answer.rejected : answer.body)),
    ['0', '1', first.body, 'REQUEST_IN_PROGRESS', 'REQUEST_IN_PROGRESS', '5'],
  )
  const [again, other] = await idempotency.onceEach([fresh, { ...repeated, body: Buffer.from('{"n":2}') }], () =>
    assert.fail('all were answered'),
  )
  assert.deepEqual(
    [!isRejection(again as never) && (again as WireAnswer).body, codeOf(other)],
    ['0', 'REQUEST_ID_DUPLICATE'],
  )
})
