import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../../platform/db/db.ts'
import { ensureOperatorKey } from './ensure-operator-key.ts'

const { url, drop } = await freshDatabase()
const [here, there] = [openDatabase({ url, maxConnections: 2 }), openDatabase({ url, maxConnections: 2 })]
after(async () => {
  await Promise.all([here.close(), there.close()])
  await drop()
})
const clock = { now: () => new Date() }

test('a configured operator key is the only valid key, and nothing is stored', async () => {
  const operatorKey = await ensureOperatorKey({ db: here, clock }, 'configured')
  assert.equal(operatorKey.made, undefined)
  assert.ok(operatorKey.verify('configured'))
  for (const wrong of ['', 'configure', 'configured ', 'Configured']) assert.equal(operatorKey.verify(wrong), false)
  assert.equal((await here.sql`select 1 from operator_keys`).length, 0)
})

test('two processes that start at once create one key, which one of them prints and both accept', async () => {
  const keys = await Promise.all([here, there].map(db => ensureOperatorKey({ db, clock })))
  const made = keys.flatMap(key => key.made ?? [])
  assert.equal(made.length, 1)
  const [key = ''] = made
  assert.match(key, /^tillhook_op_[\w-]{43}$/)
  assert.ok(keys.every(({ verify }) => verify(key)))
  const rows = await here.sql<{ keyHash: Buffer }[]>`select key_hash as "keyHash" from operator_keys`
  assert.equal(rows.length, 1)
  assert.equal(rows[0]?.keyHash.length, 32)
})

test('a later start creates no key, and a start with a configured key accepts only that key', async () => {
  const again = await ensureOperatorKey({ db: here, clock })
  assert.equal(again.made, undefined)
  assert.equal(again.verify('configured'), false)
  const [row] = await here.sql<{ keyHash: Buffer }[]>`select key_hash as "keyHash" from operator_keys`
  assert.ok(row)
  assert.equal((await ensureOperatorKey({ db: here, clock }, 'configured')).verify(row.keyHash.toString()), false)
})
