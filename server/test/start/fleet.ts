import { randomBytes } from 'node:crypto'
import { type Database, openDatabase } from '../../src/platform/db/db.ts'
import { countUnfinished, type Kept, type Unfinished } from '../faults/books.ts'
import { type Client, createClient } from '../faults/client.ts'
import { type Inbox, openInbox } from '../faults/inbox.ts'
import { freshDatabase } from '../support/postgres.ts'
import { killPrograms, type MainOptions, type Program, startMain, until } from './program.ts'

/** One database, a listener and a client; and any number of processes of the real service beside each other. */
export interface Fleet {
  readonly db: Database
  readonly databaseUrl: string
  readonly inbox: Inbox
  /** Calls the API process that was started last. */
  readonly client: Client
  readonly secrets: readonly string[]
  readonly operatorKey: string
  start(role: 'api' | 'worker' | 'all', options?: MainOptions & { settings?: Record<string, string> }): Promise<Program>
  /** Waits until nothing is left to do, by a clock that is so far ahead. */
  settle(program: Program, aheadMs?: number): Promise<Kept>
  close(): Promise<void>
}

const SETTLED_WITHIN_MS = 60_000

export async function openFleet(): Promise<Fleet> {
  const database = await freshDatabase()
  const db = openDatabase({ url: database.url, maxConnections: 2 })
  const inbox = await openInbox()
  const [operatorKey, masterKey] = [randomBytes(24).toString('base64url'), randomBytes(32).toString('hex')]
  const client = createClient(operatorKey)
  return {
    db,
    databaseUrl: database.url,
    inbox,
    client,
    secrets: [operatorKey, masterKey, inbox.secret],
    operatorKey,
    start: async (role, { flags = [], settings = {}, ...options } = {}) => {
      const ours = {
        TILLHOOK_DATABASE_URL: database.url,
        TILLHOOK_MASTER_KEY: masterKey,
        TILLHOOK_OPERATOR_KEY: operatorKey,
        TILLHOOK_BASE_URL: 'http://tillhook.test',
        TILLHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        TILLHOOK_LOG_LEVEL: 'warn',
      }
      const program = startMain({ ...ours, ...settings }, { ...options, flags: ['--role', role, ...flags] })
      const url = await program.ready()
      if (role !== 'worker') client.serveAt(url)
      return program
    },
    settle: async (program, aheadMs = 0) => {
      const kept = { db, inbox, now: () => new Date(Date.now() + aheadMs) }
      let unfinished: Unfinished | undefined
      const isSettled = async () => {
        unfinished = await countUnfinished(kept)
        return Object.values(unfinished).every(count => count === 0) || undefined
      }
      await until(program, 'has nothing left to do', SETTLED_WITHIN_MS, isSettled).catch(error => {
        throw new Error(`${error.message}\nunfinished: ${JSON.stringify(unfinished)}`)
      })
      return kept
    },
    close: async () => {
      client.stop()
      await killPrograms()
      await inbox.close()
      await db.close()
      await database.drop()
    },
  }
}
