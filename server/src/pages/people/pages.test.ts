import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inviteTo, newEmail, newPerson, PASSWORD, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import type { PersonRole, Workspace } from '../../core/membership.ts'
import { formOf, type Visitor, visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

const shop = async () =>
  ({ kind: 'MERCHANT', businessId: (await world.merchant({ card: 'none' })).businessId }) as const
const studio = async () => ({ kind: 'DEVELOPER', organizationId: (await world.developer()).organizationId }) as const

async function member(workspace: Workspace, role: PersonRole, name = 'Ann Baker'): Promise<Visitor> {
  const person = await newPerson(world, workspace, role, { name })
  return { person, ...visiting(world, person.token) }
}

async function administrator(): Promise<Visitor> {
  const ann = await member({ kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, ann.person)
  return ann
}

const pathOf = ({ person }: Visitor, what: string) => `/people/${person.membershipId}/${what}`
const peopleOf = async (workspace: Workspace): Promise<[string, string, string][]> => {
  const answer = await world.ask(OPERATOR_KEY, 'GET', `/memberships?${new URLSearchParams({ ...workspace })}`)
  return answer.body.list.map(({ email, role, status }: Json) => [email, role, status])
}
const mailsTo = async (email: string) => (await world.mails()).filter(({ to }) => to === email)
const accept = (text = '') =>
  world.ask(null, 'POST', '/memberships', {
    body: { secret: /secret=([\w-]+)/.exec(text)?.[1], name: 'Bob', password: PASSWORD },
  })
/** The invitation's actions in the list. */
const idOf = (text: string) => /\/people\/invitations\/([0-9a-f-]{36})\/resend/.exec(text)?.[1] ?? ''

for (const [kind, workspaceOf, admin] of [
  ['business', shop, 'OWNER'],
  ['organization', studio, 'ADMIN'],
] as const) {
  test(`the people of a ${kind} are listed, invited, given another role and removed`, async () => {
    const workspace = await workspaceOf()
    const ann = await member(workspace, admin)
    const email = newEmail()
    assert.equal(
      (await ann.send('/people/invite', { email: ` ${email} `, role: 'VIEWER' })).location,
      '/people?done=invited',
    )
    const listed = await ann.get('/people?done=invited')
    assert.match(listed.words, /Invitation sent/)
    assert.ok(listed.words.includes(email) && listed.words.includes('8 March 2026'))
    const [mail] = await mailsTo(email)
    assert.equal((await accept(mail?.text)).status, 201)

    const { membershipId } = (
      await world.ask(OPERATOR_KEY, 'GET', `/memberships?${new URLSearchParams({ ...workspace })}`)
    ).body.list[1]
    const changed = await ann.send(`/people/${membershipId}/role`, { role: admin })
    assert.equal(changed.location, '/people?done=role')
    assert.deepEqual(
      (await peopleOf(workspace)).map(([, role]) => role),
      [admin, admin],
    )
    assert.match(
      (await ann.get(`/people/${membershipId}/remove`)).words,
      /Remove Bob\?.*To return, they need a new invitation/,
    )
    assert.equal((await ann.send(`/people/${membershipId}/remove`)).location, '/people?done=removed')
    assert.deepEqual(await peopleOf(workspace), [[ann.person.email, admin, 'ACTIVE']])
  })
}

test('a viewer sees the people without buttons and cannot change them', async () => {
  const workspace = await shop()
  const ann = await member(workspace, 'OWNER')
  const { invitationId } = await inviteTo(world, workspace, 'VIEWER')
  for (const role of ['VIEWER', 'MANAGER'] as const) {
    const looker = await member(workspace, role)
    const { text, words } = await looker.get('/people')
    assert.ok(words.includes(ann.person.email) && words.includes('Invitations'))
    assert.doesNotMatch(text, /href="\/people\/|action="\/people\//)
    const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(text)?.groups ?? {}
    for (const path of [pathOf(ann, 'role'), pathOf(ann, 'remove'), pathOf(ann, 'disable'), '/people/invite']) {
      assert.equal((await looker.get(path)).status, 403, path)
      assert.equal(
        (await looker.post(path, { csrf, role: 'VIEWER', email: newEmail(), invitationId })).status,
        403,
        path,
      )
    }
    for (const what of ['resend', 'revoke']) {
      assert.equal((await looker.post(`/people/invitations/${invitationId}/${what}`, { csrf })).status, 403)
    }
  }
  assert.deepEqual((await peopleOf(workspace))[0], [ann.person.email, 'OWNER', 'ACTIVE'])
})

test('an invitation sent twice is one, and errors are shown beside the fields', async () => {
  const workspace = await shop()
  const ann = await member(workspace, 'OWNER')
  const email = newEmail()
  const form = formOf((await ann.get('/people/invite')).text, '/people/invite')
  const fields = { ...form?.hidden, email, role: 'MANAGER' }
  const sent = await Promise.all([1, 2, 3].map(() => ann.post('/people/invite', fields)))
  assert.deepEqual(
    new Set([...sent, await ann.post('/people/invite', fields)].map(({ location }) => location)),
    new Set(['/people?done=invited']),
  )
  const mails = await mailsTo(email)
  assert.equal(mails.length, 1)
  assert.equal((await accept(mails[0]?.text)).status, 201)
  for (const [wrong, status, words] of [
    [{ email: 'nobody' }, 400, /Enter an e-mail address\./],
    [{ email: '' }, 400, /Enter an e-mail address\./],
    [{ role: 'KING' }, 400, /Choose a role\./],
    [{ role: 'ADMIN' }, 400, /Choose a role\./],
    [{ email }, 409, /This person is already a member\./],
  ] as const) {
    const again = await ann.send('/people/invite', { email: newEmail(), role: 'VIEWER', ...wrong })
    assert.equal(again.status, status)
    assert.match(again.words, words)
  }
  const stranger = await member(await shop(), 'OWNER')
  const { csrf = '' } = formOf((await stranger.get('/people/invite')).text, '/people/invite')?.hidden ?? {}
  assert.equal((await stranger.post('/people/invite', { ...fields, csrf, email: newEmail() })).status, 404)
  assert.deepEqual(await world.mails(), [])
})

test('a resent link replaces the previous link, once, and a revoked link is invalid', async () => {
  const workspace = await shop()
  const ann = await member(workspace, 'OWNER')
  const email = newEmail()
  await ann.send('/people/invite', { email, role: 'VIEWER' })
  const [first] = await mailsTo(email)
  world.clock.set(new Date(world.clock.now().getTime() + 8 * 86_400_000))
  Object.assign(
    ann,
    visiting(
      world,
      (await world.ask(null, 'POST', '/sessions', { body: { email: ann.person.email, password: PASSWORD } })).body
        .token,
    ),
  )
  const { text, words } = await ann.get('/people')
  assert.match(words, /9 March 2026|8 March 2026 Expired/)
  const resend = `/people/invitations/${idOf(text)}/resend`
  const fields = formOf(text, resend)?.hidden ?? {}
  const sent = await Promise.all([1, 2, 3].map(() => ann.post(resend, fields)))
  assert.deepEqual(new Set(sent.map(({ location }) => location)), new Set(['/people?done=resent']))
  const again = await mailsTo(email)
  assert.equal(again.length, 1)
  assert.equal((await accept(first?.text)).status, 404)
  const second = (await ann.get('/people')).text
  assert.notEqual(idOf(second), idOf(text))
  assert.equal(
    (await ann.send('/people', {}, `/people/invitations/${idOf(second)}/revoke`)).location,
    '/people?done=revoked',
  )
  assert.equal((await accept(again[0]?.text)).status, 404)
  assert.doesNotMatch((await ann.get('/people')).words, /Invitations/)
})

test('the last owner has no button for leaving, and a submitted form is rejected in words', async () => {
  const workspace = await shop()
  const [ann, bob] = [await member(workspace, 'OWNER'), await member(workspace, 'OWNER', 'Bob')]
  assert.equal((await ann.send(pathOf(bob, 'role'), { role: 'MANAGER' })).location, '/people?done=role')
  const { text, words } = await ann.get('/people')
  assert.match(words, /Ann Baker You .*The last administrator cannot be removed/)
  assert.ok(!text.includes(pathOf(ann, 'remove')) && text.includes(pathOf(bob, 'remove')))
  const less = await ann.send(pathOf(ann, 'role'), { role: 'VIEWER' })
  assert.deepEqual([less.status, /Make somebody else an owner first/.test(less.words)], [409, true])
  const gone = await ann.send(pathOf(ann, 'remove'))
  assert.deepEqual([gone.status, /Nobody was removed/.test(gone.words)], [409, true])
  assert.deepEqual(
    (await peopleOf(workspace)).map(([, role]) => role),
    ['OWNER', 'MANAGER'],
  )
})

test('if two owners remove each other at once, one stays, and a person who leaves is signed out', async () => {
  const workspace = await shop()
  const [ann, bob] = [await member(workspace, 'OWNER'), await member(workspace, 'OWNER', 'Bob')]
  const sent = await Promise.all([ann.send(pathOf(bob, 'remove')), bob.send(pathOf(ann, 'remove'))])
  assert.equal(sent.filter(({ location }) => location === '/people?done=removed').length, 1)
  assert.equal((await peopleOf(workspace)).length, 1)

  const other = await shop()
  const [carl, dora] = [await member(other, 'OWNER', 'Carl'), await member(other, 'OWNER', 'Dora')]
  const left = await carl.send(pathOf(carl, 'remove'))
  assert.equal(left.location, '/sign-in')
  assert.match(String(left.headers['set-cookie']), /^tillhook=; .*Max-Age=0/)
  assert.match((await carl.get('/people')).location, /^\/sign-in\?next=/)
  assert.equal((await dora.get('/people')).status, 200)
})

test('another workspace’s person and invitation are not found, and a malformed id is rejected', async () => {
  const [ann, bob] = [await member(await shop(), 'OWNER'), await member(await shop(), 'OWNER', 'Bob')]
  const foreign = await inviteTo(world, await shop(), 'VIEWER')
  const { csrf = '' } = formOf((await ann.get('/people/invite')).text, '/people/invite')?.hidden ?? {}
  for (const what of ['role', 'remove']) assert.equal((await ann.get(pathOf(bob, what))).status, 404)
  assert.equal((await ann.post(pathOf(bob, 'role'), { csrf, role: 'VIEWER' })).status, 404)
  assert.equal((await ann.post(pathOf(bob, 'remove'), { csrf })).location, '/people')
  for (const what of ['resend', 'revoke']) {
    assert.equal((await ann.post(`/people/invitations/${foreign.invitationId}/${what}`, { csrf })).status, 404)
  }
  assert.equal((await ann.get('/people/nonsense/role')).status, 400)
  assert.equal((await bob.get('/people')).status, 200)
  assert.equal((await accept(`secret=${foreign.secret}`)).status, 201)
})

test('operators disable and enable each other, and the last administrator cannot be disabled', async () => {
  const [ann, bob] = [await administrator(), await member({ kind: 'OPERATOR' }, 'VIEWER', 'Bob')]
  assert.match((await ann.get(pathOf(bob, 'disable'))).words, /Disable the account of Bob\?/)
  assert.equal((await ann.send(pathOf(bob, 'disable'))).location, '/people?done=disabled')
  assert.match((await bob.get('/account')).location, /^\/sign-in/)
  assert.match((await ann.get('/people')).words, /Bob Disabled/)
  assert.equal((await ann.send(pathOf(bob, 'enable'))).location, '/people?done=enabled')
  // Other tests may have created administrators.
  for (const one of await peopleOf({ kind: 'OPERATOR' })) assert.ok(one[1] !== 'ADMIN' || one[0] === ann.person.email)
  const self = await ann.send(pathOf(ann, 'disable'))
  assert.deepEqual([self.status, /Nobody was disabled/.test(self.words)], [409, true])
  assert.match(self.words, /Make somebody else an administrator first/)
})

test('an operator without a second factor is led from other pages to the account', async () => {
  const ann = await member({ kind: 'OPERATOR' }, 'ADMIN')
  for (const path of ['/people', '/ops', '/ops/money']) {
    const answer = await ann.get(path)
    assert.deepEqual([answer.status, answer.location], [303, '/account'])
  }
  assert.doesNotMatch((await ann.get('/account')).text, /href="\/people"/)
  await administrator()
  await world.ask(OPERATOR_KEY, 'DELETE', `/memberships/${ann.person.membershipId}`)
})

test('a person who is removed, demoted or signed out in the meantime changes nothing', async () => {
  const workspace = await shop()
  const carl = await member(workspace, 'VIEWER', 'Carl')
  for (const [end, expected] of [
    [(ann: Visitor) => world.ask(ann.person.token, 'DELETE', '/sessions/current'), 303],
    [(ann: Visitor) => world.ask(OPERATOR_KEY, 'DELETE', `/memberships/${ann.person.membershipId}`), 303],
    [(ann: Visitor) => world.call('PATCH', `/memberships/${ann.person.membershipId}`, { role: 'MANAGER' }), 403],
  ] as const) {
    const ann = await member(workspace, 'OWNER')
    await member(workspace, 'OWNER', 'Stays')
    const fields = formOf((await ann.get(pathOf(carl, 'role'))).text)?.hidden ?? {}
    await end(ann)
    const late = await ann.post(pathOf(carl, 'role'), { ...fields, role: 'OWNER' })
    assert.equal(late.status, expected)
    assert.equal(late.location.startsWith('/sign-in?next='), expected === 303)
  }
  assert.deepEqual((await peopleOf(workspace))[0], [carl.person.email, 'VIEWER', 'ACTIVE'])
})

test('a form token of another session changes nothing, and changes are audited for the person', async () => {
  const workspace = await shop()
  const [ann, bob, carl] = [
    await member(workspace, 'OWNER'),
    await member(workspace, 'OWNER', 'Bob'),
    await member(workspace, 'VIEWER', 'Carl'),
  ]
  const path = pathOf(carl, 'role')
  const { csrf = '' } = formOf((await bob.get(path)).text)?.hidden ?? {}
  assert.equal((await ann.post(path, { csrf, role: 'OWNER' })).status, 403)
  assert.equal((await ann.post(path, { role: 'OWNER' })).status, 403)
  assert.equal((await ann.send(path, { role: 'MANAGER' })).location, '/people?done=role')
  const trail = await world.call('GET', `/audit?kind=MEMBERSHIP&resourceId=${carl.person.membershipId}`)
  assert.partialDeepStrictEqual(trail.entries[0], {
    ...{ operation: 'people.manage', path: '/people/:membershipId/role' },
    ...{ principal: `merchant:${ann.person.userId}:${workspace.businessId}`, after: { role: 'MANAGER' } },
  })
})
