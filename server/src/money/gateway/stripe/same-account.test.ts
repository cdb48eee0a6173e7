import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/postgres.ts'
import { type FakeStripe, startStripe } from '../../../../test/support/stripe/server.ts'
import { type Database, openDatabase } from '../../../platform/db/db.ts'
import { GatewayUnreachable } from '../gateway.ts'
import { isOtherAccount, openAccount } from './client.ts'
import { customerOf } from './payment-methods.ts'

let fresh: FreshDatabase
let db: Database
let ours: FakeStripe
let theirs: FakeStripe
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url, maxConnections: 2 })
  ours = await startStripe()
  theirs = await startStripe()
})
afterEach(() => db.sql`delete from stripe_customers`)
after(async () => {
  await ours?.close()
  await theirs?.close()
  await db?.close()
  await fresh?.drop()
})

const accountOf = ({ secretKey, url: apiBase }: Pick<FakeStripe, 'secretKey' | 'url'>) =>
  openAccount({ secretKey, apiBase, db, clock: { now: () => new Date() }, returnUrl: '', timeoutMs: 10_000 })

const customers = async (many: number) => {
  const ids = []
  for (let n = 0; n < many; n++) ids.push(await customerOf(accountOf(ours), randomUUID()))
  return ids
}

test('before the first customer, every account is accepted without a call', async () => {
  const asked = theirs.calls.length
  assert.equal(await isOtherAccount(accountOf(theirs)), false)
  assert.equal(theirs.calls.length, asked)
})

test('an account without our customers is another account', async () => {
  await customers(5)
  assert.equal(await isOtherAccount(accountOf(ours)), false)
  assert.equal(await isOtherAccount(accountOf(theirs)), true)
})

test('an account that lacks some customers is the same account', async () => {
  const [first = '', , third = ''] = await customers(3)
  ours.state.things.delete(first)
  ours.state.things.delete(third)
  assert.equal(await isOtherAccount(accountOf(ours)), false)
})

test('an unavailable Stripe or a wrong key does not prove another account', async () => {
  await customers(1)
  theirs.fail(/customers/, '500 before')
  await assert.rejects(isOtherAccount(accountOf(theirs)), GatewayUnreachable)
  theirs.fail(/customers/, 'closed before', 2)
  await assert.rejects(isOtherAccount(accountOf(theirs)), GatewayUnreachable)
  await assert.rejects(isOtherAccount(accountOf({ ...theirs, secretKey: 'sk_test_wrong' })), GatewayUnreachable)
})
