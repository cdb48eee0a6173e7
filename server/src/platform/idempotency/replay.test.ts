import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { reject } from '../../core/rejection.ts'
import { type Database, openDatabase } from '../db/db.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import { APP_ID, OTHER_APP_ID, testServer } from '../http/server.fixture.ts'
import { createVault } from '../vault/vault.ts'
import { createIdempotency } from './once.ts'

let fresh: FreshDatabase
let db: Database
let app: FastifyInstance
let isForbidden = false
let isAway = false

before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
  await db.sql`create table things (thing_id integer generated always as identity, name text not null unique)`
  const clock = { now: () => new Date() }
  const idempotency = createIdempotency({ db, clock, vault: createVault(randomBytes(32)) })
  const prepared = { ...things('/prepared/:place'), prepare: async () => assert.ok(!isAway, 'away') }
  const routes = [things('/things/:place'), things('/repeated/:place', false), prepared]
  app = testServer(routes, { db, clock, idempotency }).app
})
after(async () => {
  await app.close()
  await db.close()
  await fresh.drop()
})

/** Inserts a row; rejects a taken name after an insert without effect. */
function things(path: string, idempotent = true): AnyRoute {
  return route({
    method: 'POST',
    path,
    name: 'makeThing',
    operation: 'apps.manage',
    summary: '',
    rejections: ['PLAN_NOT_FOUND', 'PACKAGE_NAME_TAKEN'],
    idempotent,
    params: Type.Object({ place: Type.String() }),
    body: Type.Object({ name: Type.String(), mode: Type.Optional(Type.String()) }),
    answers: { 201: Type.Object({ thingId: Type.Integer(), name: Type.String() }) },
    subject: () => (isForbidden ? reject('FORBIDDEN', 'No more.') : {}),
    handle: async ({ body: { name, mode }, db: { sql } }) => {
      if (mode === 'missing') return reject('PLAN_NOT_FOUND', 'None.')
      const [row] = await sql<{ thingId: number }[]>`
        insert into things (name) values (${name}) on conflict do nothing returning thing_id as "thingId"`
      if (mode === 'crash') throw new Error('crash')
      if (row === undefined) return reject('PACKAGE_NAME_TAKEN', 'Take another name.')
      return answer(201, { thingId: row.thingId, name }, { location: `/things/${row.thingId}` })
    },
  })
}

async function post(body: object, headers: Record<string, string> = {}, url = '/things/here') {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer app-of-${APP_ID}`, ...headers },
    payload: body,
  })
  return { status: response.statusCode, headers: response.headers, body: response.body, json: response.json() }
}

async function countOf(name: string): Promise<number | undefined> {
  const [row] = await db.sql<{ count: number }[]>`
    select count(*)::integer as count from things where name = ${name}`
  return row?.count
}

test('a repeated request id returns the first response with its headers, marked as a replay', async () => {
  const [body, id] = [{ name: randomUUID() }, randomUUID()]
  const first = await post(body, { 'service-request-id': id })
  const again = await post(body, { 'service-request-id': id }, '/things/here/')
  assert.equal(first.status, 201)
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal(again.status, 201)
  assert.equal(again.body, first.body)
  assert.equal(again.headers.location, first.headers.location)
  assert.equal(again.headers['content-type'], first.headers['content-type'])
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.headers['service-request-id'], id)
})

test('Idempotency-Key wins over the request id', async () => {
  const [body, key, id] = [{ name: randomUUID() }, randomUUID(), randomUUID()]
  const first = await post(body, { 'idempotency-key': key, 'service-request-id': id })
  const again = await post(body, { 'idempotency-key': key, 'service-request-id': 'another' })
  assert.equal(again.body, first.body)
  assert.equal(again.headers['service-request-id'], 'another')
  const otherKey = await post({ name: randomUUID() }, { 'idempotency-key': randomUUID(), 'service-request-id': id })
  assert.equal(otherKey.status, 201)
})

test('another body under the same id is rejected', async () => {
  const id = randomUUID()
  await post({ name: randomUUID() }, { 'service-request-id': id })
  const other = await post({ name: randomUUID() }, { 'service-request-id': id })
  assert.equal(other.status, 409)
  assert.equal(other.json.code, 'REQUEST_ID_DUPLICATE')
})

test('another caller with the same id and body does not get the first response', async () => {
  const [body, id] = [{ name: randomUUID() }, randomUUID()]
  await post(body, { 'service-request-id': id })
  const other = await post(body, { 'service-request-id': id, authorization: `Bearer app-of-${OTHER_APP_ID}` })
  assert.equal(other.status, 409)
  assert.equal(other.json.code, 'PACKAGE_NAME_TAKEN')
})

test('a replay needs the right of the request', async () => {
  const [body, id] = [{ name: randomUUID() }, randomUUID()]
  await post(body, { 'service-request-id': id })
  isForbidden = true
  const again = await post(body, { 'service-request-id': id })
  isForbidden = false
  assert.equal(again.status, 403)
})

test('a request without an id runs each time, and so does a request to a route without idempotency', async () => {
  const name = randomUUID()
  assert.equal((await post({ name })).status, 201)
  assert.equal((await post({ name })).json.code, 'PACKAGE_NAME_TAKEN')
  const [other, id] = [{ name: randomUUID() }, { 'service-request-id': randomUUID() }]
  assert.equal((await post(other, id, '/repeated/here')).status, 201)
  assert.equal((await post(other, id, '/repeated/here')).json.code, 'PACKAGE_NAME_TAKEN')
})

test('a conflict is stored, and other rejections are not', async () => {
  const [name, id] = [randomUUID(), { 'service-request-id': randomUUID() }]
  await post({ name })
  const conflict = await post({ name }, id)
  await db.sql`delete from things where name = ${name}`
  assert.equal((await post({ name }, id)).body, conflict.body)
  const missing = { 'service-request-id': randomUUID() }
  assert.equal((await post({ name, mode: 'missing' }, missing)).status, 404)
  assert.equal((await post({ name }, missing)).status, 201)
})

test('a crash after the work undoes the work and stores no response', async () => {
  const [name, id] = [randomUUID(), { 'service-request-id': randomUUID() }]
  assert.equal((await post({ name, mode: 'crash' }, id)).status, 500)
  assert.equal(await countOf(name), 0)
  assert.equal((await post({ name }, id)).status, 201)
  assert.equal(await countOf(name), 1)
})

test('ten concurrent requests create one resource', async () => {
  const [name, id] = [randomUUID(), { 'service-request-id': randomUUID() }]
  const answers = await Promise.all(Array.from({ length: 10 }, () => post({ name }, id)))
  assert.equal(await countOf(name), 1)
  assert.ok(answers.some(one => one.status === 201))
  assert.ok(answers.every(one => one.status === 201 || one.json.code === 'REQUEST_IN_PROGRESS'))
})

test('a stored response is replayed although a dependency of the work is unavailable', async () => {
  const [body, id] = [{ name: randomUUID() }, { 'service-request-id': randomUUID() }]
  const first = await post(body, id, '/prepared/here')
  isAway = true
  const again = await post(body, id, '/prepared/here')
  const other = await post({ name: randomUUID() }, id, '/prepared/here')
  const fresh = await post({ name: randomUUID() }, { 'service-request-id': randomUUID() }, '/prepared/here')
  isAway = false
  assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body])
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(other.json.code, 'REQUEST_ID_DUPLICATE')
  assert.equal(fresh.status, 500)
})

test('a malformed key is 400 and names the header', async () => {
  for (const key of ['', 'x'.repeat(256), 'caf\u00e9']) {
    const rejected = await post({ name: randomUUID() }, { 'idempotency-key': key })
    assert.equal(rejected.status, 400)
    assert.equal(rejected.json.fields[0].path, 'Idempotency-Key')
  }
})
