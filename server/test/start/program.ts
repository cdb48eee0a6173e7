import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AHEAD_MS } from './ahead.ts'

/** A program under test, as a process of its own. */
export interface Program {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** The service's URL, once it is ready. */
  ready(): Promise<string>
  /** How it ended: an exit code or the name of a signal. */
  ended(): Promise<number | NodeJS.Signals>
  /** Ends it as a crash would. */
  kill(): Promise<void>
}

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const CLOCK_AHEAD = new URL('clock-ahead.fixture.ts', import.meta.url).href
const END_WITH_PARENT = new URL('end-with-parent.fixture.ts', import.meta.url).href

/** A first start makes a database: 2 s here, minutes on a machine with twenty times the work it can do. */
const READY_WITHIN_MS = 300_000
const END_WITHIN_MS = 120_000
const POLL_MS = 10
const TAIL_LINES = 25

const started: Program[] = []

/** `main`: of another version. `prefix`: before the command. `flags`: of the service. `clockAheadMs`: of its clock, before the real one. */
export interface MainOptions {
  readonly main?: string
  readonly prefix?: readonly string[]
  readonly flags?: readonly string[]
  readonly clockAheadMs?: number
}

/** The service itself, as `npm start` runs it, with these settings and no others. It ends with this process at the latest. */
export function startMain(
  given: Record<string, string>,
  { main = MAIN, prefix = [], flags = [], clockAheadMs }: MainOptions = {},
): Program {
  const imports = ['--import', END_WITH_PARENT, ...(clockAheadMs === undefined ? [] : ['--import', CLOCK_AHEAD])]
  const [command = '', ...args] = [...prefix, process.execPath, ...imports, main, ...flags]
  const settings = { ...given, ...(clockAheadMs !== undefined && { [AHEAD_MS]: String(clockAheadMs) }) }
  return startProgram(command, args, { settings: { TILLHOOK_PORT: '0', ...settings }, stdio: PIPES_AND_CHANNEL })
}

/** A program that may be a service with these settings. */
export function startProgram(
  command: string,
  args: readonly string[],
  { settings, ...options }: SpawnOptions & { settings: Record<string, string> },
): Program {
  const child = spawn(command, args, {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...withoutSettings(process.env), ...settings },
  })
  const program = watch(child)
  started.push(program)
  return program
}

export const PIPES_AND_CHANNEL: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe', 'ipc']

/** For `after`: a failed test may have left some. */
export async function killPrograms(): Promise<void> {
  await Promise.all(started.splice(0).map(program => program.kill()))
}

function watch(child: ChildProcess): Program {
  let [stdout, stderr] = ['', '']
  let failure: Error | undefined
  child.once('error', error => {
    failure = error
  })
  child.stdout?.on('data', chunk => {
    stdout += chunk
  })
  child.stderr?.on('data', chunk => {
    stderr += chunk
  })
  // `close` comes after the last of the output; a process that was never started has none.
  const closed = Promise.race([once(child, 'close'), once(child, 'error')])
  const program: Program = {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    async ready() {
      const url = await until(program, 'is ready', READY_WITHIN_MS, () => /ready at (http\S+)\n/.exec(stdout)?.[1])
      return url
    },
    async ended() {
      await until(program, 'ends', END_WITHIN_MS, () => hasEnded(child) || undefined, { alsoWhenEnded: true })
      if (failure) throw failure
      await closed
      return child.exitCode ?? child.signalCode ?? 'SIGKILL'
    },
    async kill() {
      if (!hasEnded(child)) child.kill('SIGKILL')
      await closed
    },
  }
  return program
}

/** Polls until `look` sees something; fails with the last that the program said when that takes too long, or it ends. */
export async function until<T>(
  program: Program,
  what: string,
  withinMs: number,
  look: () => T | undefined | Promise<T | undefined>,
  { alsoWhenEnded = false } = {},
): Promise<T> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const isOver = !alsoWhenEnded && hasEnded(program.child)
    const seen = await look()
    if (seen !== undefined) return seen
    if (isOver) throw new Error(`It ended before it ${what}.\n${tailOf(program)}`)
    if (performance.now() > giveUpAt) throw new Error(`Not within ${withinMs} ms: it ${what}.\n${tailOf(program)}`)
    await wait(POLL_MS)
  }
}

export function tailOf(program: Program): string {
  return [program.stdout(), ...program.stderr().trimEnd().split('\n').slice(-TAIL_LINES)].join('\n')
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** Removes Tillhook settings of the environment, which may belong to another installation. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(TILLHOOK_|NODE_TEST|OTEL_)/.test(name)))
}
