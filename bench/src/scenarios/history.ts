import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '../../../server/src/core/calendar.ts'
import { type Database, openDatabase } from '../../../server/src/platform/db/db.ts'
import { listHistory } from '../../../server/src/webhooks/notifications/history-store.ts'
import { HISTORY_DAYS } from '../../../server/src/webhooks/notifications/scope.ts'
import { type Api, type ApiRequest, openApi } from '../api.ts'
import { signAssertion, tokenForm } from '../assertion.ts'
import { cpuPerRequest, readCpu } from '../cpu.ts'
import { monotonicMs } from '../monotonic.ts'
import { percentile } from '../percentile.ts'
import { type Row, rowOf } from '../row.ts'
import { sendForJson } from '../seed.ts'
import { createTally } from '../tally.ts'
import type { Scenario, World } from '../world.ts'
import { app, business, fillHistory, isFilled } from './history-fill.ts'
import { type Kind, kindsOf, LIMIT } from './history-kinds.ts'
import { openOwnService } from './own-service.ts'

/** How often each kind of page is read, in turn with all others. */
const TIMES = 5
/** Uncounted reads before the measurement: a connection of the service caches tables and statements at their first use. */
const WARM_UP_TIMES = { service: 4, alone: 1 }
/** The limit of one statement, such as the index of a day or the vacuum of all tables. */
const FILL_WITHIN_MS = 3_600_000
/** The number of slowest kinds that are printed in addition to the rows. */
const SLOWEST = 10

/** Reads pages of 100 notifications of a long history, one at a time and each kind equally often. */
export const historyPages: Scenario = {
  name: 'a page of the history',
  run: async world => {
    await using stack = new AsyncDisposableStack()
    const { keep } = world
    const folder = keep ?? (await mkdtemp(join(tmpdir(), 'tillhook-bench-history-')))
    if (keep === undefined) stack.defer(() => rm(folder, { recursive: true, force: true }))
    else await mkdir(folder, { recursive: true })
    const own = stack.use(await openOwnService(world, { folder, keep: keep !== undefined }))
    const db = openDatabase({ url: own.world.databaseUrl, maxConnections: 3, answerWithinMs: FILL_WITHIN_MS })
    stack.defer(() => db.close())
    return await measure(own.world, db)
  },
}

async function measure(world: World, db: Database): Promise<Row[]> {
  const { signal, notifications } = world
  if (!(await isFilled(db.sql))) await fillHistory(db, { many: notifications, until: new Date(), signal, report })
  const [counted] = await db.sql<{ many: number }[]>`select count(*) as many from notifications`
  const name = `a page of the history of ${(counted?.many ?? 0).toLocaleString('en', { maximumSignificantDigits: 3 })}`
  const kinds = await kindsOf(db.sql, new Date())
  await using api = openApi(world.baseUrl, { connections: 1 })
  const bearerOf = await openBearers(world, api)
  const overHttp = await measureKinds(world, { kinds, warmUp: WARM_UP_TIMES.service }, async kind => {
    const status = await api.sendForStatus({ method: 'GET', path: pathOf(kind), bearer: bearerOf(kind) })
    return status === 200 ? undefined : String(status)
  })
  const alone = await measureKinds(world, { kinds, warmUp: WARM_UP_TIMES.alone }, async ({ filter, before }) => {
    const since = addDays(new Date(), -HISTORY_DAYS)
    await db.transaction(({ sql }) =>
      listHistory(sql, { ...filter, since }, { limit: LIMIT, ...(before && { before }) }),
    )
    return undefined
  })
  const inOrder = kinds
    .map((kind, n) => ({ kind, n, p50Ms: percentile(overHttp.ofKind[n]?.latenciesMs ?? [], 0.5) }))
    .sort((one, other) => other.p50Ms - one.p50Ms)
  for (const { kind, n, p50Ms } of inOrder.slice(0, SLOWEST)) {
    const aloneMs = percentile(alone.ofKind[n]?.latenciesMs ?? [], 0.5)
    report(`  ${kind.name}: p50 ${p50Ms.toFixed(1)} ms, its statements ${aloneMs.toFixed(1)} ms`)
  }
  const [slowest] = inOrder
  return [
    overHttp.rowOf(name),
    alone.rowOf(`${name}: its statements alone`),
    ...(slowest
      ? [overHttp.rowOfKind(`${name}: the slowest of ${kinds.length} kinds, ${slowest.kind.name}`, slowest.n)]
      : []),
  ]
}

/** Reads all kinds in turn. `read` returns the reason of a failure. */
async function measureKinds(
  world: World,
  { kinds, warmUp }: { kinds: readonly Kind[]; warmUp: number },
  read: (kind: Kind) => Promise<string | undefined>,
) {
  const ofKind = kinds.map(() => createTally())
  const all = createTally()
  let [before, fromMs] = [readCpu(world.processes), monotonicMs()]
  for (let turn = -warmUp; turn < TIMES; turn++) {
    if (turn === 0) [before, fromMs] = [readCpu(world.processes), monotonicMs()]
    for (const [n, kind] of kinds.entries()) {
      world.signal.throwIfAborted()
      const sentAtMs = monotonicMs()
      const failure = await read(kind)
      const tookMs = monotonicMs() - sentAtMs
      for (const tally of turn < 0 ? [] : [all, ofKind[n]]) {
        if (failure === undefined) tally?.succeeded(tookMs)
        else tally?.failed(failure)
      }
    }
  }
  const seconds = (monotonicMs() - fromMs) / 1_000
  const cpu = cpuPerRequest(before, readCpu(world.processes), kinds.length * TIMES)
  return {
    ofKind,
    rowOf: (name: string) => rowOf(name, all, seconds, cpu),
    rowOfKind: (name: string, n: number) => rowOf(name, ofKind[n] ?? createTally(), seconds),
  }
}

function pathOf({ filter: { appId, businessId, startAt, endAt, ...filter }, before }: Kind): string {
  const query = new URLSearchParams({
    ...(filter as Record<string, string>),
    ...(startAt && { startAt: startAt.toISOString() }),
    ...(endAt && { endAt: endAt.toISOString() }),
    ...(before && { after: before }),
    limit: String(LIMIT),
  })
  const of = businessId === undefined ? `apps/urn:aid:${appId}` : `businesses/${businessId}`
  return `/${of}/deliveries?${query}`
}

/** The operator requests the history of an app or a merchant. An app requests the history of one of its own merchants. */
async function openBearers({ baseUrl, operatorKey: bearer }: World, api: Api): Promise<(kind: Kind) => string> {
  const post = (path: string, body: object) =>
    sendForJson(api, { method: 'POST', path, bearer, json: JSON.stringify(body) })
  const appId = `urn:aid:${app(0)}`
  await post(`/businesses/${business(0)}/approvals`, { appId })
  const { kid, privateKey } = await post(`/apps/${appId}/keys`, {})
  const token: ApiRequest = {
    method: 'POST',
    path: '/token',
    form: tokenForm(await signAssertion({ appId, kid, privateKey }, baseUrl)),
  }
  const { accessToken } = await sendForJson(api, token)
  return ({ filter }) => (filter.appId !== undefined && filter.businessId !== undefined ? accessToken : bearer)
}

/** Prints progress: filling takes a quarter of an hour. */
function report(line: string): void {
  process.stderr.write(`${line}\n`)
}
