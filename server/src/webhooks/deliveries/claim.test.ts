import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import { openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { Db } from '../../platform/db/db.ts'
import { type ClaimRequest, claimDeliveries } from './claim.ts'
import { NO_TURNS } from './turns.ts'

/** More than a claim looks at. */
const MANY = 3_000

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside`)

interface Queued {
  readonly hookId: string
  /** Absent: each is of another one. */
  readonly resourceId?: string
  readonly from?: number
  readonly to: number
}

/** First attempts, one each millisecond: what is queued later is due later. */
async function queue({ hookId, resourceId, from = 1, to }: Queued): Promise<void> {
  webhooks.pass(to)
  await webhooks.db.sql`
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, lane, attempts, due_at,
      recorded_at)
    select u.notification_id, ${webhooks.now().toISOString().slice(0, 10)}::date, ${hookId}, gen_random_uuid(),
      gen_random_uuid(), coalesce(${resourceId ?? null}::uuid, gen_random_uuid()), u.seq, 'FIRST', 0,
      ${webhooks.now()}::timestamptz + (u.seq - ${to}::integer) * interval '1 ms', ${webhooks.now()}
    from unnest(${Array.from({ length: to + 1 - from }, () => v7())}::uuid[]) with ordinality as x (notification_id, nth)
    cross join lateral (select x.notification_id, ${from}::integer - 1 + x.nth as seq) as u`
}

/** What is taken, as `resource sequence`. */
async function claim(more: Partial<ClaimRequest> = {}, db: Db = webhooks.db): Promise<string[]> {
  const many = { FIRST: 100, RETRY: 100, REPLAY: 100 }
  const leaseId = v7()
  await claimDeliveries(db, {
    now: webhooks.now(),
    leaseId,
    leasedUntil: new Date(webhooks.now().getTime() + 30_000),
    limits: many,
    roomOfOthers: { FIRST: 8, RETRY: 8, REPLAY: 8 },
    rooms: new Map(),
    turns: NO_TURNS,
    ...more,
  })
  const rows = await webhooks.db.sql<{ text: string }[]>`
    select resource_id || ' ' || resource_seq as text from deliveries where lease_id = ${leaseId}
    order by resource_id, resource_seq`
  return rows.map(({ text }) => text)
}

/** By indexes, in this transaction so far. */
async function rowsRead({ sql }: Db): Promise<number> {
  const [row] = await sql<{ read: number }[]>`
    select idx_tup_fetch::integer as read from pg_stat_xact_user_tables where relname = 'deliveries'`
  return row?.read ?? Number.NaN
}

test('what one resource has queued is not read through, however much it is', async () => {
  const [hookId, resourceId] = [v7(), v7()]
  await queue({ hookId, resourceId, to: MANY })
  let read = Number.NaN
  const counting: Db = {
    ...webhooks.db,
    transaction: work =>
      webhooks.db.transaction(async tx => {
        const result = await work(tx)
        read = await rowsRead(tx)
        return result
      }),
  }
  assert.deepEqual(await claim({}, counting), [`${resourceId} 1`])
  assert.ok(read > 0 && read < MANY / 2, `${read} rows were read`)
})

test('what was sent of a resource while a transaction stays open is read over a few times, not for each one of it that waits', async t => {
  const [hookId, resourceId] = [v7(), v7()]
  const [isOpen, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const open = webhooks.db.transaction(async ({ sql }) => {
    await sql`select pg_current_xact_id()`
    isOpen.resolve()
    await ended.promise
  })
  t.after(async () => {
    ended.resolve()
    await open
  })
  await isOpen.promise
  await queue({ hookId, resourceId, to: MANY })
  await webhooks.db.sql`delete from deliveries`
  await queue({ hookId, resourceId, from: MANY + 1, to: MANY + 300 })
  let read = Number.NaN
  const counting: Db = {
    ...webhooks.db,
    transaction: work =>
      webhooks.db.transaction(async tx => {
        const result = await work(tx)
        // Entries of the index, those of dead rows, too.
        const [row] = await tx.sql<{ read: number }[]>`
          select pg_stat_get_xact_tuples_returned('deliveries_untried'::regclass)::integer as read`
        read = row?.read ?? Number.NaN
        return result
      }),
  }
  assert.deepEqual(await claim({}, counting), [`${resourceId} ${MANY + 1}`])
  assert.ok(read > 0 && read < 10 * MANY, `${read} entries were read`)
})

test('by a plan made while the queue was empty, hooks with long queues cost no more than what is taken of them', async () => {
  const hookIds = [v7(), v7(), v7()]
  await webhooks.db.transaction(async tx => {
    assert.deepEqual(await claim({}, tx), [])
    for (const hookId of hookIds) await queue({ hookId, to: MANY })
    const before = await rowsRead(tx)
    await claim({}, tx)
    const read = (await rowsRead(tx)) - before
    assert.ok(read > 0 && read < MANY / 2, `${read} rows were read`)
  })
  const rows = await webhooks.db.sql<{ hookId: string }[]>`
    select hook_id as "hookId" from deliveries where lease_id is not null order by due_at`
  assert.deepEqual(rows.map(({ hookId }) => hookId).sort(), hookIds.flatMap(id => Array(8).fill(id)).sort())
})

test('behind the long queue of a resource the first of each other one goes out, and its own next one waits', async () => {
  const [hookId, long] = [v7(), v7()]
  await queue({ hookId, resourceId: long, to: MANY })
  assert.deepEqual(await claim(), [`${long} 1`])
  const others = [v7(), v7(), v7()]
  for (const resourceId of others) await queue({ hookId, resourceId, to: 2 })
  assert.deepEqual(
    await claim({ roomOfOthers: { FIRST: 2, RETRY: 2, REPLAY: 2 } }),
    others.slice(0, 2).map(each => `${each} 1`),
  )
  const narrow = new Map([[hookId, new Date(0)]])
  assert.deepEqual(await claim({ from: narrow }), [`${others[2]} 1`])
  assert.deepEqual(await claim(), [])
  webhooks.pass(30_000)
  assert.deepEqual(
    await claim(),
    [long, ...others].map(each => `${each} 1`),
    'once their leases have run out',
  )
})

test('one that stands aside holds up neither the long queue behind it nor other resources', async () => {
  const [hookId, long, other] = [v7(), v7(), v7()]
  await queue({ hookId, resourceId: long, to: MANY })
  await queue({ hookId, resourceId: other, to: 1 })
  await webhooks.db.sql`
    insert into set_aside (kind, row_id, failures, last_error, blocked_until)
    select 'delivery', notification_id, 1, 'it threw', ${new Date(webhooks.now().getTime() + 60_000)}
    from deliveries where resource_id = ${long} and resource_seq = 1`
  await webhooks.db.sql`
    update deliveries set due_at = ${new Date(webhooks.now().getTime() + 60_000)}
    where resource_id = ${long} and resource_seq = 1`
  assert.deepEqual(await claim(), [`${long} 2`, `${other} 1`])
})

test('another hook hears of the same resource whatever waits for the first', async () => {
  const [hookId, foreign, resourceId] = [v7(), v7(), v7()]
  await queue({ hookId, resourceId, to: MANY })
  await queue({ hookId: foreign, resourceId, from: MANY, to: MANY })
  assert.deepEqual(await claim(), [`${resourceId} 1`, `${resourceId} ${MANY}`])
})
