import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { reconcile } from '../../src/money/billing/reconcile.ts'
import { disputeAtGateway } from '../../src/money/gateway/sandbox/payments.ts'
import { newPerson } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

/** The decision of the payer's bank, with what we learn of it. */
async function bank(gatewayChargeId: string, status: 'open' | 'won'): Promise<void> {
  const { ports } = world.app
  await disputeAtGateway(ports, { gatewayChargeId, disputeId: `dp_${gatewayChargeId}`, amount: 999, status })
  await reconcile(ports, ports.gateways.sandbox, gatewayChargeId)
}

/** A merchant whose bank asks for the payment back. */
async function disputed() {
  const { appId, organizationId } = await world.developer()
  const planId = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 999 }] }, appId)
  const shop = await world.merchant({ type: 'MERCHANT' })
  await world.call('POST', `/apps/${appId}/subscriptions`, { businessId: shop.businessId, planId })
  await world.work()
  const [invoice] = await shop.invoices()
  const [object] = await world.app.ports.db.sql<{ id: string }[]>`
    select gateway_charge_id as id from charge_objects where invoice_id = ${invoice?.invoiceId}`
  assert.ok(object)
  await bank(object.id, 'open')
  return { shop, organizationId, gatewayChargeId: object.id }
}

test('evidence reaches the bank once: repeats, other words, the deadline, a decision and other organizations', async () => {
  const { ports } = world.app
  const [story, other] = [await disputed(), await world.developer()]
  const [{ disputeId, evidenceDueAt }] = (await world.call('GET', `/disputes?businessId=${story.shop.businessId}`))
    .disputes
  const path = `/disputes/${disputeId}`
  const member = (await newPerson(world, { kind: 'DEVELOPER', organizationId: story.organizationId }, 'MEMBER')).token
  const viewer = (await newPerson(world, { kind: 'DEVELOPER', organizationId: story.organizationId }, 'VIEWER')).token
  const stranger = (await newPerson(world, { kind: 'DEVELOPER', organizationId: other.organizationId }, 'ADMIN')).token
  const send = (token: string, body: object) => world.ask(token, 'POST', `${path}/evidence`, { body })
  const words = { productDescription: ' A till ', customerCommunication: 'They use it.\r\n', uncategorizedText: '  ' }

  assert.equal((await send(stranger, words)).status, 404)
  assert.equal((await world.ask(stranger, 'GET', path)).status, 404)
  assert.equal((await send(viewer, words)).status, 403)
  assert.equal((await send(member, { uncategorizedText: ' ' })).status, 400)
  const sent = await Promise.all([send(member, words), send(member, words)])
  const evidence = { productDescription: 'A till', customerCommunication: 'They use it.' }
  for (const { status, body } of sent) assert.deepEqual([status, body.evidence], [200, evidence])
  const there = await ports.db
    .sql`select evidence from sandbox_disputes where dispute_id = ${`dp_${story.gatewayChargeId}`}`
  assert.deepEqual(there[0]?.evidence, evidence)
  assert.partialDeepStrictEqual((await world.ask(viewer, 'GET', path)).body, {
    evidence,
    evidenceDueAt,
    status: 'OPEN',
  })
  assert.equal((await send(member, { productDescription: 'Another' })).body.code, 'EVIDENCE_SENT')

  // A crash between the gateway's acceptance and our commit: the same request finishes.
  await ports.db.sql`delete from dispute_evidence where dispute_id = ${disputeId}`
  assert.equal((await send(member, { productDescription: 'Another' })).body.code, 'EVIDENCE_REJECTED')
  assert.equal((await send(member, words)).status, 200)

  await bank(story.gatewayChargeId, 'won')
  assert.equal((await send(member, words)).status, 200)
  await ports.db.sql`delete from dispute_evidence where dispute_id = ${disputeId}`
  assert.equal((await send(member, words)).body.code, 'DISPUTE_DECIDED')
  await ports.db.sql`
    update disputes set status = 'OPEN', evidence_due_at = ${new Date(ports.clock.now().getTime() - 1)} where dispute_id = ${disputeId}`
  assert.equal((await send(member, words)).body.code, 'EVIDENCE_PAST_DUE')
  await ports.db.sql`update disputes set status = 'WON' where dispute_id = ${disputeId}`
})
