import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FakeStripe, startStripe } from '../../../test/support/stripe/server.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let stripe: FakeStripe
let world: World
before(async () => {
  stripe = await startStripe({ now: () => world?.clock.now() ?? new Date() })
  const { secretKey, webhookSecret, url: apiBase } = stripe
  const account = { secretKey, webhookSecret, apiBase }
  world = await createWorld({ at: '2026-01-10T12:00:00Z', stripe: account, paysByConnect: true })
})
after(async () => {
  await world?.close()
  await stripe?.close()
})

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'
const MINUTE = 60_000
const later = (ms: number) => world.clock.set(new Date(world.clock.now().getTime() + ms))
const run = () => world.app.jobs.payoutTransfers.runOnce()
const transfersAtStripe = () => [...stripe.state.things.values()].filter(({ object }) => object === 'transfer')

/** An organization that is owed $8.00 of January, and a clock in February. */
async function owed({ isReady = true } = {}) {
  world.clock.set('2026-01-10T12:00:00Z')
  const { organizationId } = await world.developer()
  const path = `/organizations/${organizationId}`
  const adjustment = { kind: 'ADJUSTMENT', amount: 800, currency: 'USD', reason: 'sales' }
  await world.call('POST', `${path}/adjustments`, adjustment, 201)
  world.clock.set('2026-02-02T00:00:00Z')
  const { accountId, status, onboardingUrl } = await world.call('POST', `${path}/payout-account`, undefined, 200)
  assert.equal(status, 'PENDING')
  assert.ok(onboardingUrl.startsWith(`https://connect.stripe.test/setup/${accountId}?return=`))
  const account = stripe.state.things.get(accountId)
  if (account && isReady) account.capabilities.transfers = 'active'
  await world.mails()
  const order = (body: Json = { month: '2026-01', currency: 'USD' }) =>
    world.ask(OPERATOR_KEY, 'POST', `${path}/transfers`, { body })
  const listed = async () => (await world.call('GET', `${path}/transfers`)).list
  const balance = async () => (await world.call('GET', `${path}/balance`)).balances[0]
  const bookings = async () =>
    (await world.call('GET', `${path}/payouts`)).list.filter(({ kind }: Json) => kind === 'PAYOUT')
  return { organizationId, path, accountId, order, listed, balance, bookings }
}

test('the balance of a statement is transferred, booked and mailed once', async () => {
  const { path, accountId, order, listed, balance, bookings } = await owed()
  assert.equal((await world.call('GET', `${path}/payout-account`)).status, 'READY')
  const answers = await Promise.all([order(), order(), order()])
  assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).sort(), [
    201,
    'PAYOUT_EXCEEDS_OWED',
    'PAYOUT_EXCEEDS_OWED',
  ])
  // A booking by hand does not spend what is under way.
  const byHand = { amount: 1, currency: 'USD', reference: 'by hand' }
  assert.equal((await world.call('POST', `${path}/payouts`, byHand, 409)).code, 'PAYOUT_EXCEEDS_OWED')
  assert.equal((await balance()).owed, 800)
  const before = transfersAtStripe().length
  await Promise.all([run(), run()])
  assert.equal(transfersAtStripe().length, before + 1)
  assert.partialDeepStrictEqual(transfersAtStripe().at(-1), { amount: 800, currency: 'usd', destination: accountId })
  const [transfer] = await listed()
  assert.deepEqual([transfer.status, transfer.amount, transfer.amountReversed], ['SUCCEEDED', 800, 0])
  assert.deepEqual([(await balance()).paidOut, (await balance()).owed], [800, 0])
  const [booking] = await bookings()
  assert.deepEqual([booking.amount, booking.reference], [800, transfer.providerTransferId])
  assert.deepEqual(
    (await world.mails()).map(({ subject }) => subject),
    ['Payout of $8.00'],
  )
  assert.equal((await order()).body.code, 'PAYOUT_EXCEEDS_OWED')
  assert.deepEqual(
    (await world.call('GET', '/operations/checks')).checks.flatMap((one: Json) => one.violations),
    [],
  )
  const entries = await world.app.ports.db.sql<{ name: string }[]>`
    select distinct method || ' ' || path as name from audit_entries where path ~ '(payout-account|transfers)$' order by 1`
  const names = ['payout-account', 'transfers'].map(last => `POST /organizations/:organizationId/${last}`)
  assert.deepEqual(
    entries.map(({ name }) => name),
    names,
  )
})

test('a crash between the transfer and the booking books once, also after Stripe has deleted its keys', async () => {
  const { order, listed, balance, bookings } = await owed()
  await order()
  const before = transfersAtStripe().length
  const dying = await world.openAnother({
    wrap: ports => {
      const { transfers } = ports
      assert.ok(transfers)
      return {
        ...ports,
        transfers: {
          ...transfers,
          transfer: async request => {
            await transfers.transfer(request)
            throw new Error('the process ends')
          },
        },
      }
    },
  })
  await assert.rejects(dying.jobs.payoutTransfers.runOnce(), /the process ends/)
  assert.deepEqual([transfersAtStripe().length, (await bookings()).length], [before + 1, 0])
  assert.equal(await run(), 0)
  stripe.forgetKeys()
  later(10 * MINUTE)
  await Promise.all([run(), run()])
  assert.deepEqual([transfersAtStripe().length, (await bookings()).length], [before + 1, 1])
  assert.deepEqual([(await listed())[0].status, (await balance()).owed], ['SUCCEEDED', 0])
})

test('every network failure results in one transfer and one booking', async () => {
  for (const fault of ['closed before', 'closed after', '500 before', '500 after', '429', '409'] as const) {
    const { order, listed, balance, bookings } = await owed()
    await order()
    const before = transfersAtStripe().length
    stripe.fail(/^POST \/v1\/transfers$/, fault, 2)
    for (let n = 0; n < 5; n++) {
      await run()
      later(10 * MINUTE)
    }
    assert.deepEqual([transfersAtStripe().length, (await bookings()).length], [before + 1, 1], fault)
    assert.deepEqual([(await listed())[0].status, (await balance()).owed], ['SUCCEEDED', 0], fault)
  }
})

test('a declined transfer books nothing and can be repeated', async () => {
  const { accountId, order, listed, balance } = await owed()
  await order()
  const account = stripe.state.things.get(accountId)
  assert.ok(account)
  account.capabilities.transfers = 'inactive'
  await run()
  const [failed] = await listed()
  assert.deepEqual([failed.status, failed.failure], ['FAILED', 'insufficient_capabilities_for_transfer'])
  assert.equal((await balance()).owed, 800)
  account.capabilities.transfers = 'active'
  assert.equal((await order()).status, 201)
  await run()
  assert.deepEqual(
    (await listed()).map(({ status }: Json) => status),
    ['SUCCEEDED', 'FAILED'],
  )
})

test('a disconnected account receives no money and is not ready, and its replacement is paid once', async () => {
  const { accountId, order, listed, balance, bookings, path } = await owed()
  await order()
  stripe.state.things.delete(accountId)
  const before = transfersAtStripe().length
  await run()
  assert.equal((await listed())[0].status, 'FAILED')
  assert.equal((await order()).body.code, 'PAYOUT_ACCOUNT_NOT_READY')
  assert.equal((await world.call('GET', `${path}/payout-account`)).status, 'PENDING')
  const opened = await Promise.all([1, 2].map(() => world.call('POST', `${path}/payout-account`, undefined, 200)))
  const [successor] = opened.map(one => one.accountId)
  assert.deepEqual([opened[1]?.accountId, successor === accountId], [successor, false])
  const account = stripe.state.things.get(successor)
  assert.ok(account)
  account.capabilities.transfers = 'active'
  assert.equal((await order()).status, 201)
  await Promise.all([run(), run()])
  assert.deepEqual([transfersAtStripe().length, transfersAtStripe().at(-1)?.destination], [before + 1, successor])
  assert.deepEqual([(await bookings()).length, (await balance()).owed], [1, 0])
})

test('a reversal books the reversed amount once, and the amount is owed again', async () => {
  const { order, listed, balance, bookings } = await owed()
  await order()
  await run()
  const transfer = transfersAtStripe().at(-1)
  assert.ok(transfer)
  for (const [reversed, owes] of [
    [300, 300],
    [300, 300],
    [800, 800],
  ] as const) {
    transfer.amount_reversed = reversed
    later(25 * 60 * MINUTE)
    await Promise.all([run(), run()])
    assert.deepEqual([(await listed())[0].amountReversed, (await balance()).owed], [reversed, owes])
  }
  assert.deepEqual(
    (await bookings()).map(({ amount }: Json) => amount),
    [-500, -300, 800],
  )
  assert.ok((await world.mails()).some(({ subject }) => subject === 'Payout of $3.00 reversed'))
})

test('a transfer needs a ready account, a closed month and a known organization', async () => {
  const { order, accountId, path } = await owed({ isReady: false })
  assert.equal((await order()).body.code, 'PAYOUT_ACCOUNT_NOT_READY')
  assert.deepEqual((await order({ month: '2026-02', currency: 'USD' })).body.fields?.[0]?.path, 'month')
  assert.equal((await order({ month: '2026-13', currency: 'USD' })).status, 400)
  stripe.fail(/^GET \/v1\/accounts\//, '500 before', 1)
  assert.deepEqual(await world.call('GET', `${path}/payout-account`), {
    ...{ organizationId: path.slice('/organizations/'.length), accountId, status: 'PENDING' },
  })
  assert.equal((await world.call('POST', `${path}/payout-account`, undefined, 200)).accountId, accountId)
  for (const [method, what] of [
    ['GET', 'payout-account'],
    ['POST', 'payout-account'],
    ['GET', 'transfers'],
  ] as const) {
    await world.call(method, `/organizations/${UNKNOWN}/${what}`, undefined, 404)
  }
  const manual = await createWorld({ at: '2026-02-02T00:00:00Z' })
  try {
    const of = `/organizations/${manual.organizationId}`
    assert.equal((await manual.call('GET', `${of}/payout-account`)).status, 'NONE')
    assert.equal((await manual.call('POST', `${of}/payout-account`, undefined, 409)).code, 'TRANSFERS_NOT_CONFIGURED')
  } finally {
    await manual.close()
  }
})
