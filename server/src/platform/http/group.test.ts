import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { type Database, openDatabase } from '../db/db.ts'
import { createIdempotency } from '../idempotency/once.ts'
import { createVault } from '../vault/vault.ts'
import { type Answer, answer, route } from './route.ts'
import { testServer } from './server.fixture.ts'

let fresh: FreshDatabase
let db: Database
let app: FastifyInstance
/** The sizes of the groups that ran. */
let groups: number[] = []

const things = route({
  method: 'POST',
  path: '/things',
  name: 'makeThing',
  operation: 'apps.manage',
  summary: '',
  rejections: ['PLAN_NOT_FOUND'],
  body: Type.Object({ name: Type.String(), mode: Type.Optional(Type.String()) }),
  answers: { 201: Type.Object({ name: Type.String(), by: Type.String() }) },
  handleGroup: async ({ sql }, calls) => {
    groups.push(calls.length)
    const results = calls.map(({ body, requestId }): Answer | Rejection =>
      body.mode === 'missing' ? reject('PLAN_NOT_FOUND', 'None.') : answer(201, { name: body.name, by: requestId }),
    )
    const names = calls.flatMap(({ body }, index) => (isRejection(results[index] as never) ? [] : [body.name]))
    await sql`insert into things (name) select * from unnest(${names}::text[])`
    return results
  },
})

before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
  await db.sql`create table things (name text not null unique constraint short check (length(name) < 50))`
  const clock = { now: () => new Date() }
  const idempotency = createIdempotency({ db, clock, vault: createVault(randomBytes(32)) })
  app = testServer([things], { db, clock, idempotency }).app
})
after(async () => {
  await app?.close()
  await db?.close()
  await fresh?.drop()
})

async function post(body: object, headers: Record<string, string> = {}) {
  const reply = await app.inject({
    method: 'POST',
    url: '/things',
    headers: { authorization: 'Bearer operator', ...headers },
    payload: body,
  })
  return { status: reply.statusCode, headers: reply.headers, json: reply.json() }
}

async function countOf(names: readonly string[]): Promise<number | undefined> {
  const [row] = await db.sql<{ count: number }[]>`
    select count(*)::integer as count from things where name = any(${names as string[]})`
  return row?.count
}

test('concurrent requests share transactions, and each gets its own response', async () => {
  groups = []
  const names = Array.from({ length: 120 }, () => randomUUID())
  const answers = await Promise.all(names.map(name => post({ name }, { 'service-request-id': `of-${name}` })))
  assert.deepEqual(
    answers.map(({ status, json }) => [status, json.name, json.by]),
    names.map(name => [201, name, `of-${name}`]),
  )
  assert.equal(await countOf(names), 120)
  assert.equal(
    groups.reduce((sum, size) => sum + size),
    120,
  )
  assert.ok(groups.length < 60, `${groups}`)
})

test('a rejected request and a constraint violation fail alone', async () => {
  const names = Array.from({ length: 20 }, () => randomUUID())
  const bodies: object[] = names.map(name => ({ name }))
  bodies.splice(5, 0, { name: randomUUID(), mode: 'missing' })
  bodies.splice(10, 0, { name: 'x'.repeat(60) })
  bodies.splice(15, 0, { name: names[0] })
  const answers = await Promise.all(bodies.map(body => post(body)))
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [...Array(20).fill(201), 404, 500, 500],
  )
  assert.deepEqual([statuses[5], statuses[10]], [404, 500])
  assert.equal(await countOf(names), 20)
})

test('a repeated key returns the first response, also among other requests, and another body is rejected', async () => {
  const [name, key] = [randomUUID(), { 'idempotency-key': randomUUID() }]
  const first = await post({ name }, key)
  const [again, other, third] = await Promise.all([
    post({ name }, key),
    post({ name: randomUUID() }, key),
    post({ name: randomUUID() }),
  ])
  const replayed = again.headers['idempotent-replayed'] === 'true' && again.json.name === first.json.name
  assert.ok(replayed || again.json.code === 'REQUEST_IN_PROGRESS')
  assert.equal(other.status, 409)
  assert.equal(third.status, 201)
  assert.equal(await countOf([name]), 1)
})

test('one key sent many times at once has one effect', async () => {
  const [name, key] = [randomUUID(), { 'idempotency-key': randomUUID() }]
  const answers = await Promise.all(Array.from({ length: 20 }, () => post({ name }, key)))
  for (const { status, json } of answers) assert.ok(status === 201 || json.code === 'REQUEST_IN_PROGRESS', json.code)
  assert.ok(answers.some(({ status }) => status === 201))
  assert.equal(await countOf([name]), 1)
})
