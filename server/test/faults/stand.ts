import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AppOptions } from '../../src/app.ts'
import { type Database, openDatabase } from '../../src/platform/db/db.ts'
import { killPrograms, PIPES_AND_CHANNEL, type Program, startMain, startProgram, until } from '../start/program.ts'
import { freshDatabase } from '../support/postgres.ts'
import { countUnfinished, type Kept, type Unfinished } from './books.ts'
import { type Client, createClient } from './client.ts'
import { openInbox } from './inbox.ts'
import type { Order } from './service.fixture.ts'

/** A database, a listener and a client, which outlive the services that are killed between them. */
export interface Stand extends Kept {
  /** Past whatever may be between the service and its database. */
  readonly db: Database
  readonly client: Client
  /** What runs now, or ran last. */
  program(): Program
  /** The real service. */
  startMain(): Promise<void>
  /** One more of the real service beside that, on the same database, with a client of its own. */
  startBeside(): Promise<Beside>
  /** The service of the fixture, its clock set ahead. */
  startAhead(aheadMs: number): Promise<void>
  /** Tells the fixture something, and waits until it knows. `mayDie`: or until that has killed it. */
  tell(order: Order, options?: { mayDie?: boolean }): Promise<void>
  /** Waits until the service has nothing left to do. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** A service that is killed and comes back, on another port; its client knows. */
export interface Beside {
  readonly client: Client
  kill(): Promise<void>
  start(): Promise<void>
}

const FIXTURE = fileURLToPath(new URL('service.fixture.ts', import.meta.url))
/** Far from what an idle machine needs: seconds. */
const TOLD_WITHIN_MS = 60_000
const SETTLED_WITHIN_MS = 180_000

/** `through`: what the service is given in place of the real database's URL. `settings`: of the real service, beside those. */
export async function openStand(
  through = (databaseUrl: string) => databaseUrl,
  { settings = {}, stripe }: { settings?: Readonly<Record<string, string>> } & Pick<AppOptions, 'stripe'> = {},
): Promise<Stand> {
  const database = await freshDatabase()
  const db = openDatabase({ url: database.url, maxConnections: 2 })
  const inbox = await openInbox()
  const keys = { operatorKey: randomBytes(24).toString('base64url'), masterKey: randomBytes(32).toString('hex') }
  const databaseUrl = through(database.url)
  const mainSettings = {
    TILLHOOK_DATABASE_URL: databaseUrl,
    TILLHOOK_MASTER_KEY: keys.masterKey,
    TILLHOOK_OPERATOR_KEY: keys.operatorKey,
    TILLHOOK_BASE_URL: 'http://tillhook.test',
    TILLHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    TILLHOOK_LOG_LEVEL: 'warn',
    ...settings,
  }
  const client = createClient(keys.operatorKey)
  const clients = [client]
  let program: Program | undefined
  let ahead = 0
  const run = async (next: Program) => {
    program = next
    client.serveNowhere()
    client.serveAt(await next.ready())
  }
  const current = () => {
    assert.ok(program, 'a service was started')
    return program
  }
  const kept = { db, inbox, now: () => new Date(Date.now() + ahead) }
  return {
    ...kept,
    client,
    program: current,
    startMain: () => {
      ahead = 0
      return run(startMain(mainSettings))
    },
    startBeside: async () => {
      const other = createClient(keys.operatorKey)
      clients.push(other)
      let running: Program
      const start = async () => {
        running = startMain(mainSettings)
        other.serveAt(await running.ready())
      }
      await start()
      return { client: other, start, kill: () => running.kill() }
    },
    startAhead: aheadMs => {
      ahead = aheadMs
      const told = JSON.stringify({ databaseUrl, ...keys, aheadMs, stripe })
      return run(startProgram(process.execPath, [FIXTURE, told], { settings: {}, stdio: PIPES_AND_CHANNEL }))
    },
    tell: async (order, { mayDie = false } = {}) => {
      if ('aheadMs' in order) ahead = order.aheadMs
      let isKnown = false
      once(current().child, 'message').then(() => {
        isKnown = true
      })
      current().child.send(order)
      const { child } = current()
      const isDone = () => isKnown || (mayDie && child.signalCode === 'SIGKILL') || undefined
      await until(current(), 'knows what it was told', TOLD_WITHIN_MS, isDone)
    },
    settle: async () => {
      let unfinished: Unfinished | undefined
      const isSettled = async () => {
        unfinished = await countUnfinished(kept)
        return Object.values(unfinished).every(count => count === 0) || undefined
      }
      await until(current(), 'has nothing left to do', SETTLED_WITHIN_MS, isSettled).catch(error => {
        throw new Error(`${error.message}\nunfinished: ${JSON.stringify(unfinished)}`)
      })
    },
    close: async () => {
      for (const each of clients) each.stop()
      await killPrograms()
      await inbox.close()
      await db.close()
      await database.drop()
    },
  }
}
