import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { inviteTo, newEmail, newPerson, PASSWORD, signIn } from '../../../test/support/people.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

const shop = async () =>
  ({ kind: 'MERCHANT', businessId: (await world.merchant({ card: 'none' })).businessId }) as const
const studio = async () => ({ kind: 'DEVELOPER', organizationId: (await world.developer()).organizationId }) as const
const accept = (secret: string, more: Json = {}) =>
  world.ask(null, 'POST', '/memberships', { body: { secret, name: 'Ann', password: PASSWORD, ...more } })
const invitationsOf = async (workspace: Json, bearer = OPERATOR_KEY) =>
  (await world.ask(bearer, 'GET', `/invitations?${new URLSearchParams(workspace)}`)).body.list

test('the operator key invites the first operator, who signs in', async () => {
  const ann = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  const { body } = await world.ask(ann.token, 'GET', '/sessions/current')
  assert.deepEqual(body.membership, { membershipId: ann.membershipId, kind: 'OPERATOR', role: 'ADMIN' })
})

test('no response contains the secret, and only the mail contains the link', async () => {
  const workspace = await shop()
  const email = newEmail()
  const response = await world.ask(OPERATOR_KEY, 'POST', '/invitations', {
    body: { ...workspace, email, role: 'OWNER' },
  })
  const [mail, ...others] = await world.mails()
  assert.deepEqual([mail?.to, others.length], [email, 0])
  assert.match(mail?.text ?? '', /http:\/\/127\.0\.0\.1:8080\/invitations\/accept\?secret=[\w-]{43}\n/)
  const secret = /secret=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? 'none'
  const listed = JSON.stringify(await invitationsOf(workspace))
  assert.ok(!response.text.includes(secret) && !listed.includes(secret))
  assert.partialDeepStrictEqual(response.body, { ...workspace, email, role: 'OWNER', status: 'PENDING' })
  assert.equal(response.body.expiresAt, '2026-03-08T10:00:00Z')
})

test('an invitation is accepted once, also concurrently', async () => {
  const { secret } = await inviteTo(world, await shop(), 'OWNER')
  const responses = await Promise.all([accept(secret), accept(secret), accept(secret)])
  assert.deepEqual(responses.map(({ status }) => status).filter(status => status === 201).length, 1)
  for (const { status, body } of responses.filter(one => one.status !== 201)) {
    assert.ok(['INVITATION_NOT_FOUND', 'ACCOUNT_EXISTS'].includes(body.code), `${status} ${body.code}`)
  }
  assert.deepEqual([(await accept(secret)).body.code], ['INVITATION_NOT_FOUND'])
})

test('an expired, revoked, replaced, altered or invented invitation gets the same response', async () => {
  const workspace = await shop()
  const over = await inviteTo(world, workspace, 'OWNER')
  const revoked = await inviteTo(world, workspace, 'VIEWER')
  assert.equal((await world.ask(OPERATOR_KEY, 'DELETE', `/invitations/${revoked.invitationId}`)).status, 204)
  const email = newEmail()
  const replaced = await inviteTo(world, workspace, 'VIEWER', { email })
  const newer = await inviteTo(world, workspace, 'MANAGER', { email })
  world.clock.set('2026-03-08T10:00:00Z')
  const fresh = await inviteTo(world, workspace, 'VIEWER', { email: newEmail() })
  const wrong = [over.secret, revoked.secret, replaced.secret, newer.secret, `${fresh.secret}x`, 'made-up']
  const said = await Promise.all(
    wrong.map(async secret => {
      const { status, text, body } = await accept(secret)
      return `${status} ${text.replaceAll(body.requestId, '')}`
    }),
  )
  assert.equal(new Set(said).size, 1)
  assert.match(said[0] ?? '', /^404 .*INVITATION_NOT_FOUND/)
  const statuses = (await invitationsOf(workspace)).map(({ status }: Json) => status)
  assert.deepEqual(statuses.sort(), ['EXPIRED', 'EXPIRED', 'PENDING', 'REVOKED', 'REVOKED'])
})

test('an address with an account joins with its own password and keeps its name', async () => {
  const email = newEmail()
  await newPerson(world, await shop(), 'OWNER', { email })
  const { secret } = await inviteTo(world, await shop(), 'VIEWER', { email: email.toUpperCase() })
  const wrong = await accept(secret, { password: 'another password', name: 'Mallory' })
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'INVALID_CREDENTIALS'])
  assert.equal((await accept(secret, { name: 'Mallory' })).status, 201)
  const { user, memberships } = await signIn(world, email)
  assert.deepEqual([user.name, memberships.length], ['Ann Baker', 2])
})

test('two concurrently accepted invitations of one new address to two workspaces create one account', async () => {
  const email = newEmail()
  const [one, two] = [
    await inviteTo(world, await shop(), 'OWNER', { email }),
    await inviteTo(world, await studio(), 'ADMIN', { email }),
  ]
  const responses = await Promise.all([accept(one.secret), accept(two.secret)])
  const late = responses.find(({ status }) => status !== 201)
  if (late !== undefined) {
    assert.equal(late.body.code, 'ACCOUNT_EXISTS')
    const missing = late === responses[0] ? one : two
    assert.equal((await accept(missing.secret)).status, 201)
  }
  assert.equal((await signIn(world, email)).memberships.length, 2)
})

test('an existing member can be neither invited nor added again', async () => {
  const workspace = await shop()
  const { email } = await newPerson(world, workspace, 'OWNER')
  const again = await world.ask(OPERATOR_KEY, 'POST', '/invitations', { body: { ...workspace, email, role: 'VIEWER' } })
  assert.deepEqual([again.status, again.body.code], [409, 'ALREADY_MEMBER'])
})

test('an owner invites only to their own business, and a developer only to their own organization', async () => {
  const [ownShop, ownStudio] = [await shop(), await studio()]
  const owner = await newPerson(world, ownShop, 'OWNER')
  const admin = await newPerson(world, ownStudio, 'ADMIN')
  const workspaces = [ownShop, ownStudio, await shop(), await studio(), { kind: 'OPERATOR' }] as const
  const statusesOf = (bearer: string) =>
    Promise.all(
      workspaces.map(async workspace => {
        const role = workspace.kind === 'MERCHANT' ? 'OWNER' : 'ADMIN'
        const body = { ...workspace, email: newEmail(), role }
        return (await world.ask(bearer, 'POST', '/invitations', { body })).status
      }),
    )
  assert.deepEqual(await statusesOf(owner.token), [201, 403, 403, 403, 403])
  assert.deepEqual(await statusesOf(admin.token), [403, 201, 403, 403, 403])
  await world.mails()
})

test('a manager, a member and a viewer can neither invite nor revoke', async () => {
  const [ownShop, ownStudio] = [await shop(), await studio()]
  const people = [
    [ownShop, await newPerson(world, ownShop, 'MANAGER')],
    [ownShop, await newPerson(world, ownShop, 'VIEWER')],
    [ownStudio, await newPerson(world, ownStudio, 'MEMBER')],
  ] as const
  for (const [workspace, { token }] of people) {
    const { invitationId } = await inviteTo(world, workspace, 'VIEWER')
    const body = { ...workspace, email: newEmail(), role: 'VIEWER' }
    assert.equal((await world.ask(token, 'POST', '/invitations', { body })).status, 403)
    assert.equal((await world.ask(token, 'DELETE', `/invitations/${invitationId}`)).status, 403)
    assert.deepEqual(await invitationsOf(workspace, token), await invitationsOf(workspace))
  }
})

test('another workspace’s invitation is not found', async () => {
  const owner = await newPerson(world, await shop(), 'OWNER')
  const { invitationId } = await inviteTo(world, await shop(), 'OWNER')
  const said = await Promise.all(
    [invitationId, v7()].map(async id => {
      const { status, text, body } = await world.ask(owner.token, 'DELETE', `/invitations/${id}`)
      return `${status} ${text.replaceAll(body.requestId, '')}`
    }),
  )
  assert.equal(said[0], said[1])
  assert.equal((await world.ask(OPERATOR_KEY, 'DELETE', `/invitations/${v7()}`)).status, 404)
})

/** Stands for the id of an existing business. */
const THERE = 'there'
const merchant = { kind: 'MERCHANT', businessId: v7(), email: 'a@b.example', role: 'OWNER' }
const rejected: [string, Json, number, string][] = [
  ['no kind', { ...merchant, kind: undefined }, 400, 'MISSING_PARAMETER'],
  ['no business', { ...merchant, businessId: undefined }, 400, 'INVALID_PARAMETER'],
  [
    'a business beside an organization',
    { ...merchant, businessId: THERE, organizationId: v7() },
    400,
    'INVALID_PARAMETER',
  ],
  ['a business with the operator', { ...merchant, businessId: THERE, kind: 'OPERATOR' }, 400, 'INVALID_PARAMETER'],
  ['no address', { ...merchant, email: 'nobody' }, 400, 'INVALID_PARAMETER'],
  ['a role that there is not', { ...merchant, role: 'KING' }, 400, 'INVALID_PARAMETER'],
  ['a business that there is not', merchant, 404, 'BUSINESS_NOT_FOUND'],
  [
    'an organization that there is not',
    { kind: 'DEVELOPER', organizationId: v7(), email: 'a@b.example', role: 'ADMIN' },
    404,
    'ORGANIZATION_NOT_FOUND',
  ],
  ['a role of another kind', { kind: 'OPERATOR', email: 'a@b.example', role: 'OWNER' }, 400, 'INVALID_PARAMETER'],
]
for (const [name, body, status, code] of rejected) {
  test(`an invitation with ${name} is rejected`, async () => {
    const named = body.businessId === THERE ? { ...body, businessId: (await shop()).businessId } : body
    const response = await world.ask(OPERATOR_KEY, 'POST', '/invitations', { body: named })
    assert.deepEqual([response.status, response.body.code], [status, code])
    assert.deepEqual(await world.mails(), [])
  })
}

test('a weak password or a missing name is rejected by field name, and the invitation stays open', async () => {
  const { secret, email } = await inviteTo(world, await shop(), 'OWNER')
  for (const [more, path] of [
    [{ password: 'short' }, 'password'],
    [{ password: email }, 'password'],
    [{ name: undefined }, 'name'],
  ] as const) {
    const { status, body } = await accept(secret, more)
    assert.deepEqual([status, body.fields?.[0]?.path], [400, path])
  }
  assert.equal((await accept(secret)).status, 201)
})

test('a repeated request invites once, and its stored response contains no secret', async () => {
  const email = newEmail()
  const body = { ...(await shop()), email, role: 'OWNER' }
  const headers = { 'idempotency-key': v7() }
  const ask = () => world.ask(OPERATOR_KEY, 'POST', '/invitations', { body, headers })
  const [first, again] = [await ask(), await ask()]
  assert.deepEqual(again.body, first.body)
  const mails = (await world.mails()).filter(({ to }) => to === email)
  assert.equal(mails.length, 1)
})

test('invitations are purged long after they expire', async () => {
  const workspace = await shop()
  await inviteTo(world, workspace, 'OWNER')
  world.clock.set(new Date(world.clock.now().getTime() + 98 * 86_400_000))
  const fresh = await inviteTo(world, workspace, 'OWNER')
  assert.ok((await world.app.jobs.invitations.runOnce()) > 0)
  assert.deepEqual(
    (await invitationsOf(workspace)).map((one: Json) => one.invitationId),
    [fresh.invitationId],
  )
})

test('an address receives at most five invitations a day, in any case and from any workspace', async () => {
  const email = newEmail()
  const invite = async (to: string) => {
    const body = { ...(await shop()), email: to, role: 'OWNER' }
    return await world.ask(OPERATOR_KEY, 'POST', '/invitations', { body })
  }
  for (let n = 0; n < 5; n++) assert.equal((await invite(email)).status, 201)
  const over = await invite(email.toUpperCase())
  assert.deepEqual([over.status, over.body.code, over.headers['retry-after']], [429, 'TOO_MANY_REQUESTS', '3600'])
  assert.equal((await invite(newEmail())).status, 201)
  const at = world.clock.now()
  world.clock.set(new Date(at.getTime() + 25 * 3_600_000))
  assert.equal((await invite(email)).status, 201)
  world.clock.set(at)
})

test('a person sends at most fifty invitations a day', async () => {
  const workspace = await shop()
  const ann = await newPerson(world, workspace, 'OWNER')
  const statuses: number[] = []
  for (let n = 0; n < 52; n++) {
    const body = { ...workspace, email: newEmail(), role: 'VIEWER' }
    statuses.push((await world.ask(ann.token, 'POST', '/invitations', { body })).status)
  }
  assert.deepEqual([statuses.filter(status => status === 201).length, statuses.at(-1)], [50, 429])
})

test('concurrent invitations count towards the limit', async () => {
  const workspace = await shop()
  const email = newEmail()
  const invite = (to: string, token = OPERATOR_KEY) =>
    world.ask(token, 'POST', '/invitations', { body: { ...workspace, email: to, role: 'VIEWER' } })
  const toOne = await Promise.all(Array.from({ length: 12 }, () => invite(email)))
  assert.equal(toOne.filter(({ status }) => status === 201).length, 5)
  const ann = await newPerson(world, workspace, 'OWNER')
  const byOne = await Promise.all(Array.from({ length: 62 }, () => invite(newEmail(), ann.token)))
  assert.equal(byOne.filter(({ status }) => status === 201).length, 50)
})

for (const legalName of ['Cafe\nPay here: https://evil.example', 'Cafe\u202Eelpmaxe', 'Cafe\r\nBcc: all@example.com']) {
  test(`a merchant cannot be named ${JSON.stringify(legalName)}, because invitations would mail the name`, async () => {
    const body = { legalName, emailAddress: 'cafe@example.com', country: 'US', type: 'MERCHANT' }
    const { status, body: answer } = await world.ask(OPERATOR_KEY, 'POST', '/businesses', { body })
    assert.deepEqual([status, answer.fields[0].path], [400, 'legalName'])
  })
}
