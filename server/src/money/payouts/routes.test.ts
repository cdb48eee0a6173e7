import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

/** An organization that is owed $8.00: a charge of $10.00 less the operator's 20 %. */
async function owed() {
  const { appId, organizationId } = await world.developer()
  const amounts = [{ country: 'US', currency: 'USD', value: 1_000 }]
  const planId = await world.plan({ name: 'Pro', amounts }, appId)
  const { businessId } = await world.merchant({ type: 'MERCHANT' })
  await world.call('POST', `/apps/${appId}/subscriptions`, { businessId, planId })
  await world.work()
  await world.mails()
  const path = `/organizations/${organizationId}`
  const post = async (what: string, body: Json) => {
    const { status, body: answer } = await world.ask(OPERATOR_KEY, 'POST', `${path}/${what}`, { body })
    return { status, code: answer.code, field: answer.fields?.[0]?.path, answer }
  }
  const pay = (amount: number, reference: string, currency = 'USD') => post('payouts', { amount, currency, reference })
  return { organizationId, businessId, path, post, pay, balance: () => world.call('GET', `${path}/balance`) }
}

test('a payout reduces the balance, is mailed to the developer, and is listed', async () => {
  const { path, pay, balance } = await owed()
  const { status, answer } = await pay(300, 'SEPA 1')
  assert.deepEqual([status, answer.kind, answer.amount, answer.owed], [201, 'PAYOUT', 300, 500])
  assert.partialDeepStrictEqual((await balance()).balances, [{ charged: 1_000, share: 200, paidOut: 300, owed: 500 }])
  const { list, total } = await world.call('GET', `${path}/payouts`)
  assert.deepEqual([total, list[0].reference, list[0].bookingId], [1, 'SEPA 1', answer.bookingId])
  const [mail] = await world.mails()
  assert.match(mail?.subject ?? '', /^Payout of \$3\.00$/)
  assert.match(mail?.html ?? '', /<p>Reference: SEPA 1<\/p>[\s\S]*href="[^"]*\/dev\/statements"/)
})

test('no payout exceeds the owed amount, in any currency, also with concurrent payouts', async () => {
  const { pay, balance } = await owed()
  assert.deepEqual(
    [(await pay(801, 'too much')).code, (await pay(1, 'no yen', 'JPY')).code],
    ['PAYOUT_EXCEEDS_OWED', 'PAYOUT_EXCEEDS_OWED'],
  )
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map(reference => pay(500, reference)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
  assert.equal((await balance()).balances[0].owed, 300)
  assert.equal((await pay(300, 'the rest')).answer.owed, 0)
})

test('a reference is booked once, also concurrently', async () => {
  const { pay, balance } = await owed()
  const answers = await Promise.all([pay(100, 'same'), pay(100, 'same'), pay(100, 'same')])
  assert.deepEqual(answers.map(({ status, code }) => code ?? status).sort(), [
    201,
    'REFERENCE_BOOKED',
    'REFERENCE_BOOKED',
  ])
  assert.equal((await balance()).balances[0].owed, 700)
})

test('a fee and positive and negative adjustments change the balance, and a refund may make the balance negative', async () => {
  const { businessId, post, pay, balance } = await owed()
  assert.equal(
    (await post('adjustments', { kind: 'FEE', amount: 30, currency: 'USD', reason: 'fee' })).answer.owed,
    770,
  )
  const up = { kind: 'ADJUSTMENT', amount: 50, currency: 'USD', reason: 'goodwill' }
  assert.equal((await post('adjustments', up)).answer.owed, 820)
  assert.equal((await post('adjustments', { ...up, amount: -20, reason: 'correction' })).answer.owed, 800)
  assert.equal((await pay(800, 'all')).answer.owed, 0)
  const [invoice] = (await world.call('GET', `/businesses/${businessId}/invoices`)).list
  await world.call('POST', `/businesses/${businessId}/invoices/${invoice.invoiceId}/refunds`, { amount: 500 }, 201)
  await world.work()
  assert.partialDeepStrictEqual((await balance()).balances, [
    { refunded: 500, share: 100, fees: 30, paidOut: 800, adjusted: 30, owed: -400 },
  ])
})

test('a statement opens with the closing balance of the previous month, with fees and payouts, before and after folds', async () => {
  const { path, pay, post } = await owed()
  await pay(300, 'January')
  world.clock.set('2026-02-03T00:00:00Z')
  await post('adjustments', { kind: 'FEE', amount: 40, currency: 'USD', reason: 'February' })
  for (const folded of [false, true]) {
    if (folded) while ((await world.app.jobs.ledgerTotals.runOnce()) > 0);
    const { list: months } = await world.call('GET', `${path}/statements`)
    assert.partialDeepStrictEqual(months, [
      { month: '2026-02', opening: 500, fees: 40, net: -40, closing: 460 },
      { month: '2026-01', opening: 0, paidOut: 300, net: 500, closing: 500 },
    ])
    const { list } = await world.call('GET', `${path}/statements/2026-01`)
    assert.partialDeepStrictEqual(list, [
      { opening: 0, paidOut: 300, closing: 500, lines: [{ charged: 1_000, net: 800 }] },
    ])
    const february = await world.call('GET', `${path}/statements/2026-02`)
    assert.deepEqual(february.list[0].lines, [])
  }
  const csv = await world.ask(OPERATOR_KEY, 'GET', `${path}/statements/2026-01/lines.csv`)
  assert.match(
    csv.text,
    /CLOSING,2026-01,[A-Z]+,USD,,,,,1,10\.00,0,0\.00,0\.00,2\.00,0\.00,0\.00,0\.00,3\.00,0\.00,5\.00,5\.00/,
  )
  world.clock.set('2026-01-10T12:00:00Z')
})

test('the journal has every booking of the month, and the debits of each entry equal its credits', async () => {
  const { path, pay } = await owed()
  await pay(300, '=HYPERLINK("x")')
  const { text, headers } = await world.ask(OPERATOR_KEY, 'GET', `${path}/statements/2026-01/journal.csv`)
  const [header = '', ...rows] = text.trimEnd().split('\r\n')
  assert.equal(header, 'date,entry,account,debit,credit,currency,text,reference')
  const entries = new Map<string, number>()
  for (const row of rows) {
    const [date = '', entry = '', , debit = '', credit = ''] = row.split(',')
    assert.match(date, /^2026-01-10$/)
    assert.equal([debit, credit].filter(amount => /^\d+\.\d\d$/.test(amount)).length, 1, row)
    entries.set(entry, (entries.get(entry) ?? 0) + Math.round((Number(debit) - Number(credit)) * 100))
  }
  assert.deepEqual([...entries.values()], [0, 0])
  const lines = rows.map(row => row.replace(/^[^,]+,[^,]+,/, ''))
  const number = lines[0]?.split(',').at(-1)
  assert.deepEqual(lines, [
    `Gateway,10.00,,USD,Payment,${number}`,
    `Operator share,,2.00,USD,Payment,${number}`,
    `Organization,,8.00,USD,Payment,${number}`,
    `Organization,3.00,,USD,Payout,"'=HYPERLINK(""x"")"`,
    `Gateway,,3.00,USD,Payout,"'=HYPERLINK(""x"")"`,
  ])
  assert.match(number ?? '', /^2026-\d+$/)
  assert.match(String(headers['content-disposition']), /journal-2026-01\.csv/)
  const empty = await world.ask(OPERATOR_KEY, 'GET', `${path}/statements/2026-01/journal.csv?part=2`)
  assert.equal(empty.text.trimEnd().split('\r\n').length, 1)
})

test('bad input names its field, and an unknown organization is not found', async () => {
  const { post, pay, path } = await owed()
  for (const [body, field] of [
    [{ amount: 0, currency: 'USD', reference: 'x' }, 'amount'],
    [{ amount: 1.5, currency: 'USD', reference: 'x' }, 'amount'],
    [{ amount: 1, currency: 'usd', reference: 'x' }, 'currency'],
    [{ amount: 1, currency: 'XXX', reference: 'x' }, 'currency'],
    [{ amount: 1, currency: 'USD', reference: '' }, 'reference'],
  ] as const) {
    const { status, field: named } = await post('payouts', body)
    assert.deepEqual([status, named], [400, field])
  }
  const fee = await post('adjustments', { kind: 'FEE', amount: -1, currency: 'USD', reason: 'x' })
  assert.deepEqual([fee.status, fee.field], [400, 'amount'])
  const unknown = await world.ask(OPERATOR_KEY, 'POST', `/organizations/${UNKNOWN}/payouts`, {
    body: { amount: 1, currency: 'USD', reference: 'x' },
  })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'ORGANIZATION_NOT_FOUND'])
  assert.equal((await pay(1, 'fine')).status, 201)
  assert.equal((await world.ask(OPERATOR_KEY, 'GET', `${path}/payouts?count=0`)).status, 400)
})
