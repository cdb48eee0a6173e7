import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TemporaryFolder } from './temporary-folder.ts'

/** The real service in a separate process. */
export interface Service extends AsyncDisposable {
  readonly baseUrl: string
  /** Returns after `GET /readyz` answers 200. */
  waitUntilReady(options: { signal: AbortSignal; onWait: () => void }): Promise<void>
}

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const LOG_FILE = 'service.log'
/** A first start creates a database: about 2 s, longer on a slow disk. */
const READY_WITHIN_MS = 60_000
const POLL_MS = 200
const ANSWER_WITHIN_MS = 2_000
/** The service finishes requests in flight and stops PostgreSQL within seconds. */
const STOP_WITHIN_MS = 20_000

/** Starts the service on a free port with its data in `folder`. The service may deliver to loopback addresses. */
export async function startService(folder: TemporaryFolder, operatorKey: string): Promise<Service> {
  const port = await freePort()
  const log = await open(join(folder.path, LOG_FILE), 'a')
  const child = spawn(process.execPath, [join('server', 'src', 'main.ts')], {
    cwd: REPOSITORY,
    env: {
      ...withoutSettings(process.env),
      TILLHOOK_DATA_DIR: folder.dataDir,
      TILLHOOK_HOST: '127.0.0.1',
      TILLHOOK_PORT: String(port),
      TILLHOOK_OPERATOR_KEY: operatorKey,
      TILLHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      // Mails are in the log.
      TILLHOOK_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', log.fd, log.fd],
    // Detached, so that ctrl-C reaches only this process. This process then stops the service cleanly.
    detached: true,
  })
  await log.close()
  let failure: string | undefined
  child.once('error', error => {
    failure = `The service could not be started: ${error.message}`
  })
  const baseUrl = `http://127.0.0.1:${port}`
  return {
    baseUrl,
    waitUntilReady: async ({ signal, onWait }) => {
      const giveUpAt = performance.now() + READY_WITHIN_MS
      while (!(await isReady(baseUrl))) {
        if (failure !== undefined) throw new Error(failure)
        if (hasEnded(child)) throw new Error(`The service ended with ${child.signalCode ?? `code ${child.exitCode}`}.`)
        if (performance.now() > giveUpAt)
          throw new Error(`The service was not ready within ${READY_WITHIN_MS / 1000} s.`)
        onWait()
        await wait(POLL_MS, undefined, { signal })
      }
    },
    [Symbol.asyncDispose]: () => stop(child),
  }
}

/** The last log lines of the service, to explain a failure. */
export async function lastLogLines(folder: TemporaryFolder, count = 15): Promise<string[]> {
  return (await readLogLines(folder)).slice(-count)
}

export async function readLogLines({ path }: TemporaryFolder): Promise<string[]> {
  const text = await readFile(join(path, LOG_FILE), 'utf8').catch(() => '')
  return text.trimEnd().split('\n')
}

/** Drops TILLHOOK_ variables, which belong to another installation. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('TILLHOOK_')))
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return address !== null && typeof address === 'object' ? address.port : 0
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    await answer.text()
    return answer.ok
  } catch {
    return false
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await ended
  clearTimeout(force)
}
