import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const NAMED = {
  legalName: 'Lakeside Apps GmbH',
  address: { line1: 'Seestr. 1', city: 'Bonn', postalCode: '53111', countryCode: 'DE' },
  taxId: 'VAT DE123456789',
}

async function newOrganization() {
  const { organizationId } = await world.developer('Lakeside')
  const path = `/organizations/${organizationId}/seller`
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const name = (body: object, bearer: string | null = token) => world.ask(bearer, 'PUT', path, { body })
  return { organizationId, path, token, name }
}

const recordsOf = async (organizationId: string) => {
  const [row] = await world.app.ports.db.sql<{ count: number }[]>`
    select count(*)::int as count from organization_sellers where organization_id = ${organizationId}`
  return row?.count
}

test("an organization's admins set its seller data, and the same data again changes nothing", async () => {
  const { organizationId, path, token, name } = await newOrganization()
  assert.equal((await world.ask(token, 'GET', path)).body.code, 'RESOURCE_NOT_FOUND')
  const { status, body } = await name({ ...NAMED, unknown: 1, address: { ...NAMED.address, unknown: 1 } })
  assert.equal(status, 200)
  const { createdAt, ...said } = body
  assert.deepEqual(said, { ...NAMED, organizationId })
  assert.deepEqual((await world.ask(token, 'GET', path)).body, body)
  await Promise.all([name(NAMED), name(NAMED), name(NAMED)])
  assert.equal(await recordsOf(organizationId), 1)
  const changed = await name({ legalName: 'Lakeside Ltd.' }, OPERATOR_KEY)
  assert.deepEqual([changed.body.address, changed.body.taxId], [undefined, undefined])
  assert.equal(await recordsOf(organizationId), 2)
})

test('wrong seller data is rejected by field name', async () => {
  const { organizationId, name } = await newOrganization()
  for (const [body, path] of [
    [{}, 'legalName'],
    [{ legalName: '' }, 'legalName'],
    [{ ...NAMED, legalName: 7 }, 'legalName'],
    [{ ...NAMED, taxId: 'x'.repeat(65) }, 'taxId'],
    [{ ...NAMED, address: 'Bonn' }, 'address'],
    [{ ...NAMED, address: { line1: 'x'.repeat(256) } }, 'address.line1'],
    [{ ...NAMED, address: { countryCode: 'XX' } }, 'address.countryCode'],
  ] as const) {
    const { status, body: said } = await name(body)
    assert.deepEqual([status, said.fields?.[0]?.path], [400, path], JSON.stringify(body))
  }
  assert.equal(await recordsOf(organizationId), 0)
})

test('another organization, a member, a merchant and a caller without a token cannot set the seller data', async () => {
  const [own, other] = [await newOrganization(), await newOrganization()]
  const workspace = { kind: 'DEVELOPER', organizationId: own.organizationId } as const
  const [member, viewer] = [await newPerson(world, workspace, 'MEMBER'), await newPerson(world, workspace, 'VIEWER')]
  const { businessId } = await world.merchant()
  const merchant = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  for (const token of [other.token, member.token, viewer.token, merchant.token]) {
    assert.equal((await own.name(NAMED, token)).status, 403)
  }
  assert.equal((await own.name(NAMED, null)).status, 401)
  assert.equal((await world.ask(viewer.token, 'GET', own.path)).status, 404)
  assert.equal((await world.ask(other.token, 'GET', own.path)).status, 403)
  const nobodys = '/organizations/018f0000-0000-7000-8000-000000000000/seller'
  assert.equal((await world.ask(OPERATOR_KEY, 'PUT', nobodys, { body: NAMED })).body.code, 'ORGANIZATION_NOT_FOUND')
  assert.equal(await recordsOf(own.organizationId), 0)
})
