import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type App, createApp } from '../../server/src/app.ts'
import { INVARIANT_CHECK_NAMES, INVARIANT_CHECKS } from '../../server/src/money/invariant-checks/checks.ts'
import { openDatabase, type Sql } from '../../server/src/platform/db/db.ts'
import { startEmbedded } from '../../server/src/platform/db/embedded/start.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { parseNetworks } from '../../server/src/platform/egress/addresses.ts'
import { removeDatabase } from './database.ts'
import { monotonicMs } from './monotonic.ts'

/**
 * The time of each invariant check: `node bench/src/invariant-checks.ts [how many]`. One subscription is created through the API and charged.
 * Then copies of it are written directly to the database, each with its invoice, charge, booking, two notifications, and rows of the sandbox
 * gateway. 100,000 copies take about a minute and 1 GB.
 */

const MANY = Number(process.argv[2] ?? 100_000)
const OPERATOR_KEY = 'operator-of-the-bench'

const quiet = () => {}
const folder = await mkdtemp(join(tmpdir(), 'tillhook-checks-'))
const dataDir = join(folder, 'data')
const embedded = await startEmbedded({ dataDir, log: { info: quiet, warn: quiet, error: quiet } })
try {
  await migrate({ url: embedded.adminUrl })
  await makeOne(embedded.adminUrl)
  const db = openDatabase({ url: embedded.adminUrl, maxConnections: 1, answerWithinMs: 3_600_000 })
  await copy(db.sql)
  for (const name of INVARIANT_CHECK_NAMES) {
    const from = monotonicMs()
    const found = await INVARIANT_CHECKS[name].find(db.sql, { limit: 1, now: new Date(), overdueMs: 3_600_000 })
    const broken = found.length === 0 ? '' : `  ${found[0]?.problem}`
    process.stdout.write(`${name.padEnd(20)} ${(monotonicMs() - from).toFixed(0).padStart(7)} ms${broken}\n`)
  }
  await db.close()
} finally {
  await embedded.stop()
  await removeDatabase(dataDir)
  await rm(folder, { recursive: true, force: true })
}

async function makeOne(databaseUrl: string): Promise<void> {
  const baseUrl = 'http://127.0.0.1:1'
  const app = await createApp({
    ...{
      databaseUrl,
      operatorKey: OPERATOR_KEY,
      masterKey: randomBytes(32),
      limits: {},
      log: pino({ level: 'silent' }),
    },
    settings: {
      ...{ baseUrl, billingUrl: baseUrl, requireHttps: false, operatorShare: 2_000 },
      allowedNetworks: parseNetworks('127.0.0.0/8'),
    },
  })
  const post = (path: string, body: object) => request(app, path, body)
  const { organizationId } = await post('/organizations', { name: 'Checks', email: 'checks@example.com' })
  const { appId } = await post('/apps', { organizationId, name: 'Checks', packageName: 'com.example.checks' })
  const event = (name: string) => `APPLICATION_SUBSCRIPTION_${name}`
  const eventTypes = ['START', 'END', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'PHASE_CHANGE', 'REFUND_SUCCESS'].map(event)
  await post('/hooks', { applicationId: appId, deliveryUrl: `${baseUrl}/hook`, secret: 'secret', eventTypes })
  const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
  const plan = { name: 'Month', amounts, interval: 'MONTH', scope: 'BUSINESS' }
  const release = await post(`/apps/${appId}/releases`, { version: '1.0.0', plans: [plan] })
  await post(`/apps/${appId}/releases/${release.releaseId}/approve`, {})
  const shop = { legalName: 'Shop', doingBusinessAs: 'Shop', emailAddress: 'shop@example.com', country: 'US' }
  const { businessId } = await post('/businesses', { ...shop, type: 'MERCHANT' })
  await post(`/businesses/${businessId}/payment-methods`, { gateway: 'sandbox', token: 'tok_ok' })
  await post(`/apps/${appId}/subscriptions`, { businessId, planId: release.plans[0].planId })
  await app.jobs.charges.runOnce()
  await app.close()
}

async function request(app: App, url: string, payload: object) {
  const headers = { authorization: `Bearer ${OPERATOR_KEY}` }
  const { statusCode, body } = await app.http.inject({ method: 'POST', url, payload, headers })
  if (statusCode >= 300) throw new Error(`${url} was answered ${statusCode}: ${body}`)
  return JSON.parse(body)
}

/** The id of the n-th copy: the instant of the original, then a hash of the original and n. */
function idOf(column: string): string {
  const hash = `md5(${column}::text || n)`
  return `(left(${column}::text, 14) || '7' || left(${hash}, 3) || '-8000-' || right(${hash}, 12))::uuid`
}

/** Writes the copies directly and without triggers: through the API they would take an hour. */
async function copy(sql: Sql): Promise<void> {
  await sql`set session_replication_role = replica`
  const [subscriptionId, invoiceId] = [idOf('t.subscription_id'), idOf('t.invoice_id')]
  await copyAll(sql, 'invoices', {
    ...{ invoice_id: invoiceId, subscription_id: subscriptionId },
    number: "regexp_replace(t.number, '[0-9]+$', '') || lpad((n + 1)::text, 6, '0')",
  })
  await copyAll(sql, 'charges', {
    ...{ charge_id: idOf('t.charge_id'), invoice_id: invoiceId, subscription_id: subscriptionId },
  })
  await copyAll(sql, 'charge_objects', { invoice_id: invoiceId, gateway_charge_id: 't.gateway_charge_id || n' })
  await copyAll(sql, 'sandbox_charges', {
    ...{ gateway_charge_id: 't.gateway_charge_id || n', key: 't.key || n' },
    metadata: `jsonb_set(t.metadata, '{invoiceId}', to_jsonb(${idOf("(t.metadata ->> 'invoiceId')")}::text))`,
  })
  await copyAll(sql, 'ledger_transactions', {
    ledger_transaction_id: idOf('t.ledger_transaction_id'),
    ...{ source_id: idOf('t.source_id'), invoice_id: invoiceId },
  })
  await copyAll(sql, 'notifications', {
    ...{ notification_id: idOf('t.notification_id'), resource_id: idOf('t.resource_id') },
  })
  await copyAll(sql, 'subscriptions', { subscription_id: subscriptionId, business_id: idOf('t.business_id') })
  await sql`update invoice_counters set last_number = ${MANY + 1}`
  await sql`
    update ledger_total_changes set count = ${MANY + 1}, gateway = gateway * ${MANY + 1},
      organization = organization * ${MANY + 1}, operator = operator * ${MANY + 1}`
  await sql`update revenue_changes set count = ${MANY + 1}, amount = amount * ${MANY + 1}`
  await sql`update revenue_day_changes set count = count * ${MANY + 1}, amount = amount * ${MANY + 1}`
  for (const table of ['revenue_country_changes', 'revenue_countries']) {
    await sql`
      update ${sql(table)} set subscribers = subscribers * ${MANY + 1}, mrr = mrr * ${MANY + 1}, collected = collected * ${MANY + 1}`
  }
  await sql`update revenue_days set count = count * ${MANY + 1}, amount = amount * ${MANY + 1}`
  await sql`set session_replication_role = origin`
  await sql`vacuum (analyze)`
}

async function copyAll(sql: Sql, table: string, others: Readonly<Record<string, string>>): Promise<void> {
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by ordinal_position`
  const names = columns.map(({ name }) => name)
  const values = names.map(name => others[name] ?? `t.${name}`)
  await sql.unsafe(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} as t, generate_series(1, ${MANY}) as n`,
  )
}
