import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { killPrograms, type Program, startProgram, until } from '../start/program.ts'
import { newPerson, PASSWORD, proveSecondFactor } from '../support/people.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

/* `tillhook login` in a pseudo-terminal, approved in Chromium. */

const MAIN = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))
const PTY = 'import os, pty, sys\nsys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
const WITHIN_MS = 120_000

let world: ListeningWorld
let home: string
before(async () => {
  world = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
  home = await mkdtemp(join(tmpdir(), 'tillhook-login-'))
})
after(async () => {
  await killPrograms()
  await world?.close()
  await rm(home, { recursive: true, force: true, maxRetries: 3 })
})

const open = (work: Parameters<typeof withPage>[1], more: object = {}) =>
  withPage({ baseUrl: world.baseUrl, ...more }, work)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const newDeveloper = async () => {
  const { organizationId } = await world.developer('Lakeside')
  return newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
}

async function startLogin(): Promise<{ login: Program; link: string }> {
  const words = ['-c', PTY, process.execPath, MAIN, 'login', '--url', world.baseUrl]
  const settings = { HOME: home, XDG_CONFIG_HOME: '', TERM: 'xterm' }
  const login = startProgram('python3', words, { cwd: home, stdio: ['pipe', 'pipe', 'pipe'], settings })
  const link = await until(login, 'shows the link', WITHIN_MS, () => /http\S+\?code=\S+/.exec(login.stdout())?.[0])
  return { login, link }
}

/** The clock of the world stands still; each poll of the command line needs a later time than the poll before. */
async function endOf(login: Program): Promise<unknown> {
  const ticking = setInterval(() => world.clock.set(new Date(world.clock.now().getTime() + 1_000)), 200)
  try {
    return await login.ended()
  } finally {
    clearInterval(ticking)
  }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press(page, 'Sign in')
}

async function look(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  await expectAccessible(page)
  await expectReachable(page)
}

test('a developer opens the link, signs in, compares the code, approves, and the command line is logged in', async () => {
  const dora = await newDeveloper()
  const { login, link } = await startLogin()
  const code = new URL(link).searchParams.get('code') ?? ''
  assert.ok(login.stdout().includes(`Your code is ${code}`))
  await open(async page => {
    await page.goto(link)
    await signIn(page, dora.email)
    await page.getByText(code).first().waitFor()
    await page.getByText('Create keys of your apps').waitFor()
    await press(page, 'Approve for Lakeside')
    await page.getByRole('heading', { name: 'The command line is logged in' }).waitFor()
    assert.equal(await endOf(login), 0, login.stdout())
    assert.match(login.stdout(), /Logged in to http/)
    await page.goto('/account')
    const [row] = await page.getByRole('row').filter({ hasText: 'Command line' }).all()
    await row?.getByRole('button', { name: /^End/ }).click()
    await page.getByText('That session is ended').waitFor()
  })
  const { key } = JSON.parse(await readFile(join(home, '.config/tillhook/config.json'), 'utf8'))
  assert.match(key, /^ses_/)
  assert.equal((await world.ask(key, 'GET', '/apps')).status, 401)
})

test('a denied login ends with exit code 3, and a wrong code is explained', async () => {
  const dora = await newDeveloper()
  const { login, link } = await startLogin()
  await open(
    async (page, context) => {
      await context.addCookies([{ name: 'tillhook', value: dora.token, url: world.baseUrl }])
      await page.goto('/device')
      await page.getByLabel('Code', { exact: true }).fill('BBBB-BBBB')
      await press(page, 'Continue')
      await page.getByText('No login is waiting under this code.').first().waitFor()
      await page.getByLabel('Code', { exact: true }).fill(new URL(link).searchParams.get('code') ?? '')
      await press(page, 'Continue')
      await press(page, 'Deny')
      await page.getByRole('heading', { name: 'Login denied' }).waitFor()
    },
    { expected: /404/ },
  )
  assert.equal(await endOf(login), 3, login.stdout())
  assert.match(login.stdout(), /The login was denied/)
})

test('the pages are accessible, light and dark, on a phone and a desktop', async () => {
  const dora = await newDeveloper()
  const olga = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, olga)
  for (const viewport of ['phone', 'desktop'] as const) {
    await open(
      async (page, context) => {
        for (const [name, { token }] of Object.entries({ dora, olga })) {
          await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
          const { body } = await world.ask(null, 'POST', '/device-logins')
          for (const [title, path] of [
            ['ask', `/device?code=${body.userCode}`],
            ['enter', '/device?code=x'],
            ['approved', '/device?said=APPROVED'],
          ]) {
            await page.goto(String(path))
            await look(page, `device-${title}-${name}-${viewport}`)
          }
        }
      },
      { viewport, expected: /404/ },
    )
  }
})
