import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Sql } from '../../server/src/db/db.ts'
import { startEmbedded } from '../../server/src/db/embedded/start.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { foldCounts } from '../../server/src/subscriptions/counts.ts'
import { type PageBegin, readPage, type SubscriptionFilter } from '../../server/src/subscriptions/pages.ts'
import { monotonicMs } from './monotonic.ts'
import { percentile } from './percentile.ts'

/*
 * Pages of an app with a million subscriptions, as the service reads them: `node bench/src/million.ts`. They were created over
 * three years, 50,000 of them within one minute; 30 % have ended; ten plans. Takes about two minutes and 3 GB in the temporary folder.
 */

const MANY = 1_000_000
const TIMES = 40
const APP = '00000000-0000-7000-8000-00000000000a'
const PLAN = '00000000-0000-7000-8000-000000000101'
const LIMIT = 101

const quiet = () => {}
const folder = await mkdtemp(join(tmpdir(), 'tillhook-million-'))
const embedded = await startEmbedded({ dataDir: join(folder, 'data'), log: { info: quiet, warn: quiet, error: quiet } })
try {
  await migrate({ url: embedded.url })
  const db = openDatabase({ url: embedded.url, maxConnections: 1, answerWithinMs: 3_600_000 })
  await fill(db.sql)
  await measureAll(db.sql)
  await db.close()
} finally {
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measureAll(sql: Sql): Promise<void> {
  for (const filter of [
    { appId: APP, status: 'ACTIVE' },
    { appId: APP, status: 'ALL' },
    { appId: APP, status: 'ACTIVE', planId: PLAN },
  ] satisfies SubscriptionFilter[]) {
    const { total } = await readPage(sql, filter, { begin: { offset: 0 }, limit: LIMIT })
    const name = `${filter.status}${'planId' in filter ? ' of a plan' : ''}, ${total}`
    const read = (begin: PageBegin) => readPage(sql, filter, { begin, limit: LIMIT })
    const places: { offset: number; id: string; at: Date }[] = []
    for (let n = 0; n < TIMES; n++) {
      const offset = Math.floor(((n + 0.5) / TIMES) * total)
      const [row] = (await read({ offset })).rows
      if (row) places.push({ offset, id: row.subscriptionId, at: new Date(row.createdAt) })
    }
    const inTurn = (turn: number) => places[turn % places.length] ?? { offset: 0, id: '', at: new Date(0) }
    await measure(`${name}: first page`, () => read({ offset: 0 }))
    await measure(`${name}: by offset anywhere`, turn => read({ offset: inTurn(turn).offset }))
    await measure(`${name}: after a subscription`, turn => read({ after: inTurn(turn).id }))
    await measure(`${name}: from an instant`, turn => read({ createdFrom: inTurn(turn).at }))
  }
  await measure('without counts: count(*)', async () => {
    await sql`select count(*) as total from subscriptions where app_id = ${APP} and status = 'ACTIVE'`
  })
  await measure('without counts: offset of 600,000', async () => {
    await sql`
      select subscription_id from subscriptions where app_id = ${APP} and status = 'ACTIVE'
      order by created_at, subscription_id offset 600000 limit ${LIMIT}`
  })
}

async function measure(name: string, work: (turn: number) => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let turn = 0; turn < TIMES * 2; turn++) {
    const from = monotonicMs()
    await work(turn)
    times.push(monotonicMs() - from)
  }
  const show = (share: number) => percentile(times, share).toFixed(1).padStart(7)
  process.stdout.write(`${name.padEnd(46)} p50 ${show(0.5)} ms, p95 ${show(0.95)} ms, most ${show(1)} ms\n`)
}

/** Written directly: over the interface it would take an hour. */
async function fill(sql: Sql): Promise<void> {
  const at = new Date('2023-01-01T00:00:00Z')
  const [organization, release] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000000b']
  await sql`insert into organizations values (${organization}, 'Bench', 'bench@example.com', ${at}, ${at})`
  await sql`insert into apps values (${APP}, ${organization}, 'Bench', 'com.example.bench', '{}', 'ACTIVE', ${at}, ${at})`
  await sql`insert into releases values (${release}, ${APP}, '1', 'APPROVED', null, ${at}, ${at})`
  await sql`
    insert into plans
    select ('00000000-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, ${APP}, ${release}, 'Plan', '', '[]',
      'MONTH', 0, 'ALWAYS', 'IMMEDIATE', 'IMMEDIATE', 7, 'BUSINESS', 'ACTIVE', ${at}, ${at}, ${at}, null
    from generate_series(0, 9) as n`
  await sql`
    insert into businesses (
      business_id, type, status, legal_name, doing_business_as, email_address, country, timezone, created_at, updated_at)
    select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 'MERCHANT', 'ACTIVE', 'Shop', '',
      'shop@example.com', 'US', 'UTC', ${at}, ${at}
    from generate_series(0, ${MANY / 10 - 1}) as n`
  await sql`
    insert into subscriptions (
      subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, merchant_type, country, currency, amount,
      phase, status, payment_status, start_at, started_at, anchor_at, term, period_index, current_period_start,
      current_period_end, ended_at, end_reason, last_trigger_at, resource_seq, created_at, updated_at, next_action_at)
    select gen_random_uuid(), ${APP}, ${organization}, ('00000000-0000-7000-9000-' || lpad(to_hex(n / 10), 12, '0'))::uuid,
      ('00000000-0000-7000-8000-0000000001' || lpad((n % 10)::text, 2, '0'))::uuid, gen_random_uuid(), 'MERCHANT', 'US',
      'USD', 500, 'FULL', case when ended then 'ENDED' else 'ACTIVE' end, 'CURRENT', date_trunc('day', made), made, made,
      1, 0, made, made + interval '1 month', case when ended then made end, case when ended then 'CANCELLED' end, made, 1,
      made, made, case when not ended then made + interval '1 month' end
    from (
      select n, random() < 0.3 as ended, date_trunc('second', case
        when n % 20 = 0 then timestamptz '2025-06-01 12:00:00Z' + random() * interval '59 s'
        else timestamptz '2023-01-01 00:00:00Z' + random() * interval '3 years' end) as made
      from generate_series(0, ${MANY - 1}) as n) as drawn`
  while ((await foldCounts(sql)) > 0);
  await sql`vacuum analyze`
}
