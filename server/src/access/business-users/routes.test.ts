import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { activatedTerminal, installApp, type Terminal, terminalToken } from '../../../test/support/terminals.ts'
import { type Answer, createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { verifyPassword } from '../../platform/vault/password.ts'
import { createVault } from '../../platform/vault/vault.ts'
import { verifyPasscode } from './passcode.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world.close())

interface Shop {
  readonly businessId: string
  readonly terminal: Terminal
  readonly token: string
}

async function newShop(): Promise<Shop> {
  const { businessId } = await world.merchant({ card: 'none' })
  const terminal = await activatedTerminal(world, businessId)
  const token = await terminalToken(world, terminal)
  await installApp(world, token, 'com.example.stories0')
  return { businessId, terminal, token }
}

const KIM = { userId: 'kim', passcode: '2468', name: 'Kim', role: 'CLERK' }

const add = (businessId: string, user: Json = KIM, expected = 201) =>
  world.call('POST', `/businesses/${businessId}/users`, user, expected)

const change = (businessId: string, id: string, changes: Json, expected = 200) =>
  world.call('PATCH', `/businesses/${businessId}/users/${id}`, changes, expected)

const signIn = (token: string, userId = KIM.userId, passcode = KIM.passcode): Promise<Answer> =>
  world.ask(token, 'POST', '/terminal/sessions', { body: { userId, passcode } })

/** Reads something with a session. */
const read = (token: string, sessionToken: string) =>
  world.ask(token, 'GET', `/terminal/apps/com.example.stories0/plans`, {
    headers: { 'service-user-session': sessionToken },
  })

async function minutesLater<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  const before = world.clock.now()
  world.clock.set(new Date(before.getTime() + minutes * 60_000))
  try {
    return await work()
  } finally {
    world.clock.set(before)
  }
}

test('a user is created, listed, changed and removed, and the passcode is never returned', async () => {
  const { businessId } = await newShop()
  const made = await add(businessId)
  const { businessUserId, ...rest } = made
  const at = '2026-03-01T10:00:00Z'
  const shown = {
    businessId,
    userId: 'kim',
    name: 'Kim',
    role: 'CLERK',
    status: 'ACTIVE',
    createdAt: at,
    updatedAt: at,
  }
  assert.deepEqual(rest, shown)
  const path = `/businesses/${businessId}/users`
  assert.deepEqual(await world.call('GET', path), { list: [made], start: 0, total: 1, count: 1 })
  const changed = await change(businessId, businessUserId, { role: 'MANAGER', name: 'Kim B.' })
  assert.deepEqual(changed, { ...made, role: 'MANAGER', name: 'Kim B.' })
  const entries = await world.ask(OPERATOR_KEY, 'GET', `/audit?resourceId=${businessUserId}`)
  assert.equal(entries.body.entries.length, 2)
  assert.doesNotMatch(entries.text, /2468|argon2|passcode/)
  await world.call('DELETE', `${path}/${businessUserId}`, undefined, 204)
  assert.equal((await world.call('DELETE', `${path}/${businessUserId}`, undefined, 404)).code, 'USER_NOT_FOUND')
  assert.equal((await world.call('GET', path)).total, 0)
})

test('a user id is unique in a business, ignoring case, also with concurrent requests', async () => {
  const [{ businessId }, elsewhere] = [await newShop(), await newShop()]
  const both = await Promise.all(
    [KIM, { ...KIM, userId: 'KIM' }].map(body =>
      world.ask(OPERATOR_KEY, 'POST', `/businesses/${businessId}/users`, { body }),
    ),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  assert.equal((await add(businessId, KIM, 409)).code, 'USER_ID_TAKEN')
  await add(elsewhere.businessId)
})

const wrong: [string, Json][] = [
  ['userId', { userId: 'with space' }],
  ['userId', { userId: '' }],
  ['userId', { userId: 'x'.repeat(65) }],
  ['passcode', { passcode: '123' }],
  ...['0000', '1234', '4321', '1212', '7777777', '2580', '67890', 'abcd'].map((passcode): [string, Json] => [
    'passcode',
    { passcode },
  ]),
  ['passcode', { passcode: 'KIMMY', userId: 'kimmy' }],
  ['passcode', { passcode: '1'.repeat(65) }],
  ['passcode', { passcode: 1234 }],
  ['name', { name: undefined }],
  ['role', { role: 'OWNER' }],
]
for (const [path, changes] of wrong) {
  test(`a wrong field is rejected, naming ${path}: ${JSON.stringify(changes).slice(0, 40)}`, async () => {
    const { businessId } = await newShop()
    assert.equal((await add(businessId, { ...KIM, ...changes }, 400)).fields[0].path, path)
  })
}

test('another business’s user is not found', async () => {
  const [one, two] = [await newShop(), await newShop()]
  const { businessUserId } = await add(one.businessId)
  assert.equal((await change(two.businessId, businessUserId, { name: 'X' }, 404)).code, 'USER_NOT_FOUND')
  await world.call('DELETE', `/businesses/${two.businessId}/users/${businessUserId}`, undefined, 404)
  assert.equal((await change(one.businessId, v7(), { name: 'X' }, 404)).code, 'USER_NOT_FOUND')
})

test('a sign-in starts a session of that terminal only', async () => {
  const shop = await newShop()
  const beside = await activatedTerminal(world, shop.businessId, shop.terminal.storeId)
  await add(shop.businessId)
  const { status, body, headers } = await signIn(shop.token, 'KIM')
  assert.deepEqual([status, body.user.name, body.expiresAt], [201, 'Kim', '2026-03-01T10:15:00Z'])
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal((await read(shop.token, body.sessionToken)).status, 200)
  const besideToken = await terminalToken(world, beside)
  await installApp(world, besideToken, 'com.example.stories0')
  const elsewhere = await read(besideToken, body.sessionToken)
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [401, 'INVALID_USER_SESSION'])
  assert.equal((await read(shop.token, `${body.sessionToken}x`)).body.code, 'INVALID_USER_SESSION')
  const [row] = await world.app.ports.db.sql<
    { text: string }[]
  >`select string_agg(s::text, '') as text from terminal_sessions as s`
  assert.ok(!row?.text.includes(body.sessionToken))
})

test('a wrong passcode, an unknown user, a disabled user and a user of another business get the same response', async () => {
  const [shop, other] = [await newShop(), await newShop()]
  const { businessUserId } = await add(shop.businessId, { ...KIM, userId: 'off' })
  await change(shop.businessId, businessUserId, { status: 'DISABLED' })
  await add(shop.businessId)
  await add(other.businessId, { ...KIM, userId: 'theirs' })
  const answers = [
    await signIn(shop.token, 'kim', '9999'),
    await signIn(shop.token, 'nobody'),
    await signIn(shop.token, 'off'),
    await signIn(shop.token, 'theirs'),
  ]
  for (const { status, body } of answers) {
    const { requestId, ...said } = body
    assert.deepEqual([status, said.code], [400, 'INVALID_PASSCODE'])
    assert.equal(said.developerMessage, answers[0]?.body.developerMessage)
  }
})

test('a session ends after 15 idle minutes, and a used session continues', async () => {
  const shop = await newShop()
  await add(shop.businessId)
  const { sessionToken } = (await signIn(shop.token)).body
  assert.equal(await minutesLater(14, async () => (await read(shop.token, sessionToken)).status), 200)
  assert.equal(await minutesLater(28, async () => (await read(shop.token, sessionToken)).status), 200)
  assert.equal(await minutesLater(43, async () => (await read(shop.token, sessionToken)).status), 401)
})

test('signing out ends the session, and succeeds without a session', async () => {
  const shop = await newShop()
  await add(shop.businessId)
  const [one, two] = [(await signIn(shop.token)).body, (await signIn(shop.token)).body]
  const headers = { 'service-user-session': one.sessionToken }
  assert.equal((await world.ask(shop.token, 'DELETE', '/terminal/sessions/current', { headers })).status, 204)
  assert.equal((await read(shop.token, one.sessionToken)).status, 401)
  assert.equal((await read(shop.token, two.sessionToken)).status, 200)
  assert.equal((await world.ask(shop.token, 'DELETE', '/terminal/sessions/current')).status, 204)
})

const endings: [string, (shop: Shop, id: string) => Promise<unknown>][] = [
  ['another passcode', ({ businessId }, id) => change(businessId, id, { passcode: '1357' })],
  ['being disabled', ({ businessId }, id) => change(businessId, id, { status: 'DISABLED' })],
  [
    'being removed',
    ({ businessId }, id) => world.call('DELETE', `/businesses/${businessId}/users/${id}`, undefined, 204),
  ],
]
for (const [name, end] of endings) {
  test(`${name} ends the sessions`, async () => {
    const shop = await newShop()
    const { businessUserId } = await add(shop.businessId)
    const { sessionToken } = (await signIn(shop.token)).body
    await end(shop, businessUserId)
    assert.equal((await read(shop.token, sessionToken)).status, 401)
    assert.equal((await signIn(shop.token)).status, 400)
  })
}

test('guesses are throttled, also for the right passcode, and other users can sign in', async () => {
  const shop = await newShop()
  await add(shop.businessId)
  await add(shop.businessId, { ...KIM, userId: 'lee' })
  const statuses: number[] = []
  for (let n = 0; n < 8; n++) statuses.push((await signIn(shop.token, 'kim', `000${n}`)).status)
  assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429])
  const right = await signIn(shop.token)
  assert.deepEqual([right.status, Number(right.headers['retry-after']) > 0], [429, true])
  assert.equal((await signIn(shop.token, 'lee')).status, 201)
  assert.equal(await minutesLater(20, async () => (await signIn(shop.token)).status), 201)
})

test('only a terminal signs users in, and a session is invalid without its terminal', async () => {
  const shop = await newShop()
  await add(shop.businessId)
  assert.equal((await signIn(OPERATOR_KEY)).status, 403)
  const { sessionToken } = (await signIn(shop.token)).body
  assert.equal((await read(sessionToken, sessionToken)).body.code, 'INVALID_ACCESS_TOKEN')
})

test('a trivial passcode is rejected on a change as well, and a hash is useless without the master key', async () => {
  const { businessId } = await newShop()
  const { businessUserId } = await add(businessId)
  assert.equal((await change(businessId, businessUserId, { passcode: '1111' }, 400)).fields[0].path, 'passcode')
  const [row] = await world.app.ports.db.sql<{ hash: string }[]>`
    select passcode_hash as hash from business_users where business_user_id = ${businessUserId}`
  assert.ok(row)
  assert.equal(await verifyPassword(KIM.passcode, row.hash), false)
  assert.equal(await verifyPasscode(world.app.ports.vault, KIM.passcode, row.hash), true)
  assert.equal(await verifyPasscode(createVault(randomBytes(32)), KIM.passcode, row.hash), false)
})
