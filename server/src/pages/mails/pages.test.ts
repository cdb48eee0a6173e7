import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

test('an operator previews a mail in each language and saves its HTML, and a merchant is rejected', async () => {
  const operator = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, operator)
  const { get } = visiting(world, operator.token)
  const page = await get('/mail-preview?kind=PAYMENT_FAILED&language=fr')
  assert.match(page.words, /Le paiement pour Table Planner a échoué/)
  const file = await get('/mail-preview.html?kind=PAYMENT_FAILED&language=fr')
  assert.match(file.text, /<html lang="fr">[\s\S]*Payer 19,00 € maintenant/)
  assert.match(String(file.headers['content-disposition']), /PAYMENT_FAILED-fr\.html/)
  for (const [kind, words] of [
    ['PAYOUT', /We paid €1,250\.00 to Acme/],
    ['ENDPOINT_DISABLED', /The endpoint of Stories at hooks\.acme\.example is switched off/],
    ['TEST', /Olga Olsen sent this mail/],
    ['DAILY_SUMMARY', /2 things need you at Tillhook/],
  ] as const) {
    assert.match((await get(`/mail-preview?kind=${kind}`)).words, words)
    assert.match((await get(`/mail-preview.html?kind=${kind}`)).text, words)
  }
  assert.equal((await get('/mail-preview?kind=NOTHING')).status, 400)

  const shop = await world.merchant()
  const owner = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  assert.equal((await visiting(world, owner.token).get('/mail-preview')).status, 403)
})
