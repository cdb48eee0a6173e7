import assert from 'node:assert/strict'
import { execFileSync, type SpawnOptions, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyWebhook } from '../../sdk/typescript/src/index.ts'
import { freePort } from '../../server/src/platform/db/embedded/postmaster.ts'
import { removeElsewhere } from '../../server/test/start/data.ts'
import { killPrograms, type Program, startMain, startProgram, until } from '../../server/test/start/program.ts'
import manifest from '../package.json' with { type: 'json' }

/* The package as npm packs it, installed into an empty folder, against a real service. */

const CLI = fileURLToPath(new URL('..', import.meta.url))
const VERSION = manifest.version
const OPERATOR_KEY = randomUUID()
const WITHIN_MS = 120_000
const ESCAPE = new RegExp(String.fromCharCode(27))
const COLOURED_SECRET = new RegExp(`${String.fromCharCode(27)}\\[1mwhsec_`)
const PAID = 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS'

let folder: string
let url: string
let service: Program
let appId: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillhook-cli-'))
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: CLI, stdio: 'pipe' })
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./tillhook-${VERSION}.tgz`]
  execFileSync('npm', install, { cwd: folder, stdio: 'pipe' })
  const port = await freePort('127.0.0.1')
  url = `http://127.0.0.1:${port}`
  await startService()
  assert.equal((await tillhook('login', '--url', url, '--key', OPERATOR_KEY)).code, 0)
  const made = await tillhook('apps', 'create', 'Table Planner', '--package', 'com.example.planner', '--json')
  assert.equal(made.code, 0, made.stderr)
  appId = JSON.parse(made.stdout).appId
})
after(async () => {
  await killPrograms()
  await removeElsewhere(join(folder, 'data'))
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
})

async function startService(): Promise<void> {
  service = startMain({
    TILLHOOK_OPERATOR_KEY: OPERATOR_KEY,
    TILLHOOK_DATA_DIR: join(folder, 'data'),
    TILLHOOK_PORT: new URL(url).port,
  })
  await service.ready()
}

/** The installed command with a home folder of the test. */
function start(
  words: readonly string[],
  settings: Record<string, string> = {},
  stdio?: SpawnOptions['stdio'],
): Program {
  return startProgram(join(folder, 'node_modules/.bin/tillhook'), words, {
    cwd: folder,
    ...(stdio && { stdio }),
    settings: { HOME: folder, XDG_CONFIG_HOME: '', ...settings },
  })
}

async function tillhook(...words: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return run(words)
}

async function run(words: readonly string[], settings?: Record<string, string>) {
  const program = start(words, settings)
  const code = await program.ended()
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

const linesOf = (program: Program) =>
  program
    .stdout()
    .split('\n')
    .filter(line => line !== '')

/** A listener that verifies each webhook by the secret that `listen` prints. */
async function openListener(t: { after(end: () => void): void }, secretOf: () => string) {
  const verified: { id: string; eventType: string; resourceId: string }[] = []
  const rejected: string[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    try {
      const secret = secretOf()
      verified.push(await verifyWebhook(body, request.headers, { secret }))
      await verifyWebhook(body, request.headers, { secret, scheme: 'original' })
      response.writeHead(200).end()
    } catch (error) {
      rejected.push(String(error))
      response.writeHead(400).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { verified, rejected, target: `127.0.0.1:${(server.address() as { port: number }).port}/webhooks` }
}

test('the credentials and the private key are readable by their owner alone, and no key is overwritten', async () => {
  for (const file of ['.config/tillhook/config.json', 'com.example.planner.pem']) {
    assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600, file)
  }
  const again = await tillhook('apps', 'create', 'Other', '--package', 'com.example.planner')
  assert.equal(again.code, 1)
  assert.match(again.stderr, /com\.example\.planner\.pem exists/)
  assert.match(await readFile(join(folder, 'com.example.planner.pem'), 'utf8'), /^-----BEGIN PRIVATE KEY-----/)
  const rejected = await tillhook('apps', 'create', 'Other', '--package', 'no package', '--out', 'never.pem')
  assert.equal(rejected.code, 1)
  assert.match(rejected.stderr, /packageName/)
  assert.equal(existsSync(join(folder, 'never.pem')), false)
})

test('listen forwards every event once with valid signatures, through a restart of the service', async t => {
  let listen: Program | undefined
  const secretOf = () => JSON.parse(linesOf(listen as Program)[0] ?? '{}').secret
  const { verified, rejected, target } = await openListener(t, secretOf)
  listen = start(['listen', '--forward-to', target, '--json'])
  const listening = listen
  await until(listening, 'is ready', WITHIN_MS, () => linesOf(listening)[0])
  assert.match(secretOf(), /^whsec_/)

  const first = JSON.parse((await tillhook('trigger', PAID, '--json')).stdout)
  const arrived = (resourceId: string, type: string) =>
    verified.some(event => event.resourceId === resourceId && event.eventType === type) || undefined
  await until(listening, 'forwards', WITHIN_MS, () => arrived(first.resourceId, PAID))

  service.child.kill('SIGTERM')
  await service.ended()
  await until(listening, 'notices', WITHIN_MS, () => listening.stderr().includes('Connection lost') || undefined)
  await startService()
  const second = JSON.parse((await tillhook('trigger', 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL', '--json')).stdout)
  await until(listening, 'forwards again', WITHIN_MS, () =>
    arrived(second.resourceId, 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL'),
  )
  assert.match(listening.stderr(), /Connected again\.\n$/)

  // The process crashes: the client gets no message, and the stream continues in the next process.
  await service.kill()
  await startService()
  const third = JSON.parse((await tillhook('trigger', 'ORDER_OPENED', '--json')).stdout)
  await until(listening, 'forwards a third time', WITHIN_MS, () => arrived(third.resourceId, 'ORDER_OPENED'))

  // The listener has a webhook before `listen` shows the answer.
  await until(listening, 'shows the answers', WITHIN_MS, () => linesOf(listening).length > 6 || undefined)
  assert.deepEqual(rejected, [])
  assert.equal(new Set(verified.map(({ id }) => id)).size, verified.length, 'an event was repeated')
  assert.deepEqual(
    verified.map(({ eventType }) => eventType.replace('APPLICATION_SUBSCRIPTION_', '')),
    ['START', 'PAYMENT_SUCCESS', 'START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'ORDER_OPENED'],
  )
  const answers = linesOf(listening)
    .slice(1)
    .map(line => JSON.parse(line))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(6).fill(200),
  )
  listening.child.kill('SIGINT')
  assert.equal(await listening.ended(), 0)

  // Another run continues after a cursor, with the same secret.
  const later = start(['listen', '--forward-to', target, '--json', '--after', answers[4].cursor])
  await until(later, 'repeats the last', WITHIN_MS, () => linesOf(later)[1])
  const [ready, repeated] = linesOf(later).map(line => JSON.parse(line))
  assert.equal(ready.secret, secretOf())
  assert.equal(repeated.id, answers[5].id)
  await later.kill()
})

test('listen acts as an app by its key, with a clock that is ten minutes wrong', async t => {
  const { verified, target } = await openListener(t, () => 'whsec_bXkgb3duIHNlY3JldA==')
  const key = ['--url', url, '--app', appId, '--private-key', 'com.example.planner.pem']
  const listening = start(['listen', '--forward-to', target, '--secret', 'whsec_bXkgb3duIHNlY3JldA==', ...key], {
    NODE_OPTIONS: `--import ${fileURLToPath(new URL('clock-behind.fixture.mjs', import.meta.url))}`,
  })
  await until(listening, 'is ready', WITHIN_MS, () => listening.stdout().includes('Ready') || undefined)
  const { resourceId } = JSON.parse((await tillhook('trigger', 'ORDER_COMPLETED', '--json')).stdout)
  await until(listening, 'shows', WITHIN_MS, () => /ORDER_COMPLETED.*→/.test(listening.stdout()) || undefined)
  // The listener of this test has a right clock: it rejects the age, not the signature.
  assert.equal(verified.length, 0)
  assert.ok(listening.stdout().includes(`ORDER_COMPLETED  ${resourceId}  → 400`))
  await listening.kill()
})

test('an answer that fails or does not come is shown, and the next event is forwarded', async () => {
  const listening = start(['listen', '--forward-to', '127.0.0.1:9'])
  await until(listening, 'is ready', WITHIN_MS, () => listening.stdout().includes('Ready') || undefined)
  await tillhook('trigger', 'ORDER_CANCELLED')
  await until(listening, 'shows both', WITHIN_MS, () => /ORDER_CANCELLED/.test(listening.stdout()) || undefined)
  assert.match(listening.stdout(), /ORDER_OPENED {2}\S+ {2}→ connection refused {2}\d+ ms/)
  await listening.kill()
})

test('clock advance moves the merchant of the last trigger, and events tail prints what happens', async () => {
  await tillhook('trigger', PAID)
  const tail = start(['events', 'tail', '--json', '--events', `${PAID},TYPO`])
  await until(tail, 'is ready', WITHIN_MS, () => tail.stderr().includes('Ready') || undefined)
  assert.match(tail.stderr(), /does not know the event types TYPO: check --events/)
  const advanced = await tillhook('clock', 'advance', '2mo', '--json')
  assert.equal(advanced.code, 0, advanced.stderr)
  await until(tail, 'prints two', WITHIN_MS, () => linesOf(tail).length >= 2 || undefined)
  const events = linesOf(tail).map(line => JSON.parse(line).event)
  assert.deepEqual(
    events.map(({ eventType }) => eventType),
    [PAID, PAID],
  )
  await tail.kill()
  assert.equal((await tillhook('clock', 'advance', 'soon')).code, 2)
})

test('trigger opens and decides a dispute of a test merchant', async () => {
  const types = ['APPLICATION_SUBSCRIPTION_DISPUTE_OPENED', 'APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED']
  const tail = start(['events', 'tail', '--json', '--events', types.join()])
  await until(tail, 'is ready', WITHIN_MS, () => tail.stderr().includes('Ready') || undefined)
  for (const type of types) assert.equal((await tillhook('trigger', type)).code, 0, type)
  await until(tail, 'prints three', WITHIN_MS, () => linesOf(tail).length >= 3 || undefined)
  const [opened, openedToo, closed] = linesOf(tail).map(line => JSON.parse(line).event)
  assert.deepEqual([opened.eventType, openedToo.eventType, closed.eventType], [types[0], ...types])
  assert.notEqual(opened.resourceId, openedToo.resourceId)
  await tail.kill()
})

test('replay sends one delivery and a range again', async t => {
  const { target } = await openListener(t, () => 'secret')
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of a body and asserts each.
    return (await response.json()) as any
  }
  const eventTypes = ['ORDER_OPENED']
  await call('POST', '/hooks', { applicationId: appId, deliveryUrl: `http://${target}`, secret: 'secret', eventTypes })
  await tillhook('trigger', 'ORDER_OPENED')
  const { deliveries } = await call('GET', `/apps/${appId}/deliveries`)
  const one = await tillhook('replay', deliveries[0].id)
  assert.equal(one.code, 0, one.stderr)
  const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const range = await tillhook('replay', `${today}..${new Date(Date.now() + 60_000).toISOString()}`, '--json')
  assert.equal(range.code, 0, range.stderr)
  assert.equal(JSON.parse(range.stdout).state, 'DONE')
  assert.equal((await tillhook('replay', randomUUID())).code, 1)
  assert.equal((await tillhook('replay', '2026-01-01..')).code, 2)
})

test('a developer signs in by e-mail, and triggers events without a plan before the operator has approved one', async () => {
  const call = async (path: string, body: object, token = OPERATOR_KEY) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of a body and asserts each.
    return (await response.json()) as any
  }
  const email = `dev-${randomUUID()}@lakeside.example`
  const { organizationId } = await call('/organizations', { name: 'Lakeside', email })
  await call('/invitations', { kind: 'DEVELOPER', organizationId, email, role: 'ADMIN' })
  // Without a relay the log of a development installation shows mails.
  const secretIn = () => new RegExp(`${email}.*secret=([\\w-]+)`).exec(service.stderr())?.[1]
  const secret = await until(service, 'sends the invitation', WITHIN_MS, secretIn)
  const password = 'a horse, a battery, a staple'
  await call('/memberships', { secret, name: 'Ann Baker', password })

  const settings = { HOME: join(folder, 'developer'), TILLHOOK_URL: url }
  const login = start(['login', '--email', email], settings, ['pipe', 'pipe', 'pipe'])
  login.child.stdin?.end(`${password}\n`)
  assert.equal(await login.ended(), 0, login.stderr())
  const app = await run(['apps', 'create', 'Own', '--package', `com.example.p${Date.now()}`], settings)
  assert.equal(app.code, 0, app.stderr)
  assert.equal((await run(['trigger', 'ORDER_OPENED'], settings)).code, 0)
  for (let attempt = 0; attempt < 2; attempt++) {
    const subscribed = await run(['trigger', PAID], settings)
    assert.equal(subscribed.code, 3)
    assert.match(
      subscribed.stderr,
      /The operator must approve release [0-9a-f-]{36}, which has the plans that trigger needs\. Then run the command again\.$/m,
    )
  }
  const wrong = start(['login', '--email', email], settings, ['pipe', 'pipe', 'pipe'])
  wrong.child.stdin?.end('wrong\n')
  assert.notEqual(await wrong.ended(), 0)
})

test('keys create adds a key that works', async () => {
  const made = await tillhook('keys', 'create', '--out', 'second.pem')
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /^The keyId is [\w-]{43}\. /)
  const own = await tillhook('login', '--url', url, '--app', appId, '--private-key', 'second.pem')
  assert.equal(own.code, 0, own.stderr)
  const trigger = await tillhook('trigger', 'ORDER_OPENED')
  assert.equal(trigger.code, 3, 'an app creates no merchant')
  assert.equal((await tillhook('login', '--url', url, '--key', OPERATOR_KEY)).code, 0)
  await run(['login', '--url', url, '--key', OPERATOR_KEY, '--app', appId])
})

test('npm run tillhook writes into the folder of the person, not of the package', async () => {
  const here = join(folder, 'elsewhere')
  await mkdir(here)
  const { code, stderr } = await run(['init', 'python', 'mine'], { npm_lifecycle_event: 'tillhook', INIT_CWD: here })
  assert.equal(code, 0, stderr)
  assert.ok(existsSync(join(here, 'mine')))
})

for (const [language, command, file] of [
  ['typescript', process.execPath, 'listener.ts'],
  ['python', 'python3', 'listener.py'],
  ['java', 'java', 'Listener.java'],
] as const) {
  const isMissing = spawnSync(command, ['--version']).error !== undefined
  test(`init ${language} writes a listener that verifies`, { skip: isMissing && `${command} is missing` }, async () => {
    assert.equal((await tillhook('init', language, language)).code, 0)
    const again = await tillhook('init', language, language)
    assert.deepEqual([again.code, /exists/.test(again.stderr)], [1, true])
    const port = String(await freePort('127.0.0.1'))
    const secret = 'whsec_dGlsbGhvb2stY2xpLXRlc3Q='
    const listener = startProgram(command, [file], {
      cwd: join(folder, language),
      settings: { PORT: port, WEBHOOK_SECRET: secret },
    })
    await until(listener, 'listens', WITHIN_MS, () => listener.stdout().includes('listening') || undefined)
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body }).then(({ status }) => status)
    const { signWebhook } = await import('../../sdk/typescript/src/index.ts')
    const body = JSON.stringify({ id: randomUUID(), eventType: 'ORDER_OPENED', resourceId: 'r1' })
    const signed = await signWebhook(body, { secret })
    assert.equal(await post(signed, body), 200)
    assert.equal(await post(signed, body), 200)
    assert.equal(await post(signed, `${body} `), 400)
    assert.equal(await post(await signWebhook(body, { secret: 'other' }), body), 400)
    assert.equal(await post({}, body), 400)
    assert.deepEqual(listener.stdout().match(/^verified.*$/gm), ['verified ORDER_OPENED r1'])
    await listener.kill()
  })
}

test('an error is one line with its own exit code', async () => {
  const none = { HOME: join(folder, 'nobody') }
  const closed = `http://127.0.0.1:${await freePort('127.0.0.1')}`
  const cases: [readonly string[], Record<string, string>, number, RegExp][] = [
    [['events', 'tail'], none, 3, /not logged in\. Run tillhook login/],
    [['events', 'tail'], { ...none, TILLHOOK_URL: url, TILLHOOK_KEY: 'wrong' }, 3, /does not accept these credentials/],
    [['events', 'tail', '--url', closed], { TILLHOOK_APP: appId }, 4, /No response from .*ECONNREFUSED/],
    [['events', 'tail', '--url', 'http://no.invalid'], { TILLHOOK_APP: appId }, 4, /No response from/],
    [['events', 'tail', '--url', 'ftp://x'], {}, 2, /no.*http address|is not an http address/],
    [['listen'], {}, 2, /--forward-to is missing/],
    [['trigger', 'NOTHING'], {}, 2, /there is no event NOTHING[\s\S]*\nChoose one\. See tillhook --help\.\n$/],
    [['trigger'], {}, 2, /<event> is missing/],
    [['trigger', 'ORDER_OPENED', 'too', 'much'], {}, 2, /unexpected argument/],
    [['listen', '--nothing'], {}, 2, /unknown option '--nothing'/i],
    [['events'], {}, 2, /choose one of: events tail/],
    [['nothing'], {}, 2, /no command nothing/],
  ]
  for (const [words, settings, code, message] of cases) {
    const result = await run(words, settings)
    assert.equal(result.code, code, `${words.join(' ')}: ${result.stderr}`)
    assert.match(result.stderr, message)
    assert.equal(result.stdout, '', words.join(' '))
    assert.doesNotMatch(result.stderr, /\n {4}at /, words.join(' '))
  }
})

test('a machine without a writable home works by options and variables alone', async () => {
  await writeFile(join(folder, 'file'), '')
  const settings = {
    HOME: join(folder, 'file', 'home'),
    TILLHOOK_URL: url,
    TILLHOOK_KEY: OPERATOR_KEY,
    TILLHOOK_APP: appId,
  }
  const result = await run(['trigger', 'ORDER_OPENED', '--json'], settings)
  assert.equal(result.code, 0, result.stderr)
  const login = await run(['login', '--key', OPERATOR_KEY], settings)
  assert.equal(login.code, 1)
  assert.match(login.stderr, /credentials work, but were not saved/)
})

test('HTTPS_PROXY and NO_PROXY apply to the service, and never to the listener', async t => {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(502).end()
  }).listen(0, '127.0.0.1')
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`
  const node24 = { PATH: `${join(CLI, '../node_modules/.bin')}:${process.env.PATH}` }
  const through = await run(['trigger', 'ORDER_OPENED'], { ...node24, HTTP_PROXY })
  assert.notEqual(through.code, 0)
  assert.ok(asked.length > 0, 'the proxy was not asked')
  asked.length = 0
  const past = await run(['trigger', 'ORDER_OPENED'], { ...node24, HTTP_PROXY, NO_PROXY: '127.0.0.1' })
  assert.equal(past.code, 0, past.stderr)
  assert.deepEqual(asked, [])
})

test('a terminal shows colour, asks for the key without echo, and Ctrl-C ends listen; a pipe and NO_COLOR show none', async () => {
  const { execPath } = process
  const bin = join(folder, 'node_modules/tillhook/dist/cli/src/main.js')
  const inTerminal = (words: string, settings: Record<string, string> = {}) =>
    startProgram('python3', ['-c', PTY, execPath, bin, ...words.split(' ')], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      settings: { HOME: folder, XDG_CONFIG_HOME: '', TERM: 'xterm', ...settings },
    })
  const listen = inTerminal('listen --forward-to 127.0.0.1:9')
  await until(listen, 'is ready', WITHIN_MS, () => listen.stdout().includes('Ctrl-C') || undefined)
  assert.match(listen.stdout(), COLOURED_SECRET)
  listen.child.stdin?.write('\x03')
  assert.equal(await listen.ended(), 0)

  const plain = inTerminal('listen --forward-to 127.0.0.1:9', { NO_COLOR: '1' })
  await until(plain, 'is ready', WITHIN_MS, () => plain.stdout().includes('Ctrl-C') || undefined)
  assert.doesNotMatch(plain.stdout(), ESCAPE)
  await plain.kill()

  await mkdir(join(folder, 'asked'), { recursive: true })
  const login = inTerminal(`login --operator --url ${url}`, { HOME: join(folder, 'asked') })
  await until(login, 'asks', WITHIN_MS, () => login.stdout().includes('Operator key:') || undefined)
  login.child.stdin?.write(`${OPERATOR_KEY}\r`)
  assert.equal(await login.ended(), 0, login.stdout())
  assert.ok(!login.stdout().includes(OPERATOR_KEY), 'the key was shown')
  assert.match(login.stdout(), /Logged in to/)

  const piped = await tillhook('--help')
  assert.doesNotMatch(piped.stdout, ESCAPE)
})

test('npx runs the installed package', () => {
  const version = execFileSync('npx', ['--no-install', 'tillhook', '--version'], { cwd: folder, encoding: 'utf8' })
  assert.equal(version, `${VERSION}\n`)
})

test('every command has help with examples, and the bash completion knows commands, events and options', async () => {
  const { stdout: overview } = await tillhook()
  const commands = [...overview.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}\S/gm)].map(([, name = '']) => name)
  assert.equal(commands.length, 10)
  for (const name of commands) {
    const { code, stdout } = await tillhook(...name.split(' '), '--help')
    assert.equal(code, 0)
    assert.match(stdout, new RegExp(`Usage: tillhook ${name}[\\s\\S]*Examples:\\n  \\S`))
  }
  await writeFile(join(folder, 'completion.bash'), (await tillhook('completion', 'bash')).stdout)
  const complete = (line: string) => {
    const script = `source completion.bash; COMP_WORDS=(${line} ''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tillhook; echo "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' }).trim().split(' ')
  }
  assert.ok(complete('tillhook').includes('listen'))
  assert.deepEqual(complete('tillhook apps'), ['create'])
  assert.ok(complete('tillhook trigger').includes('ORDER_OPENED'))
  assert.ok(complete('tillhook listen').includes('--forward-to'))
  for (const shell of ['zsh', 'fish']) assert.match((await tillhook('completion', shell)).stdout, /forward-to/)
})

/** Runs a program in a pseudo-terminal, with its own input and output as the keyboard and the screen. */
const PTY = `
import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))
`
