import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { visitor } from './merchant.fixture.ts'

const PAGE = '/my/business'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T00:00:00Z' })
})
after(() => world?.close())

const ENTERED = {
  ...{ legalName: 'Corner Shop GmbH', doingBusinessAs: 'Corner Shop', emailAddress: 'shop@example.com' },
  ...{ billingEmail: 'books@example.com', taxId: 'DE 123 456 789', line1: 'Hauptstr. 1', line2: '', city: 'Köln' },
  ...{ postalCode: '50667', language: 'de', mails: 'REFUND' },
}

test('an owner saves the company data, and later invoices show the tax id', async () => {
  const shop = await world.merchant({ country: 'DE' })
  const ann = await visitor(world, shop.businessId)
  const saved = await ann.send(PAGE, ENTERED)
  assert.equal(saved.location, `${PAGE}?done=saved`)
  const business = await world.call('GET', `/businesses/${shop.businessId}`)
  assert.deepEqual(
    [business.billingEmail, business.taxId, business.language, business.mailsOff, business.address],
    [
      'books@example.com',
      'DE123456789',
      'de',
      ['RECEIPT', 'CARD_EXPIRING', 'RESTORED'],
      { line1: 'Hauptstr. 1', city: 'Köln', postalCode: '50667' },
    ],
  )
  assert.match((await ann.get(`${PAGE}?done=saved`)).text, /value="DE123456789"/)
  await ann.send(PAGE, { ...ENTERED, billingEmail: '', taxId: '' })
  const cleared = await world.call('GET', `/businesses/${shop.businessId}`)
  assert.deepEqual([cleared.billingEmail, cleared.taxId], [undefined, undefined])
})

test('a wrong entry is shown with its error, and nothing is saved', async () => {
  const shop = await world.merchant({ country: 'DE' })
  const ann = await visitor(world, shop.businessId)
  for (const [field, value, words] of [
    ['taxId', 'DE12', /does not look like a tax id of your country/],
    ['billingEmail', 'nobody', /or leave the field empty/],
    ['legalName', ' ', /Enter the legal name/],
    ['emailAddress', '', /Enter an e-mail address, such as/],
  ] as const) {
    const rejected = await ann.send(PAGE, { ...ENTERED, [field]: value })
    assert.equal(rejected.status, 400, field)
    assert.match(rejected.words, words)
  }
  assert.equal((await world.call('GET', `/businesses/${shop.businessId}`)).legalName, 'Corner Shop')
  assert.equal((await ann.send(PAGE, { ...ENTERED, language: 'xx' })).status, 400)
})

test('a viewer sees the data without a form', async () => {
  const shop = await world.merchant()
  const bob = await visitor(world, shop.businessId, 'VIEWER')
  const { words, text } = await bob.get(PAGE)
  assert.match(words, /Legal name Corner Shop/)
  assert.doesNotMatch(text, /name="legalName"/)
})
