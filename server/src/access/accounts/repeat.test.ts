import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { TOTP } from 'otpauth'
import { inviteTo, newPerson, PASSWORD, type Person, signIn } from '../../../test/support/people.ts'
import { type Answer, createWorld, type Json, type World } from '../../../test/support/world.ts'
import { sendResetLinks } from './request-reset.ts'

const NEW_PASSWORD = 'another horse, another battery'
const FACTOR = '/users/current/second-factor'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

const workspace = async () =>
  ({ kind: 'MERCHANT', businessId: (await world.merchant({ card: 'none' })).businessId }) as const
const owner = async () => newPerson(world, await workspace(), 'OWNER')
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
const nextCode = () => world.clock.set(new Date(world.clock.now().getTime() + 30_000))

/** Sends the request and its repetition, as a caller does that lost the answer. Returns the answer once both are equal. */
async function twice(token: string | null, path: string, body: Json, expected: number): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() }
  const first = await world.ask(token, 'POST', path, { body, headers })
  assert.equal(first.status, expected, `${path}: ${first.text}`)
  const again = await world.ask(token, 'POST', path, { body, headers })
  const { status, text, headers: answered } = again
  assert.deepEqual([status, text, answered['idempotent-replayed']], [expected, first.text, 'true'], path)
  return first
}

async function withFactor({ token }: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await twice(token, FACTOR, { password: PASSWORD }, 201)).body
  const { recoveryCodes } = (await twice(token, `${FACTOR}/confirm`, { totp: codeOf(secret) }, 200)).body
  nextCode()
  return { secret, recoveryCodes }
}

test('a password change whose response was lost is applied once, and the repeat gets the same response', async () => {
  const ann = await owner()
  await world.mails()
  await twice(ann.token, '/users/current/password', { password: PASSWORD, newPassword: NEW_PASSWORD }, 204)
  assert.equal((await world.mails()).length, 1)
  await signIn(world, ann.email, { password: NEW_PASSWORD })
})

test('codes that are shown once are returned again for a repeat of the same request', async () => {
  const ann = await owner()
  const { secret, recoveryCodes } = await withFactor(ann)
  assert.equal(recoveryCodes.length, 10)
  const body = { password: PASSWORD, totp: codeOf(secret) }
  const renewed = (await twice(ann.token, `${FACTOR}/recovery-codes`, body, 201)).body.recoveryCodes
  nextCode()
  assert.notDeepEqual(renewed, recoveryCodes)
  await twice(ann.token, `${FACTOR}/remove`, { password: PASSWORD, recoveryCode: renewed[0] }, 204)
  assert.equal((await world.ask(ann.token, 'GET', '/users/current')).body.hasSecondFactor, false)
})

test('a second factor confirmed twice at once is confirmed once and counts no failed attempt', async () => {
  const { token } = await owner()
  const { secret } = (await world.ask(token, 'POST', FACTOR, { body: { password: PASSWORD } })).body
  const [body, headers] = [{ totp: codeOf(secret) }, { 'idempotency-key': randomUUID() }]
  const send = () => world.ask(token, 'POST', `${FACTOR}/confirm`, { body, headers })
  const responses = await Promise.all([send(), send(), send(), send()])
  const answered = await send()
  assert.equal(answered.status, 200, answered.text)
  for (const { status, text, body } of responses) {
    assert.ok(status === 200 ? text === answered.text : body.code === 'REQUEST_IN_PROGRESS', text)
  }
  const attempts = await world.app.ports.db.sql<{ attempts: number }[]>`
    select attempts from throttles where kind = 'second factor' and attempts > 0`
  assert.deepEqual([...attempts], [])
})

test('a wrong code counts once, and a repeat of the same request does not count again', async () => {
  const ann = await owner()
  await withFactor(ann)
  const attemptsOf = async () => {
    const rows = await world.app.ports.db.sql<{ attempts: number }[]>`
      select attempts from throttles where kind = 'second factor'`
    return rows.reduce((sum, { attempts }) => sum + attempts, 0)
  }
  const before = await attemptsOf()
  const wrong = await twice(ann.token, `${FACTOR}/remove`, { password: PASSWORD, recoveryCode: 'aaaa-bbbb' }, 409)
  assert.equal(wrong.body.code, 'SECOND_FACTOR_REJECTED')
  assert.equal(await attemptsOf(), before + 1)
})

test('a password reset is requested once and used once, with any number of repeated requests', async () => {
  const ann = await owner()
  await world.mails()
  await twice(null, '/password-resets', { email: ann.email }, 202)
  assert.equal(await sendResetLinks(world.app.ports), 1)
  const [mail, ...others] = await world.mails()
  assert.equal(others.length, 0)
  const secret = /secret=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  await twice(null, '/password-resets/complete', { secret, newPassword: NEW_PASSWORD }, 204)
  await signIn(world, ann.email, { password: NEW_PASSWORD })
  const late = await world.ask(null, 'POST', '/password-resets/complete', {
    ...{ body: { secret, newPassword: NEW_PASSWORD }, headers: { 'idempotency-key': randomUUID() } },
  })
  assert.equal(late.body.code, 'PASSWORD_RESET_NOT_FOUND')
})

test('an invitation whose acceptance got no response is accepted', async () => {
  const { secret } = await inviteTo(world, await workspace(), 'OWNER')
  const { body } = await twice(null, '/memberships', { secret, name: 'Ann', password: PASSWORD }, 201)
  assert.match(body.membershipId, /^[0-9a-f-]{36}$/)
})

test('the stored data of such a request contains neither its password nor a guessable hash', async () => {
  const ann = await owner()
  const body = { password: PASSWORD, newPassword: NEW_PASSWORD }
  await twice(ann.token, '/users/current/password', body, 204)
  const rows = await world.app.ports.db.sql<{ bodyHash: Buffer; answer: Buffer }[]>`
    select body_hash as "bodyHash", answer from idempotency_keys`
  const plain = createHash('sha256').update(JSON.stringify(body)).digest()
  assert.ok(rows.length > 0)
  for (const { bodyHash, answer } of rows) {
    assert.ok(!bodyHash.equals(plain) && !answer.includes('horse'))
  }
})
