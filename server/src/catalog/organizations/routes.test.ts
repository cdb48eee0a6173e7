import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newDeveloper, OPERATOR, openTenants, type Tenants } from '../../../test/support/tenants.ts'

let tenants: Tenants
before(async () => {
  tenants = await openTenants()
})
after(() => tenants[Symbol.asyncDispose]())

const NEW = { name: 'Acme', email: 'dev@acme.example' }

test('the operator creates and reads an organization', async () => {
  const made = await tenants.call(OPERATOR, 'POST', '/organizations', { ...NEW, unknown: 1 })
  assert.equal(made.status, 201)
  const { organizationId, ...rest } = made.body
  assert.deepEqual(rest, { ...NEW, createdAt: '2026-03-01T10:00:00Z', updatedAt: '2026-03-01T10:00:00Z' })
  const read = await tenants.call(OPERATOR, 'GET', `/organizations/${organizationId.toUpperCase()}`)
  assert.deepEqual(read, { status: 200, body: made.body })
})

test('an unknown organization is not found', async () => {
  const { status, body } = await tenants.call(OPERATOR, 'GET', '/organizations/018f0000-0000-7000-8000-000000000000')
  assert.deepEqual([status, body.code], [404, 'ORGANIZATION_NOT_FOUND'])
})

test('only the operator creates organizations', async () => {
  const { developer, app } = await newDeveloper(tenants)
  for (const caller of [developer, app]) {
    assert.equal((await tenants.call(caller, 'POST', '/organizations', NEW)).status, 403)
  }
  assert.equal((await tenants.call(null, 'POST', '/organizations', NEW)).status, 401)
})

const rejected: [string, unknown, string][] = [
  ['no body', undefined, 'MISSING_PARAMETER'],
  ['no name', { email: NEW.email }, 'MISSING_PARAMETER'],
  ['an empty name', { ...NEW, name: '' }, 'INVALID_PARAMETER'],
  ['a name too long', { ...NEW, name: 'n'.repeat(256) }, 'INVALID_PARAMETER'],
  ['a name with NUL', { ...NEW, name: 'a\u0000b' }, 'INVALID_PARAMETER'],
  ['a name with half a character', { ...NEW, name: 'a\ud800b' }, 'INVALID_PARAMETER'],
  ['a name that is null', { ...NEW, name: null }, 'INVALID_PARAMETER'],
  ['no address', { ...NEW, email: 'acme.example' }, 'INVALID_PARAMETER'],
  ['two addresses', { ...NEW, email: 'a@b.example c@d.example' }, 'INVALID_PARAMETER'],
  ['an address too long', { ...NEW, email: `${'a'.repeat(250)}@b.example` }, 'INVALID_PARAMETER'],
]
for (const [name, body, code] of rejected) {
  test(`an organization with ${name} is rejected with 400`, async () => {
    const answer = await tenants.call(OPERATOR, 'POST', '/organizations', body)
    assert.deepEqual([answer.status, answer.body.code], [400, code])
  })
}

test('names and addresses of any script, up to the length limit, are stored unchanged', async () => {
  const given = { name: '😀'.repeat(255), email: `${'ü'.repeat(100)}@bücher.example` }
  const made = await tenants.call(OPERATOR, 'POST', '/organizations', given)
  assert.partialDeepStrictEqual(made, { status: 201, body: given })
})

test('an organization changes its name and e-mail, and nobody else’s', async () => {
  const { developer, app, organizationId } = await newDeveloper(tenants)
  const path = `/organizations/${organizationId}`
  const changed = await tenants.call(developer, 'PATCH', path, { name: 'Acme Two' })
  assert.deepEqual([changed.status, changed.body.name], [200, 'Acme Two'])
  const moved = await tenants.call(OPERATOR, 'PATCH', `/organizations/${organizationId.toUpperCase()}`, {
    email: 'two@acme.example',
  })
  assert.deepEqual([moved.body.name, moved.body.email], ['Acme Two', 'two@acme.example'])
  assert.deepEqual((await tenants.call(developer, 'PATCH', path, { name: 'Acme Two' })).body, moved.body, 'no change')
  for (const wrong of [{ name: '' }, { email: 'acme' }, { name: null }]) {
    assert.equal((await tenants.call(developer, 'PATCH', path, wrong)).status, 400)
  }
  assert.equal((await tenants.call(app, 'PATCH', path, { name: 'x' })).status, 403)
  const other = await newDeveloper(tenants)
  assert.equal((await tenants.call(other.developer, 'PATCH', path, { name: 'x' })).status, 403)
  const unknown = '/organizations/018f0000-0000-7000-8000-000000000000'
  assert.equal((await tenants.call(OPERATOR, 'PATCH', unknown, { name: 'x' })).status, 404)
})
