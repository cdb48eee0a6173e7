import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foldCounts } from '../../server/src/money/subscriptions/counts.ts'
import { type PageBegin, readPage, type SubscriptionFilter } from '../../server/src/money/subscriptions/pages.ts'
import { openDatabase, type Sql } from '../../server/src/platform/db/db.ts'
import { startEmbedded } from '../../server/src/platform/db/embedded/start.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { removeDatabase } from './database.ts'
import { monotonicMs } from './monotonic.ts'
import { percentile } from './percentile.ts'

const MANY = 1_000_000
const TIMES = 40
/** An offset about in the middle of the active subscriptions. */
const MIDDLE = 333_333
const APP = '00000000-0000-7000-8000-00000000000a'
const PLAN = '00000000-0000-7000-8000-000000000101'
const LIMIT = 101

interface MillionOptions {
  print(text: string): void
  readonly signal: AbortSignal
}

/**
 * Measures the pages of an app with a million subscriptions, as the service reads them from its database. The subscriptions have ten plans and
 * were created over three years, 50,000 of them within one minute; 30 % have ended. Takes about three minutes and 3 GB in the temporary folder.
 */
export async function measureMillion({ print, signal }: MillionOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-million-'))
  const dataDir = join(folder, 'data')
  const quiet = { info() {}, warn() {}, error() {} }
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  stack.defer(() => removeDatabase(dataDir))
  const embedded = await startEmbedded({ dataDir, log: quiet })
  stack.defer(() => embedded.stop())
  await migrate({ url: embedded.url })
  const db = openDatabase({ url: embedded.url, maxConnections: 1, answerWithinMs: 3_600_000 })
  stack.defer(() => db.close())
  await fill(db.sql)
  for (const filter of FILTERS) {
    signal.throwIfAborted()
    await measureList(db.sql, filter, print)
  }
  await measureUncounted(db.sql, print)
  await printPlans(db.sql, print)
}

const FILTERS: readonly SubscriptionFilter[] = [
  { appId: APP, status: 'ACTIVE' },
  { appId: APP, status: 'ALL' },
  { appId: APP, status: 'ACTIVE', planId: PLAN },
]

async function measureList(sql: Sql, filter: SubscriptionFilter, print: (text: string) => void): Promise<void> {
  const { total } = await readPage(sql, filter, { begin: { offset: 0 }, limit: LIMIT })
  const name = `${filter.status}${filter.planId === undefined ? '' : ' of a plan'}, ${total}`
  const read = (begin: PageBegin) => readPage(sql, filter, { begin, limit: LIMIT })
  const places: { offset: number; id: string; at: Date }[] = []
  for (let n = 0; n < TIMES; n++) {
    const offset = Math.floor(((n + 0.5) / TIMES) * total)
    const [row] = (await read({ offset })).rows
    if (row) places.push({ offset, id: row.subscriptionId, at: new Date(row.createdAt) })
  }
  const inTurn = (turn: number) => places[turn % places.length] ?? { offset: 0, id: '', at: new Date(0) }
  print(await timesOf(`${name}: first page`, () => read({ offset: 0 })))
  print(await timesOf(`${name}: by offset anywhere`, turn => read({ offset: inTurn(turn).offset })))
  print(await timesOf(`${name}: after a subscription`, turn => read({ after: inTurn(turn).id })))
  print(await timesOf(`${name}: from an instant`, turn => read({ createdFrom: inTurn(turn).at })))
}

async function measureUncounted(sql: Sql, print: (text: string) => void): Promise<void> {
  const countAll = () => sql`select count(*) as total from subscriptions where app_id = ${APP} and status = 'ACTIVE'`
  const passOver = () => sql`
    select subscription_id from subscriptions where app_id = ${APP} and status = 'ACTIVE'
    order by created_at, subscription_id offset 600000 limit ${LIMIT}`
  print(await timesOf('without counts: count(*)', () => countAll()))
  print(await timesOf('without counts: offset of 600,000', () => passOver()))
}

async function timesOf(name: string, work: (turn: number) => PromiseLike<unknown>): Promise<string> {
  const times: number[] = []
  for (let turn = 0; turn < TIMES * 2; turn++) {
    const from = monotonicMs()
    await work(turn)
    times.push(monotonicMs() - from)
  }
  const show = (share: number) => percentile(times, share).toFixed(1).padStart(7)
  return `${name.padEnd(46)} p50 ${show(0.5)} ms, p95 ${show(0.95)} ms, most ${show(1)} ms`
}

/** Prints how PostgreSQL finds the first row, the total and the position, in the middle of the list of active subscriptions. */
async function printPlans(sql: Sql, print: (text: string) => void): Promise<void> {
  const filter = { appId: APP, status: 'ACTIVE' } as const
  const { rows } = await readPage(sql, filter, { begin: { offset: MIDDLE }, limit: 1 })
  const [middle] = rows
  if (middle === undefined) throw new Error('There must be a row in the middle.')
  const begins: Record<string, PageBegin> = {
    'first page': { offset: 0 },
    'by offset': { offset: MIDDLE },
    'after a subscription': { after: middle.subscriptionId },
    'from an instant': { createdFrom: new Date(middle.createdAt) },
  }
  for (const [name, begin] of Object.entries(begins)) {
    print(`\n${name}\n`)
    await readPage(explaining(sql, print), filter, { begin, limit: LIMIT })
  }
}

/** Sends each statement with EXPLAIN and returns no rows. */
function explaining(sql: Sql, print: (text: string) => void): Sql {
  const explain = async (strings: TemplateStringsArray, ...values: never[]) => {
    const [first = '', ...others] = strings
    const texts = [`explain (analyze, buffers, costs off, timing off) ${first}`, ...others]
    const plan = await sql<Record<string, string>[]>(Object.assign(texts, { raw: texts }), ...values)
    for (const line of plan) print(Object.values(line).join(''))
    return [{ cell: null, life: '', total: 0, start: 0 }]
  }
  return explain as unknown as Sql
}

/** Writes the rows directly: through the API they would take an hour. */
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
