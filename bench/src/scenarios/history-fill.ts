import { addDays, startOfDay } from '../../../server/src/core/calendar.ts'
import type { Database, Sql } from '../../../server/src/platform/db/db.ts'
import { ensurePartitions } from '../../../server/src/webhooks/deliveries/partitions.ts'

/**
 * A history spread evenly over 30 days, of four apps with three hooks each and a thousand merchants. Bodies are as long as those of billing.
 * There are no attempts, because no measured page reads them.
 */

const DAYS = 30
const DAY_MS = 86_400_000
/** Days that are filled at once. */
const AT_ONCE = 2
const BUSINESSES = 1_000

const prefix = (kind: string) => `0000000${kind}-0000-7000-8000-`
const uuid = (kind: string, n: number) => `${prefix(kind)}${n.toString(16).padStart(12, '0')}`

export const START = 'APPLICATION_SUBSCRIPTION_START'
/** One notification in 50,000 has this event. */
export const RARE = 'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS'

/** The id of the n-th app. The four apps have 50, 30, 15 and 5 % of the notifications. */
export const app = (n: number) => uuid('a', n)
/** The id of an app's n-th hook. Each hook has a third of the app's notifications. */
export const hook = (ofApp: number, n: number) => uuid('b', ofApp * 3 + n)
/** Every delivery to this hook failed. Of the others 0.5 % failed. */
export const DEAD_HOOK = hook(0, 1)
/** The id of the n-th merchant. The first has a tenth of the notifications, the last a three-thousandth. */
export const business = (n: number) => uuid('c', n)
export const ORGANIZATION = uuid('e', 0)

export interface HistoryFill {
  readonly many: number
  /** The instant of the last notification. */
  readonly until: Date
  readonly signal: AbortSignal
  report(line: string): void
}

/** Writes the rows directly, day by day, and indexes each day at once. Through the API this would take hours. */
export async function fillHistory(db: Database, fill: HistoryFill): Promise<void> {
  const { until, signal, report } = fill
  const first = startOfDay(addDays(until, -DAYS))
  await ensurePartitions(db, first, DAYS + 7)
  const indexes = await dropIndexes(db.sql)
  const days = Array.from({ length: DAYS + 1 }, (_, n) => startOfDay(addDays(first, n))).values()
  let filled = 0
  const fillDays = async () => {
    for (const day of days) {
      signal.throwIfAborted()
      await fillDay(db, day, fill)
      for (const index of indexes) await db.sql.unsafe(index.ofDay(day))
      report(`  ${++filled} of ${DAYS + 1} days`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fillDays))
  for (const { ofAll } of indexes) await db.sql.unsafe(ofAll)
  // One transaction: a database with the hooks also has the queue.
  await db.transaction(async ({ sql }) => {
    await makeOwners(sql, first)
    await fillQueue(sql, fill)
  })
  await db.sql`vacuum (analyze)`
  await db.sql`checkpoint`
}

/** Whether the database is filled. Checks for a hook, because queued deliveries end after 72 h. */
export async function isFilled(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ is: boolean }[]>`select exists (select 1 from hooks where hook_id = ${DEAD_HOOK}) as is`
  return row?.is === true
}

async function makeOwners(sql: Sql, at: Date): Promise<void> {
  await sql`insert into organizations values (${ORGANIZATION}, 'History', 'history@example.com', ${at}, ${at})`
  await sql`
    insert into apps
    select (${prefix('a')} || lpad(to_hex(n), 12, '0'))::uuid, ${ORGANIZATION}, 'History', 'com.example.history' || n, '{}',
      'ACTIVE', ${at}, ${at}
    from generate_series(0, 3) as n`
  await sql`
    insert into businesses (
      business_id, type, status, legal_name, doing_business_as, email_address, country, timezone, created_at, updated_at)
    select (${prefix('c')} || lpad(to_hex(n), 12, '0'))::uuid, 'MERCHANT', 'ACTIVE', 'Shop', 'Shop', 'shop@example.com',
      'US', 'UTC', ${at}, ${at}
    from generate_series(0, ${BUSINESSES - 1}) as n`
  // The hooks are inactive, so that queued deliveries are neither sent nor ended while pages are read.
  await sql`
    insert into hooks (
      hook_id, app_id, delivery_url, secret, event_types, fingerprint, active, created_at, updated_at)
    select (${prefix('b')} || lpad(to_hex(n), 12, '0'))::uuid, (${prefix('a')} || lpad(to_hex(n / 3), 12, '0'))::uuid,
      'https://hooks.example.com/', '', array[${START}::text], sha256(n::text::bytea), false, ${at}, ${at}
    from generate_series(0, 11) as n`
}

interface DroppedIndex {
  ofDay(day: Date): string
  /** The statement that creates the index of the whole table, whose parts are the indexes of the days. */
  readonly ofAll: string
}

async function dropIndexes(sql: Sql): Promise<DroppedIndex[]> {
  const indexes = await sql<{ name: string; table: string; definition: string }[]>`
    select indexname as name, tablename as "table", indexdef as definition from pg_indexes
    where tablename in ('notifications', 'outcomes') and indexname not like '%pkey' order by indexname`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  return indexes.map(({ name, table, definition }) => ({
    ofDay: day => {
      const partition = `${table}_${dayOf(day).replaceAll('-', '_')}`
      return definition.replace(`INDEX ${name} ON ONLY public.${table} `, `INDEX ON ${partition} `)
    },
    ofAll: definition.replace(' ON ONLY ', ' ON '),
  }))
}

const dayOf = (day: Date) => day.toISOString().slice(0, 10)

function fillDay(db: Database, day: Date, { many, until }: HistoryFill): Promise<void> {
  const first = addDays(until, -DAYS).getTime()
  const from = Math.max(day.getTime(), first)
  const to = Math.min(day.getTime() + DAY_MS, until.getTime())
  const before = (ms: number) => Math.floor((many * (ms - first)) / (DAYS * DAY_MS))
  const total = before(to) - before(from)
  return db.transaction(async ({ sql }) => {
    await sql`select setseed(${(day.getTime() / DAY_MS / 1_000) % 1})`
    await insertNotifications(sql, { day: dayOf(day), from: new Date(from), stepMs: (to - from) / total, total })
    await sql`
      insert into outcomes (
        recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
      select recorded_day, notification_id, hook_id, app_id, business_id,
        case when failed then 'ERRORED' else 'DELIVERED' end, case when failed then 'attempts_exhausted' end, 1, recorded_at
      from (
        select recorded_day, notification_id, hook_id, app_id, business_id, recorded_at,
          hook_id = ${DEAD_HOOK} or random() < 0.005 as failed
        from notifications where recorded_day = ${dayOf(day)}::date) as n`
  })
}

interface Day {
  readonly day: string
  readonly from: Date
  readonly stepMs: number
  readonly total: number
}

/** Each resource has one event every three seconds. */
async function insertNotifications(sql: Sql, { day, from, stepMs, total }: Day): Promise<void> {
  await sql`
    insert into notifications (
      notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq, delivery_url,
      body, recorded_at)
    select id, ${day}::date, hook, app, business, type, resource, 1, 'https://hooks.example.com/',
      '{"createdAt":"2026-06-30T23:59:59Z","updatedAt":"2026-06-30T23:59:59Z","links":[{"href":"https://api.example.com/apps/urn:aid:'
      || app || '/subscriptions/' || resource || '","rel":"resource","method":"GET"}],"id":"' || id || '","hookId":"' || hook
      || '","applicationId":"urn:aid:' || app || '","resource":"SUBSCRIPTION","resourceId":"' || resource || '","eventType":"'
      || type || '","merchantType":"MERCHANT","businessId":"' || business || '"}', at
    from (
      select at,
        (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id,
        (${prefix('b')}::text || lpad(to_hex(app * 3 + floor(one * 3)::integer), 12, '0'))::uuid as hook,
        (${prefix('a')}::text || lpad(to_hex(app), 12, '0'))::uuid as app,
        (${prefix('c')}::text || lpad(to_hex(floor(power(two, 3) * ${BUSINESSES}::integer)::integer), 12, '0'))::uuid as business,
        case when three < 0.5 then ${START} when three < 0.99998 then 'ORDER_OPENED' else ${RARE} end as type,
        (${prefix('d')}::text || lpad(to_hex((extract(epoch from at) / 3)::bigint * 8 + app), 12, '0'))::uuid as resource
      from (
        select n, one, two, three, ${from}::timestamptz + n * ${stepMs}::float8 * interval '1 ms' as at,
          case when four < 0.5 then 0 when four < 0.8 then 1 when four < 0.95 then 2 else 3 end as app
        from (
          select n, random() as one, random() as two, random() as three, random() as four
          from generate_series(0, ${total - 1}::integer) as n) as drawn) as placed) as named`
}

/**
 * Unfinished are the newest notifications of all apps (one in 500) and the newest of the second app (one in 40 of all notifications). Half of
 * them have had no attempt.
 */
async function fillQueue(sql: Sql, { many }: HistoryFill): Promise<void> {
  const columns = sql`recorded_day, notification_id, hook_id, app_id, business_id, resource_id, resource_seq, recorded_at`
  await sql`
    with last as materialized (
      (select ${columns} from notifications order by recorded_day desc, notification_id desc limit ${Math.ceil(many / 500)})
      union
      (select ${columns} from notifications where app_id = ${app(1)}
      order by notification_id desc limit ${Math.ceil(many / 40)})),
    gone as (
      delete from outcomes as o using last as l
      where o.recorded_day = l.recorded_day and o.notification_id = l.notification_id)
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, attempts, due_at,
      recorded_at, priority)
    select notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, n % 2, recorded_at,
      recorded_at, case when n % 2 = 0 then 'FIRST' else 'RETRY' end
    from (select l.*, row_number() over (order by notification_id) as n from last as l) as numbered`
}
