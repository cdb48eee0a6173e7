import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { flagsOfStart } from './node-flags.ts'

/** The real service, as a process of its own with its own PostgreSQL. */
export interface Service extends AsyncDisposable {
  readonly baseUrl: string
  readonly pid: number
}

export interface ServiceOptions {
  readonly folder: string
  readonly operatorKey: string
  readonly profile?: string
  readonly gatewayDelayMs: number
  /** More settings, such as the shared database of several processes. */
  readonly settings?: Readonly<Record<string, string>>
  readonly role?: 'api' | 'worker'
  /** The process ended without a request to stop. */
  onEnd(error: Error): void
}

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const READY = /ready at (http\S+)/
/** A first start makes a database: 2 s here, more on a slow disk. */
const READY_WITHIN_MS = 60_000
/** The service finishes the requests and deliveries in progress, which takes at most 5 s, and stops its PostgreSQL. */
const STOP_WITHIN_MS = 30_000
/** Limits per app and per address above any machine's rate, so the limits are not measured. */
const NO_LIMIT = '1000000'

export const dataDirIn = (folder: string) => join(folder, 'data')

export async function startService({
  folder,
  operatorKey,
  profile,
  gatewayDelayMs,
  settings,
  role,
  onEnd,
}: ServiceOptions): Promise<Service> {
  const log = await open(logIn(folder), 'a')
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const ofRole = role === undefined ? [] : ['--role', role]
  const child = spawn(process.execPath, [...flagsOfStart(), ...flags, join('server', 'src', 'main.ts'), ...ofRole], {
    cwd: REPOSITORY,
    env: {
      ...withoutSettings(process.env),
      TILLHOOK_DATA_DIR: dataDirIn(folder),
      TILLHOOK_HOST: '127.0.0.1',
      TILLHOOK_PORT: '0',
      TILLHOOK_OPERATOR_KEY: operatorKey,
      TILLHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      TILLHOOK_RATE_PER_APP: NO_LIMIT,
      TILLHOOK_RATE_PER_ADDRESS: NO_LIMIT,
      TILLHOOK_LOG_LEVEL: 'warn',
      TILLHOOK_SANDBOX_DELAY_MS: String(gatewayDelayMs),
      ...settings,
    },
    stdio: ['ignore', 'pipe', log.fd],
    // Detached: ctrl-C in a terminal reaches only this process, which then stops the service in good order.
    detached: true,
  })
  await log.close()
  let isStopping = false
  child.once('exit', (code, signal) => {
    if (!isStopping) onEnd(new Error(`The service ended with ${signal ?? `code ${code}`}.`))
  })
  const stop = () => {
    isStopping = true
    return end(child)
  }
  try {
    return { baseUrl: await readyUrl(child), pid: child.pid ?? 0, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The last lines of the service's log. Empty without warnings. */
export async function logTail(folder: string): Promise<string> {
  const text = await readFile(logIn(folder), 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-5).join('\n')
}

const logIn = (folder: string) => join(folder, 'service.log')

/** Removes Tillhook settings of the environment, which belong to another installation. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('TILLHOOK_')))
}

/** The service says where it listens, in its one line on stdout. */
async function readyUrl(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new Error('The service was not ready in time.')), READY_WITHIN_MS)
  child.once('error', reject)
  child.once('exit', () => reject(new Error('The service did not start.')))
  if (child.stdout) {
    createInterface(child.stdout).on('line', line => {
      const [, url] = READY.exec(line) ?? []
      if (url !== undefined) resolve(url)
    })
  }
  return promise.finally(() => clearTimeout(timer))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await ended
  clearTimeout(force)
}
