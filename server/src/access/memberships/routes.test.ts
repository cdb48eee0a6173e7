import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { inviteTo, newPerson, PASSWORD, type Person } from '../../../test/support/people.ts'
import { untilWaiting } from '../../../test/support/waiting.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { isRejection } from '../../core/rejection.ts'
import { changeStatus } from '../accounts/change-status.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const shop = async () =>
  ({ kind: 'MERCHANT', businessId: (await world.merchant({ card: 'none' })).businessId }) as const
const listOf = async (bearer: string, workspace: Json) =>
  (await world.ask(bearer, 'GET', `/memberships?${new URLSearchParams(workspace)}`)).body.list
const change = (bearer: string, id: string, role: string) =>
  world.ask(bearer, 'PATCH', `/memberships/${id}`, { body: { role } })
const remove = (bearer: string, id: string) => world.ask(bearer, 'DELETE', `/memberships/${id}`)

test('the people of a workspace are listed for its members', async () => {
  const workspace = await shop()
  const ann = await newPerson(world, workspace, 'OWNER')
  const bob = await newPerson(world, workspace, 'VIEWER', { name: 'Bob' })
  const list = await listOf(bob.token, workspace)
  assert.deepEqual(
    list.map(({ membershipId, name, email, role }: Json) => [membershipId, name, email, role]),
    [
      [ann.membershipId, 'Ann Baker', ann.email, 'OWNER'],
      [bob.membershipId, 'Bob', bob.email, 'VIEWER'],
    ],
  )
  const stranger = await newPerson(world, await shop(), 'OWNER')
  const answer = await world.ask(stranger.token, 'GET', `/memberships?${new URLSearchParams(workspace)}`)
  assert.equal(answer.status, 403)
})

test('the last owner can be neither removed nor demoted, even by the operator', async () => {
  const workspace = await shop()
  const ann = await newPerson(world, workspace, 'OWNER')
  await newPerson(world, workspace, 'MANAGER')
  for (const bearer of [ann.token, OPERATOR_KEY]) {
    assert.equal((await remove(bearer, ann.membershipId)).body.code, 'LAST_ADMIN')
    assert.equal((await change(bearer, ann.membershipId.toUpperCase(), 'VIEWER')).body.code, 'LAST_ADMIN')
    assert.equal((await change(bearer, ann.membershipId, 'OWNER')).status, 200)
  }
})

test('a disabled owner does not count: the other owner is the last one, and the disabled owner can be removed', async () => {
  const workspace = await shop()
  const [ann, bob] = [await newPerson(world, workspace, 'OWNER'), await newPerson(world, workspace, 'OWNER')]
  await world.call('PATCH', `/users/${bob.userId}`, { status: 'DISABLED' })
  assert.equal((await remove(ann.token, ann.membershipId)).body.code, 'LAST_ADMIN')
  assert.equal((await remove(ann.token, bob.membershipId)).status, 204)
})

test('if two owners remove each other at once, one stays', async () => {
  for (let round = 0; round < 5; round++) {
    const workspace = await shop()
    const [ann, bob] = [await newPerson(world, workspace, 'OWNER'), await newPerson(world, workspace, 'OWNER')]
    const answers = await Promise.all([
      remove(ann.token, bob.membershipId),
      change(bob.token, ann.membershipId, 'VIEWER'),
    ])
    assert.equal(answers.filter(({ status }) => status < 300).length, 1)
    const owners = (await listOf(OPERATOR_KEY, workspace)).filter(({ role }: Json) => role === 'OWNER')
    assert.equal(owners.length, 1)
  }
})

test('the last owner of any of their workspaces cannot be disabled', async () => {
  const [first, second] = [await shop(), await shop()]
  const ann = await newPerson(world, first, 'OWNER')
  const disable = (userId: string) =>
    world.ask(OPERATOR_KEY, 'PATCH', `/users/${userId}`, { body: { status: 'DISABLED' } })
  assert.deepEqual([(await disable(ann.userId)).body.code, (await listOf(ann.token, first)).length], ['LAST_ADMIN', 1])
  await newPerson(world, first, 'OWNER')
  const { secret } = await inviteTo(world, second, 'OWNER', { email: ann.email })
  await world.ask(null, 'POST', '/memberships', { body: { secret, password: PASSWORD } })
  assert.equal((await disable(ann.userId)).body.code, 'LAST_ADMIN')
  await newPerson(world, second, 'OWNER')
  assert.deepEqual([(await disable(ann.userId)).status, (await disable(ann.userId)).status], [200, 200])
})

test('the operator disables the last owner with `force`, and invites a new owner', async () => {
  const workspace = await shop()
  const ann = await newPerson(world, workspace, 'OWNER')
  const disable = (body: object) => world.ask(OPERATOR_KEY, 'PATCH', `/users/${ann.userId}`, { body })
  const asked = await disable({ status: 'DISABLED', force: false })
  assert.deepEqual([asked.status, asked.body.code], [409, 'LAST_ADMIN'])
  assert.match(asked.body.developerMessage, /force/)
  assert.equal((await disable({ status: 'DISABLED', force: 'yes' })).body.fields[0].path, 'force')
  for (const again of [1, 2]) {
    const { status, body } = await disable({ status: 'DISABLED', force: true })
    assert.deepEqual([status, body.status], [200, 'DISABLED'], `time ${again}`)
  }
  assert.equal((await world.ask(ann.token, 'GET', '/sessions/current')).status, 401)
  const bob = await newPerson(world, workspace, 'OWNER')
  assert.equal((await remove(bob.token, ann.membershipId)).status, 204)
  assert.equal((await remove(bob.token, bob.membershipId)).body.code, 'LAST_ADMIN')
})

test('a forced disabling and a concurrent removal do not deadlock', async () => {
  for (let round = 0; round < 3; round++) {
    const workspace = await shop()
    const [ann, bob] = [await newPerson(world, workspace, 'OWNER'), await newPerson(world, workspace, 'OWNER')]
    const body = { status: 'DISABLED', force: true }
    const [disabled, removed] = await Promise.all([
      world.ask(OPERATOR_KEY, 'PATCH', `/users/${ann.userId}`, { body }),
      remove(OPERATOR_KEY, bob.membershipId),
    ])
    assert.equal(disabled.status, 200)
    assert.ok(removed.status === 204 || removed.body.code === 'LAST_ADMIN', removed.text)
  }
})

test('the last administrator of the operator cannot be disabled', async () => {
  const { db } = world.app.ports
  const admin = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await db.sql`
    update memberships set role = 'VIEWER' where kind = 'OPERATOR' and membership_id <> ${admin.membershipId}`
  const body = { status: 'DISABLED', force: true }
  const { status, body: rejection } = await world.ask(OPERATOR_KEY, 'PATCH', `/users/${admin.userId}`, { body })
  assert.deepEqual([status, rejection.code], [409, 'LAST_ADMIN'])
  assert.doesNotMatch(rejection.developerMessage, /force/)
})

test('if two owners are removed, demoted or disabled at once, in any combination, one stays', async () => {
  const disable = ({ userId }: Person) =>
    world.ask(OPERATOR_KEY, 'PATCH', `/users/${userId}`, { body: { status: 'DISABLED' } })
  const ways = [
    disable,
    ({ membershipId }: Person) => remove(OPERATOR_KEY, membershipId),
    ({ membershipId }: Person) => change(OPERATOR_KEY, membershipId, 'VIEWER'),
  ]
  for (const [i, one] of ways.entries()) {
    for (const other of ways.slice(i > 0 ? 1 : 0)) {
      const workspace = await shop()
      const [ann, bob] = [await newPerson(world, workspace, 'OWNER'), await newPerson(world, workspace, 'OWNER')]
      const answers = await Promise.all([one(ann), other(bob)])
      assert.equal(answers.filter(({ status }) => status < 300).length, 1)
      const admins = (await listOf(OPERATOR_KEY, workspace)).filter(
        ({ role, status }: Json) => role === 'OWNER' && status === 'ACTIVE',
      )
      assert.equal(admins.length, 1)
    }
  }
})

test('disabling one owner during the removal of the other waits, and is rejected as the last owner', async () => {
  const workspace = await shop()
  const [ann, bob] = [await newPerson(world, workspace, 'OWNER'), await newPerson(world, workspace, 'OWNER')]
  const { db, clock } = world.app.ports
  const { waiting } = await db.transaction(async tx => {
    assert.equal(isRejection(await changeStatus({ db: tx, clock }, ann.userId, { status: 'DISABLED' })), false)
    const waiting = remove(OPERATOR_KEY, bob.membershipId)
    await untilWaiting(db.sql, 1)
    return { waiting }
  })
  assert.equal((await waiting).body.code, 'LAST_ADMIN')
})

test('a person of another workspace is not found', async () => {
  const owner = await newPerson(world, await shop(), 'OWNER')
  const stranger = await newPerson(world, await shop(), 'VIEWER')
  const said = async (answer: Promise<Json>) => {
    const { status, text, body } = await answer
    return `${status} ${text.replaceAll(body.requestId, '')}`
  }
  assert.equal(await said(remove(owner.token, stranger.membershipId)), await said(remove(owner.token, v7())))
  assert.equal(
    await said(change(owner.token, stranger.membershipId, 'OWNER')),
    await said(change(owner.token, v7(), 'OWNER')),
  )
  assert.equal((await remove(OPERATOR_KEY, v7())).body.code, 'MEMBERSHIP_NOT_FOUND')
})

test('a removed person is not found, and returns only by a new invitation', async () => {
  const workspace = await shop()
  await newPerson(world, workspace, 'OWNER')
  const bob = await newPerson(world, workspace, 'VIEWER')
  assert.equal((await remove(OPERATOR_KEY, bob.membershipId)).status, 204)
  assert.equal((await remove(OPERATOR_KEY, bob.membershipId)).status, 404)
  assert.equal((await change(OPERATOR_KEY, bob.membershipId, 'OWNER')).status, 404)
})

test('a role of another kind of workspace is rejected by field name', async () => {
  const { membershipId } = await newPerson(world, await shop(), 'OWNER')
  const { status, body } = await change(OPERATOR_KEY, membershipId, 'ADMIN')
  assert.deepEqual([status, body.fields?.[0]?.path], [400, 'role'])
})

test('a developer manages the people of own test merchants, and of no others', async () => {
  const { organizationId } = await world.developer()
  const dev = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const { businessId } = await world.call('POST', '/businesses', {
    ...{ legalName: 'Test', emailAddress: 'a@b.example', country: 'US', type: 'TEST_MERCHANT', organizationId },
  })
  assert.deepEqual(await listOf(dev.token, { kind: 'MERCHANT', businessId }), [])
  const answer = await world.ask(dev.token, 'GET', `/memberships?${new URLSearchParams(await shop())}`)
  assert.equal(answer.status, 403)
})

test('the operator sees a person, and an unknown person is not found', async () => {
  const { userId, email } = await newPerson(world, await shop(), 'OWNER')
  assert.partialDeepStrictEqual(await world.call('GET', `/users/${userId}`), { userId, email, status: 'ACTIVE' })
  assert.equal((await world.call('GET', `/users/${v7()}`, undefined, 404)).code, 'USER_NOT_FOUND')
  assert.equal((await world.call('PATCH', `/users/${v7()}`, { status: 'ACTIVE' }, 404)).code, 'USER_NOT_FOUND')
})

test('the operator finds neither people nor invitations of an unknown business', async () => {
  for (const path of ['/memberships', '/invitations']) {
    const workspace = new URLSearchParams({ kind: 'MERCHANT', businessId: v7() })
    const answer = await world.ask(OPERATOR_KEY, 'GET', `${path}?${workspace}`)
    assert.deepEqual([answer.status, answer.body.code], [404, 'BUSINESS_NOT_FOUND'])
  }
})
