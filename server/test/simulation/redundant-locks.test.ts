import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/postgres.ts'
import { withoutRowLocks } from './negative-controls.ts'
import { type Made, renewTwice } from './redundant-locks.ts'
import { type NegativeControl, openStage } from './stage.ts'

/** The constraints on invoices per period and on live charges per invoice. */
const CONSTRAINTS = ['invoices_period_once', 'charges_one_alive'] as const
const GONE = 'alter table invoices drop constraint invoices_period_once; drop index charges_one_alive'

test('without the constraints, the row lock alone allows one invoice per period and one live attempt per invoice', async () => {
  const { invoices, liveCharges } = await renewedWithout({ ddl: GONE })
  assert.deepEqual([invoices, liveCharges], [1, 1])
})

test('without the row lock, the constraints reject the second invoice and the second attempt', async () => {
  const { invoices, liveCharges, errors } = await renewedWithout({ rewrite: withoutRowLocks })
  assert.deepEqual([invoices, liveCharges], [1, 1])
  for (const constraint of CONSTRAINTS) {
    assert.ok(
      errors.some(error => error.includes(constraint)),
      `${constraint} rejected nothing`,
    )
  }
})

test('without both, two invoices are issued for a period, and two live attempts are made for an invoice', async () => {
  const { invoices, liveCharges } = await renewedWithout({ ddl: GONE, rewrite: withoutRowLocks })
  assert.ok(invoices > 1)
  assert.ok(liveCharges > 1)
})

async function renewedWithout(taken: NegativeControl): Promise<Made> {
  const database = await freshDatabase()
  const stage = await openStage(database.url, taken)
  try {
    return await renewTwice(stage, 'renewed twice')
  } finally {
    await stage.close()
    await database.drop()
  }
}
