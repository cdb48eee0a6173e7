import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { type FakeStripe, startStripe } from '../../../test/support/stripe/server.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { visiting } from '../merchant/merchant.fixture.ts'

let stripe: FakeStripe
let world: World
before(async () => {
  stripe = await startStripe()
  const { secretKey, webhookSecret, url: apiBase } = stripe
  world = await createWorld({
    ...{ at: '2026-01-10T12:00:00Z', paysByConnect: true },
    stripe: { secretKey, webhookSecret, apiBase },
  })
})
after(async () => {
  await world?.close()
  await stripe?.close()
})

test('a developer opens the account, the operator pays a month out with one button, and both see the payout', async () => {
  const { organizationId } = await world.developer()
  const adjustment = { kind: 'ADJUSTMENT', amount: 800, currency: 'USD', reason: 'sales' }
  await world.call('POST', `/organizations/${organizationId}/adjustments`, adjustment, 201)
  world.clock.set('2026-02-02T00:00:00Z')
  const developer = async (role: 'ADMIN' | 'VIEWER') =>
    visiting(world, (await newPerson(world, { kind: 'DEVELOPER', organizationId }, role)).token)
  const dora = await developer('ADMIN')
  assert.match((await dora.get('/dev/statements')).text, /href="\/dev\/payouts"/)
  assert.match((await dora.get('/dev/payouts')).words, /Payout account Not set up.*Set up payouts/)
  const opened = await dora.send('/dev/payouts', {}, '/dev/payouts/account')
  const [, accountId = ''] = /href="https:\/\/connect\.stripe\.test\/setup\/(\w+)\?/.exec(opened.text) ?? []
  const account = stripe.state.things.get(accountId)
  assert.ok(account)
  assert.match((await dora.get('/dev/payouts')).words, /Incomplete.*Complete the account/)
  assert.doesNotMatch((await (await developer('VIEWER')).get('/dev/payouts')).words, /Complete the account/)

  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, person)
  const olga = visiting(world, person.token)
  const page = `/ops/organizations/${organizationId}/payouts`
  assert.match((await olga.get(`/ops/organizations/${organizationId}`)).text, new RegExp(`href="${page}"`))
  assert.match((await olga.get(page)).words, /Owed, USD \$8\.00.*Incomplete The developer completes the account/)
  account.capabilities.transfers = 'active'
  assert.match((await olga.get(page)).words, /The balance at the end of January 2026 was \$8\.00/)
  const sent = await olga.send(page, { month: '2026-01', currency: 'USD' }, page)
  assert.equal(sent.location, `${page}?done=ordered`)
  assert.match(
    (await olga.get(`${page}?done=ordered`)).words,
    /The transfer is ordered.*January 2026 \$8\.00 On its way/,
  )
  await world.app.jobs.payoutTransfers.runOnce()
  assert.match((await olga.get(page)).words, /Owed, USD \$0\.00.*January 2026 \$8\.00 Paid .* Payout \$8\.00 tr_/)
  assert.match((await dora.get('/dev/payouts')).words, /Ready.*January 2026 \$8\.00 Paid/)
  const entries = await world.app.ports.db.sql<{ name: string }[]>`
    select distinct method || ' ' || path as name from audit_entries where path like '%/payouts%' order by 1`
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['POST /dev/payouts/account', 'POST /ops/organizations/:organizationId/payouts'],
  )

  const booking = `${page}/book`
  assert.match((await olga.get(page)).text, new RegExp(`href="${booking}"`))
  const enter = (kind: string, amount: string, reference: string) =>
    olga.send(booking, { kind, currency: 'USD', amount, reference }, booking)
  assert.match((await enter('PAYOUT', '0.01', 'wire 1')).words, /at most what is owed: \$0\.00/)
  assert.match((await enter('CREDIT', '5,5', ' ')).words, /Enter a reference/)
  assert.match((await enter('CREDIT', '-5', 'sorry')).words, /Enter an amount above 0/)
  assert.equal((await enter('CREDIT', '5.50', 'sorry')).location, `${page}?done=booked`)
  assert.match((await enter('DEBIT', '1', 'sorry')).words, /this reference exists already/)
  assert.match((await olga.get(`${booking}?currency=USD`)).text, /<input[^>]* name="amount"[^>]* value="5\.50"/)
  const twice = await Promise.all([enter('PAYOUT', '5', 'wire 1'), enter('PAYOUT', '5', 'wire 1')])
  assert.deepEqual(twice.map(({ status }) => status).sort(), [303, 400])
  assert.equal((await enter('FEE', '2', 'bank')).status, 303)
  const booked = (await olga.get(`${page}?done=booked`)).words
  assert.match(booked, /The booking is made.*The developer owes you \$1\.50.*Fee \$2\.00 bank.*Payout \$5\.00 wire 1/)
  const months = `${page}/months/2026-02`
  assert.match(booked, /February 2026 USD \$8\.00 −\$1\.50 Open until 1 March 2026 PDF statement of 2026-02 · CSV/)
  const pdf = await olga.get(`${months}/statement.pdf`)
  assert.equal(pdf.headers['content-type'], 'application/pdf')
  assert.equal((await olga.get(`${page}/months/2025-01/statement.pdf`)).status, 404)
  assert.match((await olga.get(`${months}/lines.csv`)).text, /CLOSING,2026-02,OPEN,USD,.*,-1\.50/)
  const journal = (await olga.get(`${months}/journal.csv?part=1`)).text.trimEnd().split('\r\n').slice(1)
  // The debits and credits of the developer's account are the net of the statement.
  const moved = journal
    .map(row => row.split(','))
    .filter(([, , account]) => account === 'Organization')
    .reduce((sum, [, , , debit, credit]) => sum + Math.round((Number(credit) - Number(debit)) * 100), 0)
  assert.equal(moved, -950)
  assert.equal((await dora.get(`${months}/journal.csv`)).status, 404)
  const { token, membershipId } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')
  const inLive = visiting(world, `${token}; tillhook-mode=live.${membershipId}`)
  assert.match((await inLive.get('/dev/statements')).words, /You owe the operator \$1\.50/)
  assert.match(
    (await inLive.get('/dev/statements/2026-02')).text,
    /href="\/dev\/statements\/2026-02\/journal\.csv\?part=1"/,
  )
  assert.match((await inLive.get('/dev/statements/2026-02/journal.csv')).text, /,Organization,2\.00,,USD,Fee,bank/)
  assert.equal((await dora.get(booking)).status, 404)

  const other = await world.developer('other')
  const stranger = await newPerson(world, { kind: 'DEVELOPER', organizationId: other.organizationId }, 'ADMIN')
  assert.doesNotMatch((await visiting(world, stranger.token).get('/dev/payouts')).words, /\$8\.00/)
  assert.equal((await visiting(world, stranger.token).get(page)).status, 404)
})
