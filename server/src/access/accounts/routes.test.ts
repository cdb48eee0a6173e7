import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TOTP } from 'otpauth'
import {
  anyAddress,
  newEmail,
  newPerson,
  PASSWORD,
  type Person,
  secretFor,
  signIn,
  trySignIn as trySignInFrom,
} from '../../../test/support/people.ts'
import { untilWaiting } from '../../../test/support/waiting.ts'
import { type Answer, createWorld, type Json, type World } from '../../../test/support/world.ts'
import { completed, type Db, type Sql } from '../../platform/db/db.ts'
import { proveAsking, sendResetLinks } from './request-reset.ts'

const NEW_PASSWORD = 'another horse, another battery'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

const pass = (ms: number) => world.clock.set(new Date(world.clock.now().getTime() + ms))
const owner = async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  return newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
}
const post = (token: string | null, path: string, body: Json) =>
  world.ask(token, 'POST', path, { body, from: anyAddress() })
const trySignIn = (of: World, email: string, more: Json = {}) => trySignInFrom(of, email, more, anyAddress())
const codeOf = (secret: string, offSteps = 0) =>
  new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() + offSteps * 30_000 })
const isSignedIn = async (token: string) => (await world.ask(token, 'GET', '/sessions/current')).status === 200

/** With a confirmed second factor. */
async function withFactor(person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { body } = await post(person.token, '/users/current/second-factor', { password: PASSWORD })
  const confirmed = await post(person.token, '/users/current/second-factor/confirm', { totp: codeOf(body.secret) })
  assert.equal(confirmed.status, 200, confirmed.text)
  pass(30_000)
  return { secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes }
}

test('the account is shown, and its name can be changed', async () => {
  const ann = await owner()
  const changed = await world.ask(ann.token, 'PATCH', '/users/current', { body: { name: 'Ann Miller' } })
  assert.deepEqual(changed.body, {
    ...{ userId: ann.userId, email: ann.email, name: 'Ann Miller', hasSecondFactor: false, recoveryCodesLeft: 0 },
  })
  assert.deepEqual((await world.ask(ann.token, 'GET', '/users/current')).body, changed.body)
})

test('a new password needs the old one, ends the other sessions, and is reported by mail', async () => {
  const ann = await owner()
  const other = await signIn(world, ann.email)
  const path = '/users/current/password'
  const wrong = await post(ann.token, path, { password: 'not the password', newPassword: NEW_PASSWORD })
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'INVALID_CREDENTIALS'])
  assert.equal(
    (await post(ann.token, path, { password: PASSWORD, newPassword: 'short' })).body.fields[0].path,
    'newPassword',
  )
  await world.mails()
  assert.equal((await post(ann.token, path, { password: PASSWORD, newPassword: NEW_PASSWORD })).status, 204)
  assert.deepEqual([await isSignedIn(ann.token), await isSignedIn(other.token)], [true, false])
  assert.deepEqual(
    (await world.mails()).map(({ to, subject }) => [to, subject]),
    [[ann.email, 'Your password was changed']],
  )
  assert.equal((await trySignIn(world, ann.email)).status, 400)
  await signIn(world, ann.email, { password: NEW_PASSWORD })
})

/** Runs `call` against a transaction of another process that wrote a password, and commits once the call waits. */
async function whilePasswordChanges({ userId }: Person, call: () => Promise<Answer>): Promise<Answer> {
  const { db } = world.app.ports
  const { calling } = await db.transaction(async ({ sql }) => {
    await sql`update users set password_hash = 'of another password' where user_id = ${userId}`
    const calling = call()
    await untilWaiting(db.sql, 1)
    return { calling }
  })
  return calling
}

test('a sign-in or change with a password that is concurrently replaced is rejected', async () => {
  const ann = await owner()
  const signedIn = await whilePasswordChanges(ann, () => trySignIn(world, ann.email))
  assert.deepEqual([signedIn.status, signedIn.body.code], [400, 'INVALID_CREDENTIALS'])

  const bob = await owner()
  const body = { password: PASSWORD, newPassword: NEW_PASSWORD }
  const changed = await whilePasswordChanges(bob, () => post(bob.token, '/users/current/password', body))
  assert.deepEqual([changed.status, changed.body.code], [400, 'INVALID_CREDENTIALS'])
  assert.equal((await trySignIn(world, bob.email, { password: NEW_PASSWORD })).status, 400)
})

test('guesses of the password with a stolen session are throttled like others', async () => {
  const ann = await owner()
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    statuses.push(
      (await post(ann.token, '/users/current/password', { password: 'guess', newPassword: NEW_PASSWORD })).status,
    )
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429])
})

test('a password reset link works once, ends every session, and removes the throttle of the owner', async () => {
  const ann = await owner()
  for (let i = 0; i < 6; i++) await trySignIn(world, ann.email, { password: 'a guess' })
  assert.equal((await post(null, '/password-resets', { email: ann.email.toUpperCase() })).status, 202)
  const secret = await secretFor(world, ann.email)
  const complete = (more: Json = {}) =>
    post(null, '/password-resets/complete', { secret, newPassword: NEW_PASSWORD, ...more })
  assert.equal((await complete({ newPassword: '123456789012' })).body.fields[0].path, 'newPassword')
  const answers = await Promise.all([complete(), complete()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404])
  assert.equal((await complete()).body.code, 'PASSWORD_RESET_NOT_FOUND')
  assert.equal(await isSignedIn(ann.token), false)
  await signIn(world, ann.email, { password: NEW_PASSWORD })
})

test('a request for a link gets the same response with and without an account', async () => {
  const ann = await owner()
  await world.mails()
  const [known, unknown] = [
    await post(null, '/password-resets', { email: ann.email }),
    await post(null, '/password-resets', { email: newEmail() }),
  ]
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
  assert.deepEqual(
    (await world.mails()).map(({ to }) => to),
    [ann.email],
  )
})

/** Collects the statements sent, without values. */
function watched(db: Db, sent: string[]): Db {
  const watch = (sql: Sql) =>
    new Proxy(sql, {
      apply: (target, self, [text, ...values]: [TemplateStringsArray, ...unknown[]]) => {
        sent.push(text.join('?'))
        return Reflect.apply(target, self, [text, ...values])
      },
    })
  return { sql: watch(db.sql), transaction: work => db.transaction(tx => work({ ...tx, sql: watch(tx.sql) })) }
}

test('a request for a link sends the same statements with and without an account', async () => {
  const ann = await owner()
  const { ports } = world.app
  const asked = async (email: string) => {
    const sent: string[] = []
    const db = watched(ports.db, sent)
    assert.equal(await completed(db, proveAsking({ ...ports, db }, { email, address: '10.1.1.1' })), 'asked')
    return sent
  }
  const [known, unknown] = [await asked(ann.email), await asked(newEmail())]
  assert.deepEqual(known, unknown)
  assert.ok(known.some(text => text.includes('password_reset_requests')))
  assert.ok(!known.some(text => text.includes('users')))
})

test('two processes send each link once, and a process that dies before the commit loses none', async () => {
  const ann = await owner()
  await world.mails()
  const other = await world.openAnother()
  for (let i = 0; i < 3; i++) await post(null, '/password-resets', { email: ann.email })
  const { ports } = world.app
  const failing = { ...ports, newId: () => assert.fail('it dies') }
  await assert.rejects(sendResetLinks(failing), /it dies/)
  await Promise.all([world.app.jobs.resetRequests.runOnce(), other.jobs.resetRequests.runOnce()])
  const mails = await world.mails()
  assert.equal(new Set(mails.map(({ text }) => /secret=([\w-]+)/.exec(text)?.[1])).size, 3)
  assert.equal(mails.length, 3)
  const [row] = await ports.db.sql<{ count: number }[]>`select count(*) as count from password_reset_requests`
  assert.equal(row?.count, 0)
})

test('the number of links to one mailbox is limited', async () => {
  const ann = await owner()
  const statuses: number[] = []
  for (let i = 0; i < 7; i++) statuses.push((await post(null, '/password-resets', { email: ann.email })).status)
  assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429, 429])
  assert.equal((await world.mails()).filter(({ to }) => to === ann.email).length, 5)
})

test('an expired or foreign link, and a link older than a used one, sets no password', async () => {
  const ann = await owner()
  await post(null, '/password-resets', { email: ann.email })
  const first = await secretFor(world, ann.email)
  await post(null, '/password-resets', { email: ann.email })
  const second = await secretFor(world, ann.email)
  const complete = (secret: string) => post(null, '/password-resets/complete', { secret, newPassword: NEW_PASSWORD })
  assert.equal((await complete(second)).status, 204)
  await post(null, '/password-resets', { email: ann.email })
  const third = await secretFor(world, ann.email)
  pass(3_600_000)
  for (const secret of [first, second, third, 'made-up']) assert.equal((await complete(secret)).status, 404)
  pass(32 * 86_400_000)
  assert.ok((await world.app.jobs.passwordResets.runOnce()) > 0)
})

test('a second factor is active after a correct code, and the sign-in then asks for a code', async () => {
  const ann = await owner()
  const made = await post(ann.token, '/users/current/second-factor', { password: PASSWORD })
  assert.equal(made.status, 201)
  assert.match(made.body.otpauthUri, /^otpauth:\/\/totp\/Tillhook:ann\..*issuer=Tillhook&secret=[A-Z2-7]{32}/)
  assert.match(made.body.qrCode, /^<svg /)
  await signIn(world, ann.email)
  const confirm = (totp: string) => post(ann.token, '/users/current/second-factor/confirm', { totp })
  assert.equal((await confirm('000000')).body.code, 'SECOND_FACTOR_REJECTED')
  const { body } = await confirm(codeOf(made.body.secret))
  assert.equal(new Set(body.recoveryCodes).size, 10)
  assert.equal((await confirm(codeOf(made.body.secret, 1))).body.code, 'SECOND_FACTOR_EXISTS')
  const again = await post(ann.token, '/users/current/second-factor', { password: PASSWORD })
  assert.equal(again.body.code, 'SECOND_FACTOR_EXISTS')

  pass(30_000)
  const without = await trySignIn(world, ann.email)
  assert.deepEqual([without.status, without.body.code], [409, 'SECOND_FACTOR_REQUIRED'])
  assert.equal((await trySignIn(world, ann.email, { password: 'a guess' })).body.code, 'INVALID_CREDENTIALS')
  assert.equal((await signIn(world, ann.email, { totp: codeOf(made.body.secret) })).isMfaVerified, true)
})

test('a code works once, earlier codes no longer work, and codes of another time do not work', async () => {
  const ann = await owner()
  const { secret } = await withFactor(ann)
  const ask = async (totp: string) => (await trySignIn(world, ann.email, { totp })).status
  const current = codeOf(secret)
  assert.deepEqual([await ask(current), await ask(current), await ask(codeOf(secret, -1))], [201, 400, 400])
  pass(60_000)
  assert.deepEqual(
    [await ask(codeOf(secret, 2)), await ask(codeOf(secret, -2)), await ask(codeOf(secret, 1))],
    [400, 400, 201],
  )
})

test('if two concurrent sign-ins use one code or recovery code, one succeeds', async () => {
  const ann = await owner()
  const { secret, recoveryCodes } = await withFactor(ann)
  for (const more of [{ totp: codeOf(secret) }, { recoveryCode: recoveryCodes[0]?.toLowerCase() }]) {
    const answers = await Promise.all([1, 2, 3].map(() => trySignIn(world, ann.email, more)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
  }
  assert.equal((await world.ask(ann.token, 'GET', '/users/current')).body.recoveryCodesLeft, 9)
})

test('guesses of codes are throttled like passwords, also with the right password', async () => {
  const ann = await owner()
  await withFactor(ann)
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    await trySignIn(world, ann.email)
    statuses.push((await trySignIn(world, ann.email, { totp: '000000' })).status)
  }
  assert.equal(statuses.at(-1), 429)
  const removals: number[] = []
  for (let i = 0; i < 7; i++) {
    pass(15 * 60_000)
    const body = { password: PASSWORD, recoveryCode: 'AAAA-AAAA-AAAA-AAAA' }
    removals.push((await post(ann.token, '/users/current/second-factor/remove', body)).status)
  }
  assert.deepEqual(new Set(removals), new Set([409]))
})

test('repeated password resets give a thief of the mailbox no more attempts of codes', async () => {
  const ann = await owner()
  await withFactor(ann)
  const guess = async (password: string) => (await trySignIn(world, ann.email, { password, totp: '000000' })).status
  for (let i = 0; i < 5; i++) assert.equal(await guess(PASSWORD), 400)
  await post(null, '/password-resets', { email: ann.email })
  const secret = await secretFor(world, ann.email)
  assert.equal((await post(null, '/password-resets/complete', { secret, newPassword: NEW_PASSWORD })).status, 204)
  assert.equal(await guess(NEW_PASSWORD), 429)
})

test('renewing recovery codes and removing the factor need password and code', async () => {
  const ann = await owner()
  const { secret, recoveryCodes } = await withFactor(ann)
  const [renew, remove] = ['recovery-codes', 'remove'].map(name => `/users/current/second-factor/${name}`)
  for (const path of [renew, remove]) {
    const guess = { password: 'a guess', totp: codeOf(secret) }
    assert.equal((await post(ann.token, path ?? '', guess)).body.code, 'INVALID_CREDENTIALS')
    assert.equal((await post(ann.token, path ?? '', { password: PASSWORD })).body.code, 'SECOND_FACTOR_REJECTED')
  }
  const renewed = await post(ann.token, renew ?? '', { password: PASSWORD, totp: codeOf(secret) })
  assert.equal(renewed.status, 201)
  assert.equal((await trySignIn(world, ann.email, { recoveryCode: recoveryCodes[1] })).status, 400)
  const body = { password: PASSWORD, recoveryCode: renewed.body.recoveryCodes[0] }
  assert.equal((await post(ann.token, remove ?? '', body)).status, 204)
  assert.equal((await post(ann.token, remove ?? '', body)).body.code, 'SECOND_FACTOR_MISSING')
  await signIn(world, ann.email)
})

test('an operator can only set up a second factor until a code was correct', async () => {
  const ann = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  const statusOf = async () => (await world.ask(ann.token, 'GET', '/audit')).status
  assert.equal(await statusOf(), 403)
  const { secret } = await withFactor(ann)
  assert.equal(await statusOf(), 200)
  const later = await signIn(world, ann.email, { totp: codeOf(secret) })
  assert.equal((await world.ask(later.token, 'GET', '/audit')).status, 200)
  pass(30_000)
  const body = { password: PASSWORD, totp: codeOf(secret) }
  assert.equal((await post(ann.token, '/users/current/second-factor/remove', body)).status, 204)
  assert.deepEqual([await statusOf(), (await world.ask(later.token, 'GET', '/audit')).status], [403, 403])
})

test('the secret of a second factor is stored sealed', async () => {
  const { secret, recoveryCodes } = await withFactor(await owner())
  const rows = await world.app.ports.db.sql<{ text: string }[]>`
    select encode(secret, 'escape') as text from second_factors
    union all select encode(code_hash, 'escape') from recovery_codes`
  assert.ok(rows.length > 10)
  for (const { text } of rows) assert.ok(!text.includes(secret) && !recoveryCodes.some(code => text.includes(code)))
})
