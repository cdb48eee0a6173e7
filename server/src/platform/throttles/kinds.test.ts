import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../db/db.ts'
import { countAttempt, passwordThrottle } from './throttle.ts'

const { url, drop } = await freshDatabase()
const db = openDatabase({ url })
after(async () => {
  await db.close()
  await drop()
})
const ports = { db, clock: { now: () => new Date('2026-03-01T10:00:00Z') } }

test('a guesser who changes the /64 for each attempt is throttled after 120 attempts from one /48', async () => {
  const tryFrom = (address: string, n: number) =>
    countAttempt(ports, passwordThrottle(`user-${n}@example.com`, { address }))
  for (let n = 1; n <= 120; n++) assert.equal(await tryFrom(`2001:db8:1:${n}::1`, n), null)
  assert.equal((await tryFrom('2001:db8:1:ffff::1', 121))?.rejected, 'TOO_MANY_REQUESTS')
  assert.equal(await tryFrom('2001:db8:2:1::1', 122), null)
})
