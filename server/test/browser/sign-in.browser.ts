import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Workspace } from '../../src/core/membership.ts'
import {
  codeOf,
  inviteTo,
  newEmail,
  newPerson,
  PASSWORD,
  proveSecondFactor,
  secretFor,
  signIn,
} from '../support/people.ts'
import { OPERATOR_KEY } from '../support/world.ts'
import { openFromMenu, screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

const NEW_PASSWORD = 'another horse, another battery'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

const shop = async (): Promise<Workspace> => ({
  kind: 'MERCHANT',
  businessId: (await world.merchant({ card: 'none' })).businessId,
})
const open = (work: Parameters<typeof withPage>[1], more: object = {}) =>
  withPage({ baseUrl: world.baseUrl, ...more }, work)
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

async function enter(page: Page, email: string, password = PASSWORD): Promise<void> {
  await fill(page, 'E-mail', email)
  await fill(page, 'Password', password)
  await press(page, 'Sign in')
}

/** Everybody can use it: by eye in two themes, by keyboard, by ear. */
async function look(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  await expectAccessible(page)
  await expectReachable(page)
}

for (const viewport of ['phone', 'desktop'] as const) {
  test(`the first operator and a developer sign up by themselves, on a ${viewport}`, async t => {
    const fresh = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
    t.after(() => fresh.close())
    await withPage({ baseUrl: fresh.baseUrl, viewport }, async page => {
      await page.goto('/setup')
      await look(page, `setup-${viewport}`)
      await fill(page, 'Operator key', OPERATOR_KEY)
      await fill(page, 'Your name', 'Olga Op')
      await fill(page, 'E-mail', 'olga@op.example')
      await fill(page, 'Choose a password', PASSWORD)
      await press(page, 'Create the account')
      await page.getByRole('heading', { name: 'Account' }).waitFor()
      await page.goto('/setup')
      await page.getByRole('heading', { name: 'Tillhook is set up' }).waitFor()
    })
    await withPage({ baseUrl: fresh.baseUrl, viewport }, async page => {
      await page.goto('/sign-in')
      await page.getByRole('link', { name: 'Create a developer account' }).click()
      await look(page, `join-${viewport}`)
      await fill(page, 'Company', 'Lakeside Apps')
      await fill(page, 'E-mail', 'dora@lakeside.example')
      await press(page, 'Send me a link')
      await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
      await page.goto(`/join/confirm?secret=${await secretFor(fresh, 'dora@lakeside.example')}`)
      await look(page, `join-confirm-${viewport}`)
      await fill(page, 'Your name', 'Dora Dev')
      await fill(page, 'Choose a password', PASSWORD)
      await press(page, 'Create the account')
      await page.getByText('From the first app to the first subscriber').waitFor()
    })
  })
}

for (const script of [true, false]) {
  test(`from invitation to account and sign-out, ${script ? 'with' : 'without'} script`, () =>
    open(
      async page => {
        const { email, secret } = await inviteTo(world, await shop(), 'OWNER')
        await page.goto(`/invitations/accept?secret=${secret}`)
        if (script) await look(page, 'invitation')
        await fill(page, 'Your name', 'Ann Baker')
        await fill(page, 'Choose a password', 'short')
        await press(page, 'Join')
        await page.getByText('Use at least 12 characters.').first().waitFor()
        await fill(page, 'Choose a password', PASSWORD)
        await press(page, 'Join')
        await page.getByText('Welcome. Sign in to begin.').waitFor()
        await enter(page, email, 'not the password')
        await page.getByText('Incorrect e-mail address').first().waitFor()
        await enter(page, email)
        await page.getByRole('heading', { name: 'No subscriptions' }).waitFor()
        assert.equal(pathOf(page), '/my/subscriptions')
        assert.equal(await page.getByText('Corner Shop').first().isVisible(), true)
        await page.getByRole('link', { name: 'Account' }).click()
        await page.getByRole('heading', { name: 'Your account' }).waitFor()
        await page.getByRole('link', { name: 'Subscriptions', exact: true }).click()
        await page.getByRole('heading', { name: 'No subscriptions' }).waitFor()
        await page.locator('.who summary').click()
        await press(page, 'Sign out')
        await page.getByText('You are signed out').waitFor()
        await page.goBack()
        await page.goto('/account')
        assert.equal(pathOf(page), '/sign-in?next=%2Faccount')
        await page.goto(`/invitations/accept?secret=${secret}`)
        await page.getByRole('heading', { name: 'This invitation is not valid' }).waitFor()
      },
      { script },
    ))
}

test('a second factor is set up from a QR code, required at the sign-in, and removed', () =>
  open(async page => {
    const ann = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
    await page.goto('/sign-in')
    await enter(page, ann.email)
    await page.getByText('Set up two-step sign-in first').waitFor()
    await page.getByRole('link', { name: 'Set up two-step sign-in' }).click()
    await look(page, 'second-factor-begin')
    await fill(page, 'Your password', 'a guess')
    await press(page, 'Continue')
    await page.getByText('This is not your password.').first().waitFor()
    await fill(page, 'Your password', PASSWORD)
    await press(page, 'Continue')
    await look(page, 'second-factor-scan')
    const secret = (await page.locator('#secret').innerText()).replaceAll(' ', '')
    await fill(page, 'The six digits that it shows now', '000000')
    await press(page, 'Confirm')
    await page.getByText('This code is incorrect').first().waitFor()
    await fill(page, 'The six digits that it shows now', codeOf(secret, world.clock.now()))
    await press(page, 'Confirm')
    await look(page, 'second-factor-codes')
    const [recoveryCode = ''] = (await page.locator('#codes').innerText()).split(/\s+/)
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await page.locator('.who summary').click()
    await press(page, 'Sign out')

    await enter(page, ann.email)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await look(page, 'sign-in-code')
    await fill(page, 'Code', codeOf(secret, world.clock.now()))
    await press(page, 'Sign in')
    await page.getByText('was used already').first().waitFor()
    await fill(page, 'Code', recoveryCode.toLowerCase())
    await press(page, 'Sign in')
    await openFromMenu(page, 'Account')
    await page.getByText('9 recovery codes are left').waitFor()
    await look(page, 'account-mfa-verified')
    await page.goto('/account/second-factor')
    await look(page, 'second-factor-manage')
    await page.getByRole('link', { name: 'Turn off two-step sign-in' }).click()
    await look(page, 'second-factor-remove')
    await fill(page, 'Your password', PASSWORD)
    await fill(page, 'A code', codeOf(secret, world.clock.now(), 1))
    await press(page, 'Turn it off')
    await page.getByText('Two-step sign-in is off').waitFor()
  }))

test('a forgotten password is replaced by a link from the mailbox', () =>
  open(async page => {
    const { email } = await newPerson(world, await shop(), 'OWNER')
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await fill(page, 'E-mail', email)
    await press(page, 'Send me a link')
    await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
    await look(page, 'reset-sent')
    await page.goto(`/reset-password/new?secret=${await secretFor(world, email)}`)
    await look(page, 'reset-new')
    await fill(page, 'New password', NEW_PASSWORD)
    await press(page, 'Set the password')
    await page.getByText('Your new password is set').waitFor()
    await enter(page, email, NEW_PASSWORD)
    await page.getByRole('heading', { name: 'Subscriptions', exact: true }).waitFor()
  }))

test('name, password and sessions are changed on the account, and a session ended elsewhere leads to sign-in', () =>
  open(async page => {
    const { email } = await newPerson(world, await shop(), 'OWNER')
    await page.goto('/account')
    await enter(page, email)
    await fill(page, 'Your name', 'Ann <b>Miller</b>')
    await press(page, 'Save the name')
    await page.getByText('Your name is changed').waitFor()
    assert.equal(await page.getByText('Ann <b>Miller</b>').first().isVisible(), true)
    await page.getByRole('button', { name: /^End/ }).first().click()
    await page.getByText('That session is ended').waitFor()
    await fill(page, 'Current password', PASSWORD)
    await fill(page, 'New password', NEW_PASSWORD)
    await press(page, 'Change the password')
    await page.getByText('Your password is changed').waitFor()

    const { token } = await signIn(world, email, { password: NEW_PASSWORD })
    const { list } = (await world.ask(token, 'GET', '/sessions')).body
    const other = list.find((one: { isCurrent: boolean }) => !one.isCurrent)
    await world.ask(token, 'DELETE', `/sessions/${other.sessionId}`)
    await fill(page, 'Your name', 'Ann Half Way')
    await press(page, 'Save the name')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal((await signIn(world, email, { password: NEW_PASSWORD })).user.name, 'Ann <b>Miller</b>')
  }))

for (const script of [true, false]) {
  test(`people are invited, given a role and removed, ${script ? 'with' : 'without'} script`, () =>
    open(
      async (page, context) => {
        const workspace = await shop()
        const { token } = await newPerson(world, workspace, 'OWNER')
        await newPerson(world, workspace, 'MANAGER', { name: 'Bob' })
        await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
        await page.goto('/my')
        await openFromMenu(page, 'People')
        await page.getByText('The last administrator cannot be removed').waitFor()
        await page.getByRole('link', { name: 'Invite a member' }).click()
        if (script) await look(page, 'people-invite')
        await fill(page, 'E-mail', 'nobody')
        await press(page, 'Send the invitation')
        await page.getByText('Enter an e-mail address.').first().waitFor()
        const email = newEmail()
        await fill(page, 'E-mail', email)
        await page.getByLabel('Manager').check()
        await press(page, 'Send the invitation')
        await page.getByText('Invitation sent').waitFor()
        await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).click()
        await page.getByText('Invitation revoked').waitFor()
        await page.getByRole('link', { name: 'Change role of Bob' }).click()
        if (script) await look(page, 'people-role')
        await page.getByLabel('Viewer').check()
        await press(page, 'Change the role')
        await page.getByText('Role changed').waitFor()
        await page.getByRole('link', { name: 'Remove Bob' }).click()
        if (script) await look(page, 'people-remove')
        await press(page, 'Remove')
        await page.getByText('Member removed').waitFor()
        assert.equal(await page.getByText('Bob').count(), 0)
      },
      { script, viewport: script ? 'phone' : 'desktop' },
    ))
}

test('a person with several workspaces chooses one and continues to the requested page', () =>
  open(async page => {
    const email = newEmail()
    await newPerson(world, await shop(), 'OWNER', { email })
    const { organizationId } = await world.developer('Lakeside')
    const { secret } = await inviteTo(world, { kind: 'DEVELOPER', organizationId }, 'MEMBER', { email })
    await page.goto(`/invitations/accept?secret=${secret}`)
    await page.getByText('You have an account with this address').waitFor()
    await look(page, 'invitation-known')
    await fill(page, 'Password', PASSWORD)
    await press(page, 'Join')
    await page.goto('/account/second-factor')
    await enter(page, email)
    await page.getByRole('heading', { name: 'Where do you want to work?' }).waitFor()
    await look(page, 'choose-workspace')
    await page.getByLabel('Lakeside').check()
    await press(page, 'Continue')
    await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor()
    assert.equal(await page.getByText('Lakeside').first().isVisible(), true)
  }))

for (const next of [
  ...['//evil.example', '/\\evil.example', '%2f%2fevil.example', 'http://evil.example', 'https:evil.example'],
  ...['/%09/evil.example', '/.//evil.example', 'javascript:alert(1)', '\t//evil.example', '/sign-out'],
]) {
  test(`signing in leads to a page of our own, not to ${JSON.stringify(next)}`, () =>
    open(
      async page => {
        const { email } = await newPerson(world, await shop(), 'OWNER')
        await page.goto(`/sign-in?next=${next.startsWith('%') ? next : encodeURIComponent(next)}`)
        await enter(page, email)
        await page.waitForURL(url => url.pathname !== '/sign-in')
        assert.equal(new URL(page.url()).origin, world.baseUrl)
        assert.ok(!page.url().includes('evil') || pathOf(page).startsWith('/%09/'), page.url())
      },
      { expected: /404/ },
    ))
}

test('every page of the sign-in is accessible, light and dark, on a phone and a desktop', async () => {
  const workspace = await shop()
  const { token } = await newPerson(world, workspace, 'OWNER')
  await proveSecondFactor(world, { token })
  await newPerson(world, workspace, 'MANAGER', { name: 'Bartholomew Featherstonehaugh-Cholmondeley' })
  await inviteTo(world, workspace, 'VIEWER', { email: `${'a-very-long-mailbox-'.repeat(3)}@corner.example` })
  for (const viewport of ['phone', 'desktop'] as const) {
    await open(
      async (page, context) => {
        for (const path of ['/sign-in', '/reset-password', '/reset-password/new?secret=x', '/invitations/accept']) {
          await page.goto(path)
          await look(page, `${path.replaceAll(/\W+/g, '-').slice(1)}-${viewport}`)
        }
        await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
        for (const path of ['/account', '/account/second-factor', '/people']) {
          await page.goto(path)
          await look(page, `${path.replaceAll(/\W+/g, '-').slice(1)}-${viewport}`)
        }
      },
      { viewport },
    )
  }
})
