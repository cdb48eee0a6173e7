import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AppOptions } from '../../src/app-options.ts'
import { type Database, openDatabase } from '../../src/platform/db/db.ts'
import { killPrograms, PIPES_AND_CHANNEL, type Program, startMain, startProgram, until } from '../start/program.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { countUnfinished, type Kept, type Unfinished } from './books.ts'
import { type Client, createClient } from './client.ts'
import { openInbox } from './inbox.ts'
import type { Message } from './service.fixture.ts'

/** A database, a listener and a client that outlive the killed services. */
export interface Stand extends Kept {
  /** A direct connection to the database. */
  readonly db: Database
  readonly client: Client
  /** The running or last service. */
  program(): Program
  /** The real service. */
  startMain(): Promise<void>
  /** Another real service on the same database, with a client of its own. */
  startBeside(): Promise<Beside>
  /** The fixture's service with its clock set ahead. */
  startAhead(aheadMs: number): Promise<void>
  /** Sends a message to the fixture and awaits the echo, or with `mayDie` the end of the process. */
  send(message: Message, options?: { mayDie?: boolean }): Promise<void>
  /** Waits until all work is done. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** A service that is killed and restarted on another port. */
export interface Beside {
  readonly client: Client
  program(): Program
  kill(): Promise<void>
  start(): Promise<void>
}

const FIXTURE = fileURLToPath(new URL('service.fixture.ts', import.meta.url))
/** Generous: an idle machine needs seconds. */
const ECHOED_WITHIN_MS = 60_000
const SETTLED_WITHIN_MS = 180_000

export interface StandOptions extends Pick<AppOptions, 'stripe' | 'paysByConnect'> {
  /** Further settings of the real service. */
  readonly settings?: Readonly<Record<string, string>>
  /** Default: a database of the server of all tests. */
  readonly database?: FreshDatabase
}

/** `through` replaces the database URL of the service. */
export async function openStand(
  through = (databaseUrl: string) => databaseUrl,
  { settings = {}, stripe, paysByConnect, database: given }: StandOptions = {},
): Promise<Stand> {
  const database = given ?? (await freshDatabase())
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
      return { client: other, start, program: () => running, kill: () => running.kill() }
    },
    startAhead: aheadMs => {
      ahead = aheadMs
      const input = JSON.stringify({ databaseUrl, ...keys, aheadMs, stripe, paysByConnect })
      return run(startProgram(process.execPath, [FIXTURE, input], { settings: {}, stdio: PIPES_AND_CHANNEL }))
    },
    send: async (message, { mayDie = false } = {}) => {
      if ('aheadMs' in message) ahead = message.aheadMs
      let isKnown = false
      once(current().child, 'message').then(() => {
        isKnown = true
      })
      current().child.send(message)
      const { child } = current()
      const isDone = () => isKnown || (mayDie && child.signalCode === 'SIGKILL') || undefined
      await until(current(), 'has received the message', ECHOED_WITHIN_MS, isDone)
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
