import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/*
 * Does what docs/guides/quickstart.md says, command by command, from `git clone` of this repository to the verified webhooks, and prints the
 * time. Fails above five minutes or six commands. Ports are free ones.
 */

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const MAX_SECONDS = 300
const MAX_COMMANDS = 6
/** On a busy machine the run goes on, to say how long it takes. */
const GIVE_UP_SECONDS = 1_800

/** What a command prints when the reader goes on to the next one. The others end. */
const STAYS = [
  { command: /^npm start$/, goesOnAt: /\/setup\n/ },
  { command: /listener\.(mjs|ts|py)$/, goesOnAt: /listening on/ },
]
const LAST = /verified APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS/

const guide = await readFile(join(REPOSITORY, 'docs/guides/quickstart.md'), 'utf8')
let isSlow = false
for (const language of ['JavaScript', 'TypeScript', 'Python']) {
  const commands = commandsOf(guide, language)
  const seconds = await follow(commands)
  const words = `${language}: ${seconds.toFixed(0)} s, ${commands.length} commands\n`
  process.stdout.write(words)
  isSlow ||= seconds > MAX_SECONDS || commands.length > MAX_COMMANDS
}
process.exitCode = isSlow ? 1 : 0

/** The lines of the bash blocks. The guide names the other listeners in a list. */
function commandsOf(text: string, language: string): string[] {
  const lines = [...text.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
  if (language === 'JavaScript') return lines
  const [, listener] = new RegExp(`In ${language}: \`([^\`]+)\``).exec(text) ?? []
  if (listener === undefined) throw new Error(`the guide has no listener in ${language}`)
  return lines.map(line => (line.endsWith('listener.mjs') ? listener : line))
}

interface Running {
  readonly child: ChildProcess
  text(): string
}

async function follow(commands: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-quickstart-'))
  const [port, listenerPort] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    ...{ TILLHOOK_PORT: String(port), TILLHOOK_URL: `http://127.0.0.1:${port}`, PORT: String(listenerPort) },
    // The PATH of the reader's shell, without the folders that `npm run` adds.
    PATH: (process.env.PATH ?? '')
      .split(':')
      .filter(path => !path.includes('node_modules'))
      .join(':'),
  }
  const staying: Running[] = []
  const beganAt = performance.now()
  try {
    let key = ''
    for (const written of commands) {
      const command = written.replace('<the repository>', REPOSITORY).replace('<the operator key>', key)
      const isFirst = command.startsWith('git clone')
      const running = start(command, { cwd: isFirst ? folder : join(folder, 'tillhook'), env })
      const stays = STAYS.find(one => one.command.test(command))
      if (stays) staying.push(running)
      await until(running, () => (stays ? stays.goesOnAt.test(running.text()) : running.child.exitCode === 0))
      key = /Operator key, shown this once: (\S+)/.exec(running.text())?.[1] ?? key
    }
    const listener = staying.at(-1)
    if (listener) await until(listener, () => LAST.test(listener.text()))
    return (performance.now() - beganAt) / 1_000
  } finally {
    for (const { child } of staying.reverse()) await stop(child)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function start(command: string, options: { cwd: string; env: NodeJS.ProcessEnv }): Running {
  // A process group of its own, as in a terminal of its own.
  const child = spawn('bash', ['-c', command], { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (text += chunk))
  return { child, text: () => text }
}

async function until({ child, text }: Running, holds: () => boolean): Promise<void> {
  for (const beganAt = performance.now(); !holds(); await wait(50)) {
    const isLate = performance.now() - beganAt > GIVE_UP_SECONDS * 1_000
    if (isLate || (child.exitCode !== null && !holds())) throw new Error(`the command did not succeed:\n${text()}`)
  }
}

/** Ctrl-C. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  process.kill(-child.pid, 'SIGINT')
  while (child.exitCode === null && child.signalCode === null) await wait(50)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
