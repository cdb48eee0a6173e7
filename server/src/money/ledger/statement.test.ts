import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { reconcile } from '../billing/reconcile.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-05T00:00:00Z' })
})
after(() => world?.close())

test('a closed month keeps its numbers when the app is renamed, and excludes failed refunds', async () => {
  const { app, call, organizationId, clock } = world
  const other = await call('POST', '/apps', { organizationId, name: 'Aloft', packageName: 'com.example.aloft' })
  const shop = await world.merchant({ type: 'MERCHANT' })
  await shop.subscribe(await world.plan())
  const planId = await world.plan({}, other.appId)
  await call('POST', `/apps/${other.appId}/subscriptions`, { businessId: shop.businessId, planId })
  await world.work()
  const invoice = (await shop.invoices()).find(({ appId }) => appId === world.appId)
  await shop.refund(invoice?.invoiceId, { amount: 200 })
  await shop.refund(invoice?.invoiceId, { amount: 100 })
  const [object] = await app.ports.db.sql<{ id: string }[]>`
    update sandbox_refunds set outcome = '{"kind": "failed", "code": "expired_or_canceled_card"}' where amount = 200
    returning gateway_charge_id as id`
  await reconcile(app.ports, app.ports.gateways.sandbox, object?.id ?? '')

  clock.set('2026-02-02T00:00:00Z')
  const path = `/organizations/${organizationId}/statements/2026-01`
  const before = await call('GET', path)
  assert.equal(before.status, 'CLOSED')
  const [part] = before.list
  assert.deepEqual([part.charges, part.refunds, part.refunded], [2, 1, 100])
  const ids = part.lines.map(({ appId }: { appId: string }) => appId)
  assert.deepEqual(ids, [world.appId, other.appId].toSorted())
  for (const [appId, name] of [[world.appId, 'Zenith'] as const, [other.appId, 'Zulu'] as const]) {
    await call('PATCH', `/apps/${appId}`, { name })
    const after = await call('GET', path)
    const rename = (line: { appId: string }) => (line.appId === appId ? { ...line, appName: name } : line)
    for (const one of before.list) one.lines = one.lines.map(rename)
    assert.deepEqual(after, before)
  }
})

test('a refund that fails in a later month is subtracted there', async () => {
  const { app, call, organizationId, clock } = world
  clock.set('2026-03-05T00:00:00Z')
  const shop = await world.merchant({ type: 'MERCHANT' })
  await shop.subscribe(await world.plan())
  await shop.refund((await shop.invoices())[0]?.invoiceId, { amount: 300 })
  clock.set('2026-04-01T00:00:00Z')
  const [object] = await app.ports.db.sql<{ id: string }[]>`
    update sandbox_refunds set outcome = '{"kind": "failed", "code": "expired_or_canceled_card"}' where amount = 300
    returning gateway_charge_id as id`
  await reconcile(app.ports, app.ports.gateways.sandbox, object?.id ?? '')
  const sumsOf = async (month: string) => {
    const { list } = await call('GET', `/organizations/${organizationId}/statements/${month}`)
    return list.map(({ refunds, refunded }: { refunds: number; refunded: number }) => [refunds, refunded])
  }
  assert.deepEqual(await sumsOf('2026-03'), [[1, 300]])
  assert.deepEqual(await sumsOf('2026-04'), [[-1, -300]])
})
