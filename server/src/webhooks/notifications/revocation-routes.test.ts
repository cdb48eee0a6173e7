import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { tokenByConsent } from '../../../test/support/tokens.ts'
import { fieldsOf, newVisitor } from '../../../test/support/visitor.ts'
import { createWorld, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

/** A merchant that approved the app, and the app's token for the merchant, cached by two processes. */
async function approved() {
  const { businessId } = await world.merchant({ card: 'none' })
  const other = await world.openAnother()
  const token = await tokenByConsent(world, world.credentials, { businessId, rights: 'READ' })
  const read = async (app = world.app) => (await world.ask(token, 'GET', `/businesses/${businessId}`, { app })).status
  assert.deepEqual([await read(), await read(other)], [200, 200])
  return { businessId, other, read }
}

test('a revoked approval ends its tokens at once here, and in other processes after one poll', async () => {
  const { businessId, other, read } = await approved()
  await world.call('DELETE', `/businesses/${businessId}/approvals/${world.appId}`, undefined, 204)
  assert.deepEqual([await read(), await read(other)], [401, 200])
  await other.jobs.revocations.runOnce()
  assert.equal(await read(other), 401)
})

test("the merchant's page for ending access has the same effect", async () => {
  const { businessId, read } = await approved()
  const { token } = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  const visitor = newVisitor(world.app, token)
  const path = `/my/apps/${world.appId.slice('urn:aid:'.length)}/revoke`
  const posted = await visitor.post(path, fieldsOf((await visitor.get(path)).body, ''))
  assert.equal(posted.statusCode, 303)
  assert.equal(await read(), 401)
})
