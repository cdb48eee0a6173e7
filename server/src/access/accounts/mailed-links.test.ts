import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inviteTo, newEmail, newPerson, PASSWORD, secretFor, trySignIn } from '../../../test/support/people.ts'
import { fieldsOf, newVisitor } from '../../../test/support/visitor.ts'
import { createWorld, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const NEW_PASSWORD = 'another horse, another battery'

async function shop() {
  return { kind: 'MERCHANT', businessId: (await world.merchant({ card: 'none' })).businessId } as const
}

async function invited() {
  const { secret, email } = await inviteTo(world, await shop(), 'MANAGER')
  return { path: '/invitations/accept', secret, email, entered: { name: 'Ann Baker', password: NEW_PASSWORD } }
}

async function forgetful() {
  const { email } = await newPerson(world, await shop(), 'OWNER')
  assert.equal((await world.ask(null, 'POST', '/password-resets', { body: { email } })).status, 202)
  const secret = await secretFor(world, email)
  return { path: '/reset-password/new', secret, email, entered: { newPassword: NEW_PASSWORD } }
}

for (const [name, mailed] of Object.entries({ 'an invitation': invited, 'a new password': forgetful })) {
  test(`the secret of a link to ${name} moves from the address to a cookie of that page, and works from there`, async () => {
    const { path, secret, email, entered } = await mailed()
    const browser = newVisitor(world.app)
    const opened = await browser.get(`${path}?secret=${secret}`)
    assert.deepEqual([opened.statusCode, opened.headers.location], [303, path])
    const cookie = `tillhook-link=${secret}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=3600`
    assert.equal(opened.headers['set-cookie'], cookie)
    const shown = await browser.get(path)
    assert.equal(shown.statusCode, 200)
    const sent = await browser.post(path, { ...fieldsOf(shown.body, path), ...entered })
    assert.equal(sent.statusCode, 303, sent.body)
    assert.ok(
      [sent.headers['set-cookie']].flat().includes(`tillhook-link=; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=0`),
    )
    assert.equal((await trySignIn(world, email, { password: NEW_PASSWORD })).status, 201)
    // Used: neither the cookie nor the address opens anything.
    for (const url of [path, `${path}?secret=${secret}`]) assert.equal((await browser.get(url)).statusCode, 404, url)
  })

  test(`a wrong or missing secret in a link to ${name} sets no cookie and shows nothing`, async () => {
    const { path, secret } = await mailed()
    for (const url of [path, `${path}?secret=`, `${path}?secret=${secret}x`, `${path}?secret=%3B%20Path%3D/`]) {
      const { statusCode, headers, body } = await newVisitor(world.app).get(url)
      assert.deepEqual([statusCode, headers['set-cookie']], [404, undefined], url)
      assert.ok(!body.includes(secret))
    }
    const long = await newVisitor(world.app).get(`${path}?secret=${'x'.repeat(300)}`)
    assert.equal(long.statusCode, 400)
  })
}

test('with two links in two windows each form belongs to its own link', async () => {
  const browser = newVisitor(world.app)
  const email = newEmail()
  const [first, second] = [await inviteTo(world, await shop(), 'OWNER', { email }), await invited()]
  await browser.get(`/invitations/accept?secret=${first.secret}`)
  const shown = await browser.get('/invitations/accept')
  await browser.get(`/invitations/accept?secret=${second.secret}`)
  const fields = { ...fieldsOf(shown.body, '/invitations/accept'), name: 'Ann Baker', password: PASSWORD }
  assert.equal((await browser.post('/invitations/accept', fields)).statusCode, 303)
  assert.equal((await trySignIn(world, email)).status, 201)
  assert.equal((await trySignIn(world, second.email)).status, 400)
})

test('the mails about a password are in the language of the pages that caused them', async () => {
  const german = { 'accept-language': 'de' }
  const { email } = await newPerson(world, await shop(), 'OWNER')
  const browser = newVisitor(world.app)
  const asking = await browser.get('/reset-password', german)
  await browser.post('/reset-password', { ...fieldsOf(asking.body, ''), email }, german)
  const [asked] = (await world.mails()).filter(({ to }) => to === email)
  assert.equal(asked?.subject, 'Neues Passwort wählen')
  const [, secret] = /secret=(\S+)/.exec(asked?.text ?? '') ?? []
  await browser.get(`/reset-password/new?secret=${secret}`, german)
  const opened = await browser.get('/reset-password/new', german)
  const fields = { ...fieldsOf(opened.body, '/reset-password/new'), newPassword: NEW_PASSWORD }
  await browser.post('/reset-password/new', fields, german)
  const [changed] = (await world.mails()).filter(({ to }) => to === email)
  assert.equal(changed?.subject, 'Ihr Passwort wurde geändert')
})
