import { assert } from '../../core/assert.ts'
import { type Charge, type ChargeResult, isSettled } from '../../core/charge.ts'
import { bookCharge } from '../../core/ledger.ts'
import { applyOutcome, type PollFacts, type Settlement } from '../../core/settle.ts'
import type { Sql } from '../../platform/db/db.ts'
import { pipeline, plannedTransaction } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import { findNeverPaid, findOtherAlive, lockCharges, saveCharges } from '../charges/store.ts'
import { findTaxBases, insertLedgerTransactions } from '../ledger/store.ts'
import { recordMoneyMails } from '../mails/record.ts'
import { findDefaultPaymentMethods } from '../payment-methods/store.ts'
import { lockSubscriptions } from '../subscriptions/store.ts'
import { freshIds, loadStates, openClocks } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

/** The gateway's report about one charge. */
export interface Outcome {
  readonly charge: Pick<Charge, 'chargeId' | 'subscriptionId'>
  readonly result: ChargeResult
}

/**
 * Applies outcomes of charges, at most one per subscription. Charges, ledger, subscriptions, invoices and notifications change in
 * one transaction. An outcome that arrives twice counts once, and money that the gateway took always counts.
 */
export async function settle(ports: WritePorts & Pick<Ports, 'db'>, outcomes: readonly Outcome[]): Promise<void> {
  await plannedTransaction(ports.db, async tx => {
    const facts = await gatherFacts(tx.sql, ports, outcomes)
    const settlements = facts.map(of => ({ ...of, ...applyOutcome(of, () => freshIds(ports.newId)) }))
    const applied = settlements.flatMap(({ outcome, ...of }) => (outcome === undefined ? [] : { ...of, outcome }))
    const paid = applied.filter(({ outcome }) => outcome.status === 'SUCCEEDED')
    const changes = applied.flatMap(({ change }) => change ?? [])
    await pipeline([
      saveCharges(
        tx.sql,
        settlements.map(({ polled }) => polled),
      ),
      book(tx.sql, ports, paid),
      recordConfirmations(tx.sql, ports, settlements),
    ])
    if (changes.length > 0) await writeChanges(tx, ports, changes)
    tx.afterCommit(() => {
      for (const { charge, outcome } of applied) {
        const { chargeId, invoiceId, subscriptionId } = charge
        ports.telemetry?.charged({ chargeId, invoiceId, subscriptionId, ...outcome })
      }
    })
  })
}

/** Locks the subscriptions, then the charges, and reads everything else that a decision needs. */
async function gatherFacts(
  sql: Sql,
  { clock }: Pick<Ports, 'clock'>,
  outcomes: readonly Outcome[],
): Promise<PollFacts[]> {
  const realNow = clock.now()
  const [subscriptions, charges] = await pipeline([
    lockSubscriptions(
      sql,
      outcomes.map(({ charge }) => charge.subscriptionId),
    ),
    lockCharges(
      sql,
      outcomes.map(({ charge }) => charge.chargeId),
    ),
  ])
  const polled = outcomes.map(({ charge: { subscriptionId, chargeId }, result }) => {
    const subscription = subscriptions.get(subscriptionId)
    const charge = charges.get(chargeId)
    assert(subscription && charge, 'a charge and its subscription are never deleted')
    return { charge, subscription, result }
  })
  const chargesWhere = (is: (of: (typeof polled)[number]) => boolean) => polled.filter(is).map(({ charge }) => charge)
  const locked = polled.map(({ subscription }) => subscription)
  const [timeOf, states, defaults, neverPaid, otherAlive] = await pipeline([
    openClocks(sql, locked, realNow),
    loadStates(sql, locked),
    findDefaultPaymentMethods(
      sql,
      chargesWhere(({ result }) => result.status !== 'SUCCEEDED').map(({ businessId }) => businessId),
    ),
    findNeverPaid(
      sql,
      chargesWhere(({ result }) => result.status === 'DECLINED_SOFT' || result.status === 'DECLINED_HARD'),
    ),
    findOtherAlive(
      sql,
      chargesWhere(({ charge, result }) => isSettled(charge.status) && result.status === 'SUCCEEDED'),
    ),
  ])
  return polled.map(({ charge, subscription, result }, n) => {
    const state = states[n]
    assert(state, 'each subscription has a state')
    const defaultMethodId = defaults.get(charge.businessId)
    return {
      ...{ charge, state, result, now: timeOf(subscription), realNow },
      ...(defaultMethodId === undefined ? {} : { defaultMethodId }),
      hasNeverPaid: neverPaid.has(charge.chargeId),
      hasOtherAlive: otherAlive.has(charge.chargeId),
    }
  })
}

/** Records a mail when the bank first asks the payer to confirm a payment. A charge that waits for the payer emits no event. */
async function recordConfirmations(
  sql: Sql,
  ports: Pick<Ports, 'clock' | 'newId'>,
  settlements: readonly (PollFacts & Pick<Settlement, 'polled'>)[],
): Promise<void> {
  const asked = settlements.filter(
    ({ charge, polled, state }) =>
      polled.status === 'ACTION_REQUIRED' &&
      charge.status !== 'ACTION_REQUIRED' &&
      state.subscription.merchantType === 'MERCHANT',
  )
  if (asked.length === 0) return
  await recordMoneyMails(
    sql,
    ports,
    asked.map(({ charge: { chargeId, invoiceId, subscriptionId, businessId }, now: occurredAt }) => ({
      ...{ kind: 'BANK_CONFIRMATION', sourceId: chargeId, sourceSeq: 0 },
      ...{ businessId, subscriptionId, invoiceId, occurredAt },
    })),
  )
}

async function book(
  sql: Sql,
  { newId, settings }: Pick<Ports, 'newId' | 'settings'>,
  paid: readonly PollFacts[],
): Promise<void> {
  const bases = await findTaxBases(
    sql,
    paid.map(({ charge }) => charge.invoiceId),
  )
  await insertLedgerTransactions(
    sql,
    paid.map(({ charge, state: { subscription }, now: bookedAt }) => {
      const { chargeId: sourceId, invoiceId, businessId, currency, amount } = charge
      const { organizationId } = subscription
      const booking = { sourceId, invoiceId, businessId, currency, amount, organizationId, bookedAt }
      const taxBasis = bases.get(invoiceId)
      const taxed = taxBasis === undefined ? booking : { ...booking, taxBasis }
      return bookCharge({ ...taxed, ledgerTransactionId: newId(), shareBasisPoints: settings.operatorShare })
    }),
  )
}
