import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AnyRoute } from '../../src/platform/http/route.ts'
import { tokenWithin } from '../support/tokens.ts'
import { type Answer, createWorld, OPERATOR_KEY, type World } from '../support/world.ts'
import { everythingOf } from './everything.ts'
import { createProber, nameOf, type Probe, type Prober } from './probe.ts'
import { fieldsOf, type Ids, type Schema } from './samples.ts'
import { makeTenant, type Tenant } from './tenant.ts'

/*
 * Two organizations, two apps, two merchants, and every route of the service: what is one's is for the other as if it did
 * not exist, and nothing that the other tries changes it.
 */

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let owner: Tenant
let other: Tenant
let routes: readonly AnyRoute[]
before(async () => {
  world = await createWorld()
  owner = await makeTenant(world)
  other = await makeTenant(world)
  routes = world.app.routes.filter(route => route.operation !== 'public')
})
after(() => world?.close())

async function onEach(attempt: (route: AnyRoute, prober: Prober) => Promise<void>): Promise<void> {
  const [prober, before] = [createProber(world), await everythingOf(world, owner)]
  for (const route of routes) await attempt(route, prober)
  assert.deepEqual(prober.faults, [])
  assert.ok(prober.sent > 0)
  assert.deepEqual(await everythingOf(world, owner), before, 'something of the owner has changed')
}

/** The same ids, of resources that do not exist. */
function unknown(ids: Ids): Ids {
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, id.replace(/[0-9a-f]{8}-[0-9a-f-]{27}$/, UNKNOWN)]),
  )
}

/** A response without the parts that differ between requests. */
function saying({ status, text, body }: Answer): string {
  return `${status} ${text.replaceAll(String(body.requestId), '')}`
}

const isRejected = ({ status }: Answer) => status === 401 || status === 403 || status === 404
const names = (schema: unknown, ids: Ids) =>
  Object.keys((schema as Schema | undefined)?.properties ?? {}).filter(name => name in ids)

test('the owner’s own token can read its resources, so the rejections below are meaningful', async () => {
  const prober = createProber(world)
  const read: string[] = []
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const answer = await prober.send(route, 'own', { ids: owner.ids, bearer: owner.token })
    if (answer.status === 200) read.push(nameOf(route))
  }
  assert.deepEqual(prober.faults, [])
  assert.deepEqual(read.sort(), [
    'GET /apps/:appId/deliveries',
    'GET /apps/:appId/deliveries/:deliveryId',
    'GET /apps/:appId/deliveries/redeliveries',
    'GET /apps/:appId/deliveries/redeliveries/:redeliveryId',
    'GET /apps/:appId/events/stream',
    'GET /apps/:appId/plans',
    'GET /apps/:appId/purchases/:purchaseId',
    'GET /apps/:appId/subscriptions',
    'GET /apps/:appId/subscriptions/:subscriptionId',
    'GET /businesses',
    'GET /businesses/:businessId',
    'GET /businesses/:businessId/deliveries',
    'GET /businesses/:businessId/deliveries/:deliveryId',
    'GET /businesses/:businessId/invoices',
    'GET /businesses/:businessId/invoices.zip',
    'GET /businesses/:businessId/invoices/:invoiceId',
    'GET /businesses/:businessId/invoices/:invoiceId/e-invoice.xml',
    'GET /businesses/:businessId/orders/:orderId',
    'GET /charges',
    'GET /disputes',
    'GET /hooks',
    'GET /hooks/:hookId',
    'GET /hooks/:hookId/health',
    'GET /invoices',
    'GET /subscriptions/search',
    'GET /terminals',
  ])
})

test('another app’s token is rejected by every route as if the resource did not exist', () =>
  onEach(async (route, prober) => {
    const [answer, nothing] = [
      await prober.send(route, 'foreign', { ids: owner.ids, bearer: other.token }),
      await prober.send(route, 'unknown', { ids: unknown(owner.ids), bearer: other.token }),
    ]
    prober.expect(isRejected(answer), route, 'foreign', answer)
    prober.expect(!revealsIdOf(owner, answer), route, 'reveals an id', answer)
    prober.expect(saying(answer) === saying(nothing), route, `unlike ${saying(nothing)}`, answer)
  }))

test('a foreign id in the path, query or body is rejected or not found', () =>
  onEach(async (route, prober) => {
    const parts = [
      ['params', names(route.params, other.ids)],
      ['query', names(route.query, other.ids)],
      ['body', names(route.body, other.ids)],
    ] as const
    for (const [part, fields] of parts) {
      for (const field of fields) {
        const ask = (ids: Ids) => prober.send(route, `${part} ${field}`, mixed(route, part, field, ids))
        const [answer, nothing] = [await ask(owner.ids), await ask(unknown(owner.ids))]
        const what = `${part} ${field}`
        prober.expect(isRejected(answer) || (part === 'query' && answer.status === 200), route, what, answer)
        prober.expect(!revealsIdOf(owner, answer), route, `${what} reveals an id`, answer)
        prober.expect(saying(answer) === saying(nothing), route, `${what} unlike ${saying(nothing)}`, answer)
      }
    }
  }))

test('a resource of another app or business is not found below this one, even by the operator', () =>
  onEach(async (route, prober) => {
    const fields = names(route.params, other.ids)
    if (fields.length < 2) return
    for (const field of fields) {
      const params = { [field]: encodeURIComponent(String(owner.ids[field])) }
      const answer = await prober.send(route, `${field} elsewhere`, { ids: other.ids, params, bearer: OPERATOR_KEY })
      prober.expect(answer.status === 404, route, `${field} elsewhere`, answer)
    }
  }))

test('an app’s token within one merchant sees nothing of another merchant of the same app', async () => {
  const neighbour = await world.merchant()
  const body = { businessId: neighbour.businessId, planId: owner.ids.planId }
  await world.call('POST', `/apps/${owner.app.appId}/subscriptions`, body)
  const bearer = await tokenWithin(world, owner.app, neighbour.businessId)
  const ofApp = ['organizationId', 'appId', 'applicationId', 'planId', 'releaseId', 'kid']
  // A notification names its hook, also where the hook listens to all merchants.
  const shared = new Set([...ofApp, 'hookId'].map(name => String(owner.ids[name]).replace(/^urn:\w+:/, '')))
  const merchant = { ...owner, everyId: owner.everyId.filter(id => !shared.has(id)) }
  await onEach(async (route, prober) => {
    const namesMerchant = names(route.params, owner.ids).some(name => !ofApp.includes(name))
    for (const query of [undefined, '']) {
      const answer = await prober.send(route, 'within another', {
        ...{ ids: owner.ids, bearer },
        ...(query === undefined ? {} : { query }),
      })
      prober.expect(!namesMerchant || isRejected(answer), route, 'within another', answer)
      prober.expect(
        !revealsIdOf(merchant, answer),
        route,
        `reveals ${merchant.everyId.filter(id => answer.text.includes(id))}`,
        answer,
      )
    }
  })
})

function revealsIdOf({ everyId }: Pick<Tenant, 'everyId'>, { text }: Answer): boolean {
  return everyId.some(id => text.toLowerCase().includes(id))
}

/** The other tenant's own request with one foreign field. */
function mixed(route: AnyRoute, part: 'params' | 'query' | 'body', field: string, ids: Ids): Probe {
  const probe = { ids: other.ids, bearer: other.token }
  const foreign = String(ids[field])
  if (part === 'params') return { ...probe, params: { [field]: encodeURIComponent(foreign) } }
  const fields = { ...fieldsOf(route[part], other.ids), [field]: foreign }
  if (part === 'body') return { ...probe, body: fields }
  return { ...probe, query: new URLSearchParams(fields as Record<string, string>).toString() }
}
