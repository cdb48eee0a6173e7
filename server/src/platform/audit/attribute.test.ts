import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { v7 } from 'uuid'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { insertOrganization } from '../../catalog/organizations/store.ts'
import { reject } from '../../core/rejection.ts'
import { type Database, openDatabase } from '../db/db.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import { testServer } from '../http/server.fixture.ts'
import { createIdempotency } from '../idempotency/once.ts'
import { createVault } from '../vault/vault.ts'
import { createAuditor } from './store.ts'

let fresh: FreshDatabase
let db: Database
let app: FastifyInstance

before(async () => {
  fresh = await freshDatabase()
  // One connection: a setting of one transaction would otherwise be visible in the next.
  db = openDatabase({ url: fresh.url, maxConnections: 1 })
  const clock = { now: () => new Date() }
  const idempotency = createIdempotency({ db, clock, vault: createVault(randomBytes(32)) })
  app = testServer([making('/audited'), making('/silent', false)], {
    ...{ db, clock, idempotency },
    auditor: createAuditor({ clock }),
  }).app
})
after(async () => {
  await app.close()
  await db.close()
  await fresh.drop()
})

/** Creates an organization, then returns, rejects or throws, all within its transaction. */
function making(path: string, audited?: false): AnyRoute {
  return route({
    method: 'POST',
    path,
    name: path.slice(1),
    operation: 'organizations.create',
    summary: '',
    body: Type.Object({ organizationId: Type.String(), mode: Type.Optional(Type.String()) }),
    answers: { 201: null },
    rejections: ['PLAN_NOT_FOUND'],
    ...(audited === undefined ? {} : { audited }),
    handle: ({ body: { organizationId, mode }, db }) =>
      db.transaction(async ({ sql }) => {
        if (mode === 'reject') return reject('PLAN_NOT_FOUND', 'None.')
        await insertOrganization(sql, { organizationId, ...ORGANIZATION })
        if (mode === 'crash') throw new Error('crash')
        return answer(201)
      }),
  })
}

const ORGANIZATION = { name: 'Acme', email: 'a@b.c', createdAt: new Date(0), updatedAt: new Date(0) }

/** With a key and without one: the transaction is the key's, or the use case's. */
const WAYS: readonly [string, () => Record<string, string>][] = [
  ['with a key', () => ({ 'idempotency-key': v7() })],
  ['without a key', () => ({})],
]

async function post(url: string, headers: Record<string, string>, mode?: string) {
  const organizationId = v7()
  const payload = { organizationId, ...(mode === undefined ? {} : { mode }) }
  const authorization = 'Bearer operator'
  const { statusCode } = await app.inject({ method: 'POST', url, headers: { authorization, ...headers }, payload })
  const [row] = await db.sql<{ rows: number; entries: number }[]>`
    select (select count(*) from organizations where organization_id = ${organizationId}) as rows,
      (select count(*) from audit_entries where resource_id = ${organizationId}) as entries`
  return { statusCode, ...row }
}

for (const [way, headers] of WAYS) {
  test(`${way}, a change and its audit entry are committed together`, async () => {
    assert.deepEqual(await post('/audited', headers()), { statusCode: 201, rows: 1, entries: 1 })
  })

  test(`${way}, a crash between the work and its commit leaves neither`, async () => {
    assert.deepEqual(await post('/audited', headers(), 'crash'), { statusCode: 500, rows: 0, entries: 0 })
  })

  test(`${way}, a rejection leaves no entry`, async () => {
    assert.deepEqual(await post('/audited', headers(), 'reject'), { statusCode: 404, rows: 0, entries: 0 })
  })

  test(`${way}, a route that is not audited leaves no entry`, async () => {
    assert.deepEqual(await post('/silent', headers()), { statusCode: 201, rows: 1, entries: 0 })
  })
}

test('later work on a connection is not attributed to an earlier request', async () => {
  await post('/audited', {})
  const organizationId = v7()
  await insertOrganization(db.sql, { organizationId, ...ORGANIZATION })
  await db.transaction(({ sql }) => sql`delete from organizations where organization_id = ${organizationId}`)
  const entries = await db.sql`select 1 from audit_entries where resource_id = ${organizationId}`
  assert.equal(entries.length, 0)
})
