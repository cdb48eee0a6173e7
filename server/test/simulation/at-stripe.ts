import type { Clock } from '../../src/core/clock.ts'
import { stepOf } from '../../src/core/credit.ts'
import { createStripe } from '../../src/money/gateway/stripe/stripe.ts'
import { type Account, openAccount } from '../support/stripe/account.ts'
import { dispute } from '../support/stripe/disputes.ts'
import { cancelIntent, finishIntent } from '../support/stripe/intents.ts'
import { createRefund, finishRefund } from '../support/stripe/refunds.ts'
import { ApiError, type Thing } from '../support/stripe/state.ts'
import type { AtGateway } from './at-gateway.ts'
import { COMES_BACK_WITHIN_MS } from './at-sandbox.ts'
import type { Wire } from './faulty-gateway.ts'
import { faultyStripe } from './faulty-stripe.ts'
import type { Play } from './play.ts'
import { createRandom, idsOf } from './random.ts'
import { findDiscrepancies } from './stripe-books.ts'

const TOKENS = [
  ...['pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_authenticationRequired', 'pm_saved_processing'],
  ...['pm_saved_insufficientFunds', 'pm_saved_insufficientFunds', 'pm_saved_stolenCard', 'pm_saved_expiredCard'],
  ...['pm_card_refundFail', 'pm_card_pendingRefund', 'pm_saved_processingThenRefundFails'],
  ...['pm_card_chargeDeclined', 'pm_card_chargeCustomerFail'],
]

/**
 * The adapter for Stripe, with the test double of Stripe (support/stripe), in virtual time, without a network, and with ids that derive from the
 * seed.
 */
export function atStripe({ clock, wire }: { clock: Clock; wire: Wire }): AtGateway {
  const now = () => clock.now()
  let account: Account = openAccount({ now })
  /** The number of events that were collected before. */
  let collected = 0
  const { secretKey, webhookSecret } = account
  const options = { secretKey, webhookSecret, publishableKey: 'pk_test_of_the_tests' }
  const things = (object: string) => [...account.state.things.values()].filter(thing => thing.object === object)
  const intents = (...statuses: string[]) =>
    things('payment_intent').filter(({ status, metadata }) => statuses.includes(status) && metadata.invoiceId)
  const move = (play: Play, { id, payment_intent = id }: Thing, what: string) => {
    const { invoiceId } = account.state.things.get(payment_intent)?.metadata ?? {}
    play.say(`at Stripe: ${what}, of ${invoiceId}`)
    play.turns++
    play.movedElsewhere.add(invoiceId)
  }
  return {
    name: 'stripe',
    // Test merchants can pay only with the sandbox.
    businessTypes: ['MERCHANT'],
    tokens: TOKENS,
    stripe: options,
    open: (db, schedule) => {
      const httpClient = faultyStripe({ account: () => account, wire, clock }, schedule)
      return createStripe({ ...options, db, clock, returnUrl: 'http://127.0.0.1:8080', httpClient })
    },
    begin: seed => {
      const newId = idsOf(createRandom(`${seed} stripe`), clock.now())
      account = openAccount({ now, newId })
      collected = 0
    },
    collectEvents: ({ random }) => {
      for (const event of account.state.events.slice(collected)) {
        const { id: eventId, type: kind } = event
        if (random.chance(0.5)) wire.events.push({ eventId, kind })
      }
      collected = account.state.events.length
    },
    sign: ({ eventId }) => {
      const event = account.state.events.find(({ id }) => id === eventId)
      return account.sign(event ?? {})
    },
    bankAnswers: async play => {
      const open = intents('requires_action', 'processing', 'requires_payment_method')
      if (open.length === 0) return
      const intent = play.random.pick(open)
      const isPending = intent.status === 'processing'
      if (!isPending && play.random.chance(0.3)) {
        move(play, intent, 'somebody cancels the intent')
        cancelIntent(account.state, intent)
      } else if (intent.status !== 'requires_payment_method') {
        const outcome = play.random.chance(0.6) ? 'succeeds' : 'declines'
        play.say(`at Stripe: the bank answers: it ${outcome}`)
        play.turns++
        finishIntent(account.state, intent, outcome)
      }
    },
    refundThere: async play => {
      const paid = intents('succeeded')
      if (paid.length === 0) return
      const intent = play.random.pick(paid)
      const step = stepOf(intent.currency.toUpperCase())
      const amount = play.random.pick([step, Math.ceil(intent.amount / 3 / step) * step, intent.amount])
      move(play, intent, `${amount} of ${intent.amount} are given back`)
      try {
        createRefund(account.state, { payment_intent: intent.id, amount })
      } catch (error) {
        // The amount exceeds the rest of the charge, or the charge is disputed: Stripe's dashboard would reject the refund.
        if (!(error instanceof ApiError)) throw error
      }
    },
    refundComesBack: async play => {
      const since = (clock.now().getTime() - COMES_BACK_WITHIN_MS) / 1_000
      const open = things('refund').filter(
        ({ status, created }) => status === 'pending' || (status === 'succeeded' && created >= since),
      )
      if (open.length === 0) return
      const refund = play.random.pick(open)
      const outcome = refund.status === 'pending' && play.random.chance(0.6) ? 'succeeded' : 'failed'
      move(play, refund, `a refund of ${refund.amount} that was ${refund.status} has ${outcome}`)
      finishRefund(account.state, refund, outcome)
    },
    disputeThere: async play => {
      const of = (intent: Thing) => things('dispute').find(({ payment_intent }) => payment_intent === intent.id)
      const open = intents('succeeded').filter(intent => of(intent)?.status !== 'won')
      if (open.length === 0) return
      const intent = play.random.pick(open)
      const isLost = of(intent)?.status === 'lost'
      const status = isLost ? 'won' : play.random.pick(['lost', 'lost', of(intent) ? 'won' : 'open'] as const)
      move(play, intent, `a dispute of ${intent.amount} is ${status}`)
      dispute(account.state, intent.id, status)
    },
    findDiscrepancies: (sql, look) => findDiscrepancies(sql, things, look),
  }
}
