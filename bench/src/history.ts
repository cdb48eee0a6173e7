import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays, startOfDay } from '../../server/src/core/calendar.ts'
import { firstIdAt } from '../../server/src/core/id.ts'
import { type Database, openDatabase, type Sql } from '../../server/src/db/db.ts'
import { startEmbedded } from '../../server/src/db/embedded/start.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { dropPartitions, ensurePartitions } from '../../server/src/deliveries/partitions.ts'
import type { HistoryFilter } from '../../server/src/notifications/history-filter.ts'
import { listHistory } from '../../server/src/notifications/history-store.ts'
import { monotonicMs } from './monotonic.ts'
import { percentile } from './percentile.ts'

/*
 * Pages of a history of ten million notifications, as the service reads them: `node bench/src/history.ts [how many]`. They lie
 * evenly in 30 days; bodies are two bytes, and there are no attempts: a page reads neither before it has found its rows. Takes 7 GB in the temporary folder.
 * The last 20,000 are unfinished; one hook's are all ERRORED, and 0.5 % of the others; a merchant has from 1 to 1,000 parts in 10,000.
 */

const MANY = Number(process.argv[2] ?? 10_000_000)
const UNFINISHED = 20_000
const DAYS = 30
const DAY_MS = 86_400_000
const TIMES = 15
/** The largest that can be asked for, and one more to see whether there is a next one. */
const LIMIT = 100
const NOW = new Date('2026-06-30T23:59:59Z')
const FIRST_DAY = startOfDay(addDays(NOW, 1 - DAYS))
const since = addDays(NOW, -DAYS)
const middle = addDays(NOW, -DAYS / 2)

/** As the fill makes them: the first app has half of all, the first hook of an app a third of it; the second of the first app is dead. */
const app = (n: number) => uuid('a', n)
const hook = (ofApp: number, n: number) => uuid('b', ofApp * 3 + n)
const business = (n: number) => uuid('c', n)
const resource = (n: number) => uuid('d', n)
const uuid = (kind: string, n: number) => `0000000${kind}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

const START = 'APPLICATION_SUBSCRIPTION_START'
const RARE = 'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS'
const NEVER = 'APPLICATION_SUBSCRIPTION_TRANSFERRED'

const quiet = () => {}
const folder = await mkdtemp(join(tmpdir(), 'tillhook-history-'))
const embedded = await startEmbedded({
  dataDir: join(folder, 'data'),
  log: { info: quiet, warn: quiet, error: quiet },
  settings: { max_wal_size: '4GB', maintenance_work_mem: '256MB' },
})
try {
  await migrate({ url: embedded.url })
  const db = openDatabase({ url: embedded.url, maxConnections: 1, answerWithinMs: 3_600_000 })
  await fill(db)
  await measureAll(db)
  await measureRetention(db)
  await db.close()
} finally {
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measureAll(db: Database): Promise<void> {
  const scopes: Record<string, Pick<HistoryFilter, 'appId' | 'businessId'>> = {
    'the largest app': { appId: app(0) },
    'a small app': { appId: app(3) },
    'the largest merchant': { businessId: business(0) },
    'a middling merchant': { businessId: business(500) },
    'the largest app and merchant': { appId: app(0), businessId: business(0) },
  }
  const [some] = await db.sql<{ resourceId: string }[]>`
    select resource_id as "resourceId" from notifications where app_id = ${app(0)} and business_id = ${business(0)} limit 1`
  const resourceId = some?.resourceId ?? resource(0)
  const span = { startAt: addDays(middle, -1), endAt: middle }
  const filters: Record<string, Partial<HistoryFilter>> = {
    'no filter': {},
    'a day in the middle': span,
    'a hook': { hookId: hook(0, 0) },
    'a type': { eventType: START },
    'a rare type': { eventType: RARE },
    'a type that never was': { eventType: NEVER },
    'a resource': { resourceId },
    SCHEDULED: { status: 'SCHEDULED' },
    ERRORED_RETRYING: { status: 'ERRORED_RETRYING' },
    DELIVERED: { status: 'DELIVERED' },
    ERRORED: { status: 'ERRORED' },
    'a hook and a rare type': { hookId: hook(0, 0), eventType: RARE },
    'a hook, ERRORED': { hookId: hook(0, 0), status: 'ERRORED' },
    'a dead hook, DELIVERED': { hookId: hook(0, 1), status: 'DELIVERED' },
    'a rare type, ERRORED': { eventType: RARE, status: 'ERRORED' },
    'a rare type, DELIVERED': { eventType: RARE, status: 'DELIVERED' },
    'a resource, ERRORED': { resourceId, status: 'ERRORED' },
    'a day, a hook, a type, DELIVERED': { ...span, hookId: hook(0, 0), eventType: START, status: 'DELIVERED' },
    'a day, a rare type, ERRORED': { ...span, eventType: RARE, status: 'ERRORED' },
    'a hook, a type, SCHEDULED': { hookId: hook(0, 0), eventType: START, status: 'SCHEDULED' },
  }
  for (const [of, scope] of Object.entries(scopes)) {
    for (const [by, filter] of Object.entries(filters)) {
      for (const [where, before] of [
        ['first', undefined],
        ['deep', firstIdAt(middle)],
      ] as const) {
        await measure(`${of}; ${by}; ${where}`, db, { ...scope, ...filter, since }, before)
      }
    }
  }
}

async function measure(name: string, db: Database, filter: HistoryFilter, before?: string): Promise<void> {
  const times: number[] = []
  let shown = ''
  for (let turn = 0; turn < TIMES; turn++) {
    const from = monotonicMs()
    const page = { limit: LIMIT, ...(before && { before }) }
    const { entries, next } = await db.transaction(({ sql }) => listHistory(sql, filter, page))
    times.push(monotonicMs() - from)
    shown = `${entries.length}${entries.length < LIMIT && next !== undefined ? ' and on' : ''}`
  }
  const show = (share: number) => percentile(times, share).toFixed(1).padStart(7)
  const least = Math.min(...times)
    .toFixed(1)
    .padStart(7)
  const first = times[0]?.toFixed(1).padStart(7)
  tell(
    `${name.padEnd(66)} ${shown.padStart(10)} rows, first ${first} least ${least} p50 ${show(0.5)} most ${show(1)} ms`,
  )
}

async function measureRetention(db: Database): Promise<void> {
  const from = monotonicMs()
  const dropped = await dropPartitions(db, addDays(FIRST_DAY, 1))
  tell(`retention of a day: ${(monotonicMs() - from).toFixed(0)} ms for ${dropped.length} tables`)
}

/** Written directly, a day at a time, and indexed afterwards: recording it would take hours. */
async function fill(db: Database): Promise<void> {
  const { sql } = db
  const from = monotonicMs()
  await ensurePartitions(db, FIRST_DAY, DAYS + 7)
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes
    where tablename in ('notifications', 'outcomes') and indexname not like '%pkey'`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  await sql`
    insert into organizations values (${uuid('e', 0)}, 'Bench', 'bench@example.com', ${since}, ${since})`
  await sql`
    insert into apps
    select ('0000000a-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${uuid('e', 0)}, 'Bench', 'com.example.bench' || n,
      '{}', 'ACTIVE', ${since}, ${since}
    from generate_series(0, 3) as n`
  const perDay = MANY / DAYS
  for (let day = 0; day < DAYS; day++) {
    await fillDay(sql, startOfDay(addDays(FIRST_DAY, day)), perDay)
    tell(`day ${day + 1} of ${DAYS}, ${((monotonicMs() - from) / 1_000).toFixed(0)} s`)
  }
  await fillQueue(sql)
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`vacuum analyze`
  const [size] = await sql<{ gb: string }[]>`
    select round(pg_database_size(current_database()) / 1e9, 1)::text as gb`
  tell(`${MANY} notifications in ${((monotonicMs() - from) / 1_000).toFixed(0)} s, ${size?.gb} GB`)
}

async function fillDay(sql: Sql, day: Date, perDay: number): Promise<void> {
  const bits = (kind: string) => sql`'0000000' || ${kind}::text || '-0000-7000-8000-'`
  await sql`
    insert into notifications (
      notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq, delivery_url,
      body, recorded_at)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
      ${day}::date, (${bits('b')} || lpad(to_hex(app * 3 + floor(one * 3)::integer), 12, '0'))::uuid,
      (${bits('a')} || lpad(to_hex(app), 12, '0'))::uuid,
      (${bits('c')} || lpad(to_hex(floor(power(two, 3) * 1000)::integer), 12, '0'))::uuid,
      case when three < 0.5 then ${START} when three < 0.99998 then 'ORDER_OPENED' else ${RARE} end,
      (${bits('d')} || lpad(to_hex((extract(epoch from at) / 3)::bigint * 8 + app), 12, '0'))::uuid, 1,
      'https://hooks.example.com/', '{}', at
    from (
      select n, one, two, three,
        ${day}::timestamptz + n * ${DAY_MS / perDay}::float8 * interval '1 ms' as at,
        case when four < 0.5 then 0 when four < 0.8 then 1 when four < 0.95 then 2 else 3 end as app
      from (
        select n, random() as one, random() as two, random() as three, random() as four
        from generate_series(0, ${Math.floor(perDay) - 1}::integer) as n) as drawn) as x`
  await sql`
    insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
    select recorded_day, notification_id, hook_id, app_id, business_id,
      case when failed then 'ERRORED' else 'DELIVERED' end, case when failed then 'attempts_exhausted' end, 1, recorded_at
    from (
      select recorded_day, notification_id, hook_id, app_id, business_id, recorded_at,
        hook_id = ${hook(0, 1)} or random() < 0.005 as failed
      from notifications where recorded_day = ${day}::date) as n`
}

/** Half of the last ones were never tried. */
async function fillQueue(sql: Sql): Promise<void> {
  await sql`
    with last as materialized (
      select recorded_day, notification_id, hook_id, app_id, business_id, resource_id, resource_seq, recorded_at,
        row_number() over (order by notification_id desc) as n
      from notifications where recorded_day = ${startOfDay(NOW)}::date
      order by notification_id desc limit ${UNFINISHED}),
    gone as (
      delete from outcomes as o using last as l
      where o.recorded_day = l.recorded_day and o.notification_id = l.notification_id)
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, attempts, due_at,
      recorded_at, lane)
    select notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, n % 2, recorded_at,
      recorded_at, case when n % 2 = 0 then 'FIRST' else 'RETRY' end
    from last`
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
