import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../server/src/platform/db/embedded/start.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { removeDatabase } from './database.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { currentLoad, describeMachine, printMachine } from './machine.ts'
import { logTail, type Service, type ServiceOptions, startService } from './service.ts'

/** A database, a listener, and any number of processes of the service. */
export interface Installation extends AsyncDisposable {
  /** The URL with PostgreSQL's administrator. */
  readonly databaseUrl: string
  readonly postgresPid: number
  readonly operatorKey: string
  readonly inbox: Inbox
  readonly machine: string
  /** Aborts when a process ends by itself. */
  readonly signal: AbortSignal
  start(role?: ServiceOptions['role']): Promise<Service>
}

/** The base URL of all processes. */
export const AUDIENCE = 'http://bench.test'

interface Options {
  readonly signal: AbortSignal
  report(text: string): void
  /** More settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>
}

export async function openInstallation({ signal, report, settings = {} }: Options): Promise<Installation> {
  const loadBefore = currentLoad()
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-bench-'))
  const dataDir = join(folder, 'data')
  const quiet = { info() {}, warn() {}, error() {} }
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  stack.defer(() => removeDatabase(dataDir))
  stack.defer(async () => {
    const logged = await logTail(folder)
    if (logged !== '') report(`The service logged last:\n${logged}`)
  })
  const embedded = await startEmbedded({ dataDir, log: quiet, settings })
  stack.defer(() => embedded.stop())
  await migrate({ url: embedded.url })
  const inbox = stack.use(await openInbox())
  const machine = printMachine(await describeMachine(dataDir, loadBefore))
  const operatorKey = randomBytes(24).toString('base64url')
  const ending = new AbortController()
  const databaseUrl = new URL(embedded.adminUrl)
  databaseUrl.pathname = new URL(embedded.url).pathname
  const ofAll = {
    TILLHOOK_DATABASE_URL: embedded.url,
    TILLHOOK_MASTER_KEY: randomBytes(32).toString('hex'),
    TILLHOOK_BASE_URL: AUDIENCE,
  }
  const opened = stack.move()
  return {
    databaseUrl: databaseUrl.href,
    postgresPid: embedded.pid,
    operatorKey,
    inbox,
    machine,
    signal: AbortSignal.any([signal, ending.signal]),
    start: role =>
      startService({
        ...{ folder, operatorKey, settings: ofAll, gatewayDelayMs: 0, onEnd: error => ending.abort(error) },
        ...(role && { role }),
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
