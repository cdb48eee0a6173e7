import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { formOf, visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

async function developer(role: PersonRole = 'ADMIN', organizationId = world.organizationId) {
  const person = await newPerson(world, { kind: 'DEVELOPER', organizationId }, role)
  return visiting(world, person.token)
}

/** A merchant who paid $5.00. */
async function paidFive() {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  const of = `/dev/apps/${world.appId.split(':').at(-1)}/subscriptions/${subscriptionId}`
  return { shop, of, path: `${of}/invoices/${invoice?.invoiceId}/refund` }
}

test('a partial refund follows its preview, and sending the form twice refunds once', async () => {
  const { shop, of, path } = await paidFive()
  const ann = await developer()
  assert.match((await ann.get(of)).text, new RegExp(`href="${path}"`))
  assert.match((await ann.get(path)).text, /value="5\.00"/, 'the whole payment is proposed')
  const preview = await ann.send(path, { amount: '2,01', reason: 'Two bad days' }, `${path}/preview`)
  assert.match(
    preview.words,
    /The merchant receives \$2\.01 Taken from your balance \$1\.61 Returned by the platform \$0\.40/,
  )
  assert.match(preview.words, /Reason Two bad days/)
  const fields = formOf(preview.text, path)?.hidden ?? assert.fail('the form that refunds')
  for (let times = 0; times < 2; times++) {
    const sent = await ann.post(path, fields)
    assert.deepEqual([sent.status, sent.location], [303, `${of}?done=refunded`])
  }
  await world.work()
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.amountRefunded, invoice?.refunds.length], [201, 1])
  assert.equal(invoice?.refunds[0].reason, 'Two bad days')
  const refunded = (await ann.get('/dev/invoices?status=REFUNDED')).words
  assert.match(refunded, new RegExp(`Refunded .*${invoice?.number} .*\\$2\\.01 refunded`))
  assert.match((await ann.get(`${of}?done=refunded`)).words, /Refund ordered/)
  const [entry] = await world.app.ports.db.sql<{ organization: number; operator: number }[]>`
    select organization::int, operator::int from ledger_transactions where kind = 'REFUND' order by booked_at desc limit 1`
  assert.deepEqual(entry, { organization: 161, operator: 40 }, 'the books say what the preview said')
  assert.match((await ann.get(path)).text, /value="2\.99"/)
  await shop.refund(path.split('/').at(-2) ?? '', {})
  const { location } = await ann.get(path)
  assert.equal(location, `${of}?done=no-refund`)
  assert.match((await ann.get(location)).words, /Nothing is left to refund/)
})

test('a wrong amount is rejected in the form and refunds nothing', async () => {
  const { shop, path } = await paidFive()
  const [paid] = await shop.invoices()
  const ann = await developer()
  for (const [amount, words] of [
    ['', /Enter an amount in USD/],
    ['0', /Enter an amount in USD/],
    ['-1', /Enter an amount in USD/],
    ['1.001', /Enter an amount in USD/],
    ['<b>5</b>', /Enter an amount in USD/],
    ['5.01', /more than the part of the payment/],
  ] as const) {
    const answer = await ann.send(path, { amount, reason: '' }, `${path}/preview`)
    assert.equal(answer.status, 400, amount)
    assert.match(answer.words, words)
    assert.doesNotMatch(answer.text, /<b>5/)
  }
  assert.ok(!(await ann.get('/dev/invoices?status=REFUNDED')).words.includes(paid?.number ?? ''))
  const { csrf = '' } = formOf((await ann.get(path)).text, `${path}/preview`)?.hidden ?? {}
  const refundId = '01a20ce6-6638-7202-956b-076ede4a2d2c'
  for (const wrong of [{ amount: '501' }, { amount: '0' }, { amount: '1.5' }, { refundId: 'x' }, { csrf: 'x' }]) {
    const { status } = await ann.post(path, { csrf, amount: '100', reason: '', refundId, ...wrong })
    assert.ok(status === 400 || status === 403, `${JSON.stringify(wrong)}: ${status}`)
  }
  await world.work()
  assert.equal((await shop.invoices())[0]?.refunds.length, 0)
})

test('another organization, a viewer and a member without the right cannot refund', async () => {
  const { shop, of, path } = await paidFive()
  const other = await developer('ADMIN', (await world.developer('Other')).organizationId)
  assert.equal((await other.get(path)).status, 404)
  const viewer = await developer('VIEWER')
  assert.doesNotMatch((await viewer.get(of)).text, /refund"/)
  assert.equal((await viewer.get(path)).status, 403)
  const elsewhere = await paidFive()
  const mixed = path.replace(of, elsewhere.of)
  assert.equal((await (await developer()).get(mixed)).status, 404, 'an invoice of another subscription')
  assert.equal((await shop.invoices())[0]?.refunds.length, 0)
})
