import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TemporaryFolder } from './temporary-folder.ts'

/** The real service, as a process of its own. */
export interface Service extends AsyncDisposable {
  readonly baseUrl: string
  /** Returns when it answers `GET /readyz` with 200. */
  waitUntilReady(options: { signal: AbortSignal; onWait: () => void }): Promise<void>
}

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const LOG_FILE = 'service.log'
/** A first start makes a database: 2 s here, more on a slow disk. */
const READY_WITHIN_MS = 60_000
const POLL_MS = 200
const ANSWER_WITHIN_MS = 2_000
/** It ends its start, finishes what is in flight and stops its PostgreSQL: a few seconds at most. */
const STOP_WITHIN_MS = 20_000

/** Starts the service on a free port with all of its data in `folder`. It may post to this machine's own addresses. */
export async function startService(
  folder: TemporaryFolder,
  { operatorKey, logLevel }: { operatorKey: string; logLevel: 'warn' | 'info' },
): Promise<Service> {
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
      TILLHOOK_LOG_LEVEL: logLevel,
    },
    stdio: ['ignore', log.fd, log.fd],
    // Detached: ctrl-C in a terminal reaches only this process, which then stops the service in good order.
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

/** The last lines that the service wrote, for whoever must find out why it failed. */
export async function lastLogLines(folder: TemporaryFolder, count = 15): Promise<string[]> {
  return (await readLogLines(folder)).slice(-count)
}

export async function readLogLines({ path }: TemporaryFolder): Promise<string[]> {
  const text = await readFile(join(path, LOG_FILE), 'utf8').catch(() => '')
  return text.trimEnd().split('\n')
}

/** Whoever runs a Tillhook of their own has settings in the environment; none of them is meant for this one. */
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
