import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { visiting, visitor } from '../../src/pages/merchant/merchant.fixture.ts'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

/** VIES on loopback. An id without an entry is valid. */
const answers = new Map<string, { status: number; body: string }>()
let asked: string[] = []
const vies = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { countryCode, vatNumber } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>
  const taxId = `${countryCode}/${vatNumber}`
  asked.push(`${request.method} ${request.url} ${taxId}`)
  const { status, body } = answers.get(taxId) ?? said(true)
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
})
const said = (valid: boolean) => ({ status: 200, body: JSON.stringify({ valid, name: 'x'.repeat(4_000) }) })
const BUSY = { status: 200, body: '{"actionSucceed":false,"errorWrappers":[{"error":"MS_UNAVAILABLE"}]}' }

let world: World
before(async () => {
  await new Promise<void>(done => vies.listen(0, '127.0.0.1', done))
  const { port } = vies.address() as AddressInfo
  world = await createWorld({ at: '2026-03-01T00:00:00Z', viesUrl: `http://127.0.0.1:${port}/rest-api` })
  await world.call('PUT', `/organizations/${world.organizationId}/seller`, {
    legalName: 'Example Apps GmbH',
    address: { line1: 'Hafenstr. 1', city: 'Hamburg', postalCode: '20457', countryCode: 'DE' },
    taxId: 'DE123456789',
  })
  for (const country of ['DE', 'FR', 'GR']) {
    await world.call('PUT', `/tax-rates/${country}/2026-01-01`, { behavior: 'EXCLUSIVE', name: 'VAT', rate: '20' })
  }
})
after(async () => {
  await world?.close()
  vies.closeAllConnections()
  vies.close()
})
beforeEach(() => {
  asked = []
  world.clock.set('2026-03-01T00:00:00Z')
})

const check = () => world.app.jobs.taxIds.runOnce()
const statusOf = async (businessId: string) => (await world.call('GET', `/businesses/${businessId}`)).taxIdStatus
const later = (ms: number) => world.clock.set(new Date(world.clock.now().getTime() + ms))
const MINUTE = 60_000
const DAY = 86_400_000

async function business(country: string, taxId: string) {
  const shop = await world.merchant({ country, type: 'MERCHANT' })
  await world.call('PATCH', `/businesses/${shop.businessId}`, { taxId })
  return shop
}

/** The company page of the merchant and the merchant's page of the operator. Sessions end when a test moves the clock. */
async function bothSides(businessId: string) {
  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, person)
  const merchant = await (await visitor(world, businessId)).get('/my/business')
  const operator = await visiting(world, person.token).get(`/ops/merchants/${businessId}`)
  return { merchant: merchant.words, operator: operator.words }
}

test('a valid id is verified once, by the prefix of its country, and again after 30 days', async () => {
  const { businessId } = await business('GR', 'EL 111111111')
  assert.equal(await statusOf(businessId), 'UNVERIFIED')
  assert.equal(await check(), 1)
  assert.equal(await statusOf(businessId), 'VALID')
  await world.call('PATCH', `/businesses/${businessId}`, { legalName: 'Renamed', taxId: 'EL111111111' })
  assert.deepEqual([await statusOf(businessId), await check()], ['VALID', 0])
  later(30 * DAY)
  answers.set('EL/111111111', said(false))
  assert.equal(await check(), 1)
  assert.equal(await statusOf(businessId), 'INVALID')
  assert.deepEqual(asked, Array(2).fill('POST /rest-api/check-vat-number EL/111111111'))
  await world.call('PATCH', `/businesses/${businessId}`, { taxId: '' })
  assert.deepEqual([await statusOf(businessId), await check()], [undefined, 0])
})

test('an invalid id ends the reverse charge for later invoices, and both sides see the state', async () => {
  const shop = await business('FR', 'FR22222222222')
  const planId = await world.plan({ amounts: [{ country: 'FR', currency: 'EUR', value: 1_000 }], interval: 'DAY' })
  await shop.subscribe(planId)
  answers.set('FR/22222222222', said(false))
  const seen = await bothSides(shop.businessId)
  assert.match(seen.merchant, /Not verified yet/)
  assert.match(seen.operator, /FR22222222222 Not verified yet/)
  await check()
  world.clock.set('2026-03-02T00:00:01Z')
  await world.work()
  const taxes = (await shop.invoices()).map(({ tax }) => [tax.reverseCharge, tax.tax])
  assert.deepEqual(taxes, [
    [true, 0],
    [false, 200],
  ])
  const warned = await bothSides(shop.businessId)
  assert.match(warned.merchant, /The tax office does not know FR22222222222\. New invoices include/)
  assert.match(warned.operator, /FR22222222222 Not valid/)
  // The office registered the number meanwhile.
  answers.set('FR/22222222222', said(true))
  later(DAY)
  await check()
  assert.match((await bothSides(shop.businessId)).merchant, /Verified with the tax office/)
})

test('a verification service without a response blocks neither a save nor a purchase, and the check repeats', async () => {
  answers.set('FR/33333333333', BUSY)
  const shop = await business('FR', 'FR33333333333')
  for (const answer of [
    BUSY,
    { status: 500, body: '' },
    { status: 200, body: '<html>' },
    { status: 200, body: '[]' },
  ]) {
    answers.set('FR/33333333333', answer)
    assert.deepEqual([await check(), await check()], [1, 0])
    assert.equal(await statusOf(shop.businessId), 'UNVERIFIED')
    later(15 * MINUTE)
  }
  await shop.subscribe(await world.plan({ amounts: [{ country: 'FR', currency: 'EUR', value: 1_000 }] }))
  assert.equal((await shop.invoices())[0]?.tax.reverseCharge, true)
  answers.delete('FR/33333333333')
  await check()
  assert.equal(await statusOf(shop.businessId), 'VALID')
})

test('a response about an id that changed since is dropped, and two jobs claim an id once', async () => {
  const { businessId } = await business('DE', 'DE444444444')
  answers.set('DE/444444444', said(false))
  const another = await world.openAnother({
    wrap: ports => ({
      ...ports,
      taxIds: {
        check: async () => {
          await world.call('PATCH', `/businesses/${businessId}`, { taxId: 'DE555555555' })
          return 'INVALID'
        },
      },
    }),
  })
  assert.equal(await another.jobs.taxIds.runOnce(), 1)
  assert.equal(await statusOf(businessId), 'UNVERIFIED')
  const claims = await Promise.all([check(), another.jobs.taxIds.runOnce(), check()])
  assert.equal(
    claims.reduce((a, b) => a + b),
    1,
  )
})

test('ids of test merchants and of countries outside the union are never sent', async () => {
  const { businessId } = await world.merchant({ country: 'DE' })
  await world.call('PATCH', `/businesses/${businessId}`, { taxId: 'DE666666666' })
  const swiss = await business('CH', 'CHE123456789')
  assert.deepEqual([await check(), asked], [0, []])
  assert.deepEqual([await statusOf(businessId), await statusOf(swiss.businessId)], ['UNVERIFIED', 'UNVERIFIED'])
  // A move into the union makes the id of the new country due.
  await world.call('PATCH', `/businesses/${swiss.businessId}`, { country: 'DE', taxId: 'DE777777777' })
  assert.equal(await check(), 1)
})
