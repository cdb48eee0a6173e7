import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connectOnce } from '../../src/platform/db/db.ts'
import { type Embedded, startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { until } from '../start/program.ts'
import { openScratch, type Scratch } from '../support/scratch.ts'
import { assertBooksAgree } from './books.ts'
import { makeMerchant, makePlatform, makeTill, subscribe } from './platform.ts'
import { openStand, type Stand } from './stand.ts'

const TILLS = 8
/** Orders acknowledged between two restarts. */
const ORDERS_A_STEP = 60
/** Time for a recovery and a repeated request on a busy machine. */
const WITHIN_MS = 180_000

let scratch: Scratch
let embedded: Embedded
let stand: Stand
before(async () => {
  scratch = await openScratch()
  const ignore = () => {}
  // The settings of an installation, with fsync. The server of the other tests must not restart.
  const dataDir = join(scratch.folder, 'data')
  embedded = await startEmbedded({ dataDir, log: { info: ignore, warn: ignore, error: ignore } })
  stand = await openStand(undefined, { database: { url: embedded.url, drop: () => embedded.stop() } })
  await stand.startMain()
})
after(async () => {
  await stand?.close()
  await scratch?.remove()
})

const RESTARTS: readonly (readonly [how: string, signal: NodeJS.Signals])[] = [
  ['a fast shutdown', 'SIGINT'],
  ['an immediate shutdown', 'SIGQUIT'],
  ['a kill -9', 'SIGKILL'],
]

test('a database that restarts under load loses no acknowledged order and no delivery, and nothing is charged twice', async t => {
  const { client, inbox } = stand
  const platform = await makePlatform(client, inbox)
  const tills = await Promise.all(Array.from({ length: TILLS }, () => makeTill(client, platform)))
  const acknowledged: string[] = []
  let isOver = false
  const selling = tills.map(async openOrder => {
    while (!isOver) acknowledged.push(await openOrder())
  })
  const subscribing: Promise<unknown>[] = []
  const untilMore = async (after: string) => {
    const wanted = acknowledged.length + ORDERS_A_STEP
    await until(
      stand.program(),
      `acknowledges orders ${after}`,
      WITHIN_MS,
      () => acknowledged.length >= wanted || undefined,
    )
  }
  try {
    await untilMore('at first')
    for (const [how, signal] of RESTARTS) {
      subscribing.push(makeMerchant(client).then(businessId => subscribe(client, platform, businessId)))
      for (const one of subscribing) one.catch(() => {})
      const pid = await findPostmaster()
      process.kill(pid, signal)
      await until(stand.program(), `has a new database after ${how}`, WITHIN_MS, async () => {
        const next = await findPostmaster().catch(() => pid)
        return next !== pid || undefined
      })
      await untilMore(`after ${how}`)
    }
  } finally {
    isOver = true
  }
  await Promise.all([...selling, ...subscribing])
  await stand.settle()

  await assertBooksAgree(stand)
  const orders = await stand.db.sql<{ id: string }[]>`select order_id as id from orders`
  assert.deepEqual(orders.map(({ id }) => id).sort(), acknowledged.sort())
  const bugs = [...client.statuses].filter(status => status >= 400 && status !== 503 && status !== 409)
  assert.deepEqual(bugs, [], stand.program().stderr())
  t.diagnostic(`${acknowledged.length} orders acknowledged around ${RESTARTS.length} restarts`)
})

/** The process of PostgreSQL that starts all others. A restart replaces it. */
async function findPostmaster(): Promise<number> {
  const sql = connectOnce(embedded.adminUrl)
  try {
    const [row] = await sql<{ note: string }[]>`select pg_read_file('postmaster.pid') as note`
    return Number(row?.note.split('\n')[0])
  } finally {
    await sql.end({ timeout: 1 })
  }
}
