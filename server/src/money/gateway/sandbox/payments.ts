import { setTimeout as wait } from 'node:timers/promises'
import { AssertionFailure, assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import { pipeline, plannedTransaction } from '../../../platform/db/sql.ts'
import {
  type ChargeOutcome,
  type ConfirmCharge,
  type DisputeAtGateway,
  type DisputeCharge,
  type GatewayDecline,
  GatewayUnreachable,
  type MoneyAtGateway,
  type RefundAtGateway,
  type RefundOutcome,
  type SendEvidence,
  type SentEvidence,
} from '../gateway.ts'
import { losesAnswer, outcomeOf } from './sandbox.ts'
import * as store from './store.ts'

interface Books {
  readonly db: Db
  readonly clock: Clock
}

/** Key of an attempt in a map. */
export function keyOf({ gatewayChargeId, key }: Pick<ConfirmCharge, 'gatewayChargeId' | 'key'>): string {
  return `${gatewayChargeId} ${key}`
}

/**
 * Charges any number of charge objects with a few statements. A repeated key returns the first outcome. Requests with an unknown charge object or payment
 * method are left out.
 */
export function confirmAll(
  { db, clock, bankUrl }: Books & { bankUrl(key: string): string },
  requests: readonly ConfirmCharge[],
): Promise<Map<string, ChargeOutcome>> {
  return plannedTransaction(db, async ({ sql }) => {
    const { charges, methods, seen, payers, careful } = await load(sql, requests)
    const answers = new Map<string, ChargeOutcome>()
    const others: store.NewConfirmation[] = []
    const paid: store.NewConfirmation[] = []
    for (const request of requests) {
      const { gatewayChargeId, key, reference } = request
      const charge = charges.get(gatewayChargeId)
      const method = methods.get(reference)
      if (charge === undefined || method === undefined) continue
      const before: ChargeOutcome | undefined =
        charge.succeededKey === key ? { kind: 'succeeded' } : seen.get(keyOf(request))
      if (before !== undefined) {
        answers.set(keyOf(request), before)
        continue
      }
      const hasPaidBefore = payers.has(reference) && payers.get(reference) !== gatewayChargeId
      // A charge object succeeds once: a later attempt returns the success.
      const hasSucceeded = charge.succeededKey !== null
      const outcome: ChargeOutcome = hasSucceeded
        ? { kind: 'succeeded' }
        : outcomeOf(method.behaviour, { hasPaidBefore, bankUrl: bankUrl(key) })
      const confirmation = { gatewayChargeId, key, reference, outcome }
      answers.set(
        keyOf(request),
        !hasSucceeded && losesAnswer(method.behaviour) ? { kind: 'unknown', reason: 'timeout' } : outcome,
      )
      if (outcome.kind !== 'succeeded' || hasSucceeded) {
        others.push(confirmation)
        continue
      }
      paid.push(confirmation)
      // Later requests of this batch see the success.
      charges.set(gatewayChargeId, { ...charge, succeededKey: key })
      payers.set(reference, gatewayChargeId)
    }
    const first = paid.filter(({ reference }) => careful.has(reference))
    await pipeline([write(sql, { others, paid }, clock.now()), store.savePayers(sql, first)])
    return answers
  })
}

async function load(sql: Sql, requests: readonly ConfirmCharge[]) {
  const references = [...new Set(requests.map(({ reference }) => reference))]
  const [charges, methods, seen] = await pipeline([
    store.lockCharges(sql, [...new Set(requests.map(({ gatewayChargeId }) => gatewayChargeId))]),
    store.findPaymentMethods(sql, references),
    store.findConfirmations(sql, requests),
  ])
  // The first charge of a payment method must be known: its charges run in sequence.
  const careful = new Set(references.filter(reference => methods.get(reference)?.behaviour === 'tok_fail_after_1'))
  const payers = careful.size === 0 ? new Map<string, string>() : await store.lockPayers(sql, [...careful])
  return { charges, methods, payers, careful, seen: new Map(seen.map(each => [keyOf(each), each.outcome])) }
}

interface Confirmed {
  /** Successes, stored in the charge object. */
  readonly paid: readonly store.NewConfirmation[]
  /** Other outcomes, each in a row. */
  readonly others: readonly store.NewConfirmation[]
}

async function write(sql: Sql, { paid, others }: Confirmed, now: Date): Promise<void> {
  await pipeline([store.saveConfirmations(sql, others, now), store.takeMoney(sql, paid, now)])
}

/** Cancels an attempt that waits for the payer. Returns the outcome. */
export function cancel(
  { db, clock }: Books,
  { gatewayChargeId, key }: Pick<ConfirmCharge, 'gatewayChargeId' | 'key'>,
): Promise<ChargeOutcome> {
  return db.transaction(async ({ sql }) => {
    await store.lockCharge(sql, gatewayChargeId)
    const found = await store.findConfirmation(sql, gatewayChargeId, key)
    assert(found, 'the sandbox has no such try')
    if (found.outcome.kind !== 'actionRequired') return found.outcome
    const outcome = { kind: 'declined', severity: 'hard', code: 'canceled_at_gateway' } as const
    await store.saveConfirmations(sql, [{ gatewayChargeId, key, reference: found.reference, outcome }], clock.now())
    return outcome
  })
}

/** Settles a pending or waiting attempt, as the bank or the payer does. False: the attempt is not open. */
export function settle(
  { db, clock }: Books,
  { gatewayChargeId, key, outcome }: { gatewayChargeId: string; key: string; outcome: ChargeOutcome },
): Promise<boolean> {
  return db.transaction(async ({ sql }) => {
    const charge = await store.lockCharge(sql, gatewayChargeId)
    const open = await store.findConfirmation(sql, gatewayChargeId, key)
    assert(charge && open, 'the sandbox has no such attempt')
    if (open.outcome.kind !== 'pending' && open.outcome.kind !== 'actionRequired') return false
    const others = [{ gatewayChargeId, key, reference: open.reference, outcome }]
    await write(sql, { others, paid: outcome.kind === 'succeeded' ? others : [] }, clock.now())
    return true
  })
}

/** Prefix of the key of a refund made at the gateway. */
export const MADE_AT_GATEWAY = 'at-gateway:'

/** Refunds at most the charged amount. A repeated key returns the first outcome. */
export function refund(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { gatewayChargeId, key, amount }: { gatewayChargeId: string; key: string; amount: number },
): Promise<RefundOutcome> {
  assert(Number.isSafeInteger(amount) && amount > 0, 'a refund is a positive number of minor units')
  return db.transaction(async ({ sql }) => {
    const charge = await store.lockCharge(sql, gatewayChargeId)
    assert(charge, 'the sandbox has no such charge')
    const seen = await store.findRefund(sql, gatewayChargeId, key)
    if (seen !== null) return seen
    const paidBy = charge.succeededReference ?? ''
    const method = (await store.findPaymentMethods(sql, [paidBy])).get(paidBy)
    const disputed = await sumDisputed(sql, gatewayChargeId)
    const remaining = charge.amount - disputed - (await store.sumRefunded(sql, gatewayChargeId))
    const outcome = outcomeOf()
    await store.insertRefund(sql, { gatewayChargeId, key, amount, outcome, now: clock.now() })
    return outcome

    function outcomeOf(): RefundOutcome {
      if (!method) return { kind: 'failed', code: 'charge_not_succeeded' }
      if (amount > remaining) return { kind: 'failed', code: disputed > 0 ? 'charge_disputed' : 'amount_too_large' }
      return method.behaviour === 'tok_refund_fails'
        ? { kind: 'failed', code: 'refund_declined' }
        : { kind: 'succeeded' }
    }
  })
}

export interface SandboxDispute {
  readonly gatewayChargeId: string
  readonly disputeId: string
  /** Minor units. */
  readonly amount: number
  readonly status: DisputeAtGateway['status']
}

const STEPS: readonly DisputeAtGateway['status'][] = ['open', 'lost', 'won']

/** Opens or decides the dispute of a charge object: see the port. */
export function dispute(
  { db, clock }: Books,
  { gatewayChargeId, status }: DisputeCharge,
): Promise<DisputeAtGateway | null> {
  return db.transaction(async ({ sql }) => {
    const charge = await store.lockCharge(sql, gatewayChargeId)
    assert(charge, 'the sandbox has no such charge')
    const disputeId = `dp_${gatewayChargeId}`
    const known = (await listDisputes(sql, gatewayChargeId)).find(one => one.gatewayDisputeId === disputeId)
    if (known && STEPS.indexOf(known.status) >= STEPS.indexOf(status)) return known
    const left = charge.succeededKey === null ? 0 : charge.amount - (await store.sumRefunded(sql, gatewayChargeId))
    const amount = known?.amount ?? left - (await sumDisputed(sql, gatewayChargeId))
    if (amount <= 0) return null
    await disputeAtGateway({ db: { sql }, clock }, { gatewayChargeId, disputeId, amount, status })
    return { ...(known ?? begunAt(clock.now(), { gatewayDisputeId: disputeId, amount })), status }
  })
}

/** The time for evidence, as banks give a week or more. */
const EVIDENCE_MS = 7 * 86_400_000

function begunAt<T extends object>(beganAt: Date, of: T) {
  return { ...of, beganAt, evidenceDueAt: new Date(beganAt.getTime() + EVIDENCE_MS) }
}

/** Accepts one answer to an open dispute. The same answer again changes nothing. */
export function sendEvidence(
  { db, clock }: Books,
  { gatewayDisputeId, evidence }: SendEvidence,
): Promise<SentEvidence | GatewayDecline> {
  return db.transaction(async ({ sql }) => {
    const [row] = await sql<{ status: SandboxDispute['status']; beganAt: Date; isSame: boolean | null }[]>`
      select status, began_at as "beganAt", evidence = ${sql.json(evidence)} as "isSame" from sandbox_disputes
      where dispute_id = ${gatewayDisputeId} for update`
    if (row === undefined) return { declined: 'no_such_dispute' }
    if (row.isSame !== null) return row.isSame ? { kind: 'sent' } : { declined: 'evidence_already_sent' }
    if (row.status !== 'open') return { declined: 'dispute_decided' }
    if (clock.now() >= begunAt(row.beganAt, {}).evidenceDueAt) return { declined: 'evidence_past_due' }
    await sql`
      update sandbox_disputes set evidence = ${sql.json(evidence)}, changed_at = ${clock.now()}
      where dispute_id = ${gatewayDisputeId}`
    return { kind: 'sent' }
  })
}

/** Opens or decides a dispute, as the payer's bank does. For tests and demonstrations. */
export async function disputeAtGateway(
  { db, clock }: { readonly db: Pick<Db, 'sql'>; readonly clock: Clock },
  { gatewayChargeId, disputeId, amount, status }: SandboxDispute,
): Promise<void> {
  const now = clock.now()
  await db.sql`
    insert into sandbox_disputes (dispute_id, gateway_charge_id, amount, status, began_at, changed_at)
    values (${disputeId}, ${gatewayChargeId}, ${amount}, ${status}, ${now}, ${now})
    on conflict (dispute_id) do update set status = excluded.status, changed_at = excluded.changed_at`
}

async function listDisputes(sql: Sql, gatewayChargeId: string): Promise<DisputeAtGateway[]> {
  const rows = await sql<Omit<DisputeAtGateway, 'evidenceDueAt' | 'fee'>[]>`
    select dispute_id as "gatewayDisputeId", amount, status, began_at as "beganAt" from sandbox_disputes
    where gateway_charge_id = ${gatewayChargeId} order by began_at, dispute_id`
  return rows.map(row => begunAt(row.beganAt, row))
}

/** The books of a charge object. Null: unknown to the sandbox. */
export async function findMoney(sql: Sql, gatewayChargeId: string): Promise<MoneyAtGateway | null> {
  const [charge] = await sql<{ invoiceId: string; currency: string; charged: number }[]>`
    select metadata ->> 'invoiceId' as "invoiceId", currency, case when succeeded_key is null then 0 else amount end as charged
    from sandbox_charges where gateway_charge_id = ${gatewayChargeId}`
  if (charge === undefined) return null
  const refunds = await sql<{ key: string; amount: number; outcome: RefundAtGateway['outcome'] }[]>`
    select key, amount, outcome from sandbox_refunds where gateway_charge_id = ${gatewayChargeId}
    order by refunded_at desc, key desc`
  return {
    ...charge,
    disputes: await listDisputes(sql, gatewayChargeId),
    refunds: refunds.map(({ key, amount, outcome }) => ({
      gatewayRefundId: `${gatewayChargeId}/${key}`,
      ...(key.startsWith(MADE_AT_GATEWAY) ? {} : { key }),
      amount,
      outcome,
    })),
  }
}

export async function listTouched(sql: Sql, since: Date): Promise<readonly string[]> {
  const rows = await sql<{ gatewayChargeId: string }[]>`
    select gateway_charge_id as "gatewayChargeId" from sandbox_charges where succeeded_at >= ${since}
    union
    select gateway_charge_id from sandbox_refunds where refunded_at >= ${since}
    union
    select gateway_charge_id from sandbox_disputes where changed_at >= ${since}`
  return rows.map(({ gatewayChargeId }) => gatewayChargeId)
}

/** The disputed amount, which no refund may return. Minor units. */
async function sumDisputed(sql: Sql, gatewayChargeId: string): Promise<number> {
  const [row] = await sql<{ disputed: number }[]>`
    select coalesce(sum(amount), 0)::bigint as disputed from sandbox_disputes
    where gateway_charge_id = ${gatewayChargeId} and status <> 'won'`
  return row?.disputed ?? 0
}

/** Failures between the service and a gateway. A function throws to lose a request or its response. */
export interface Faults {
  /** The request is lost: no effect. */
  before(call: string): void | Promise<void>
  /** The response is lost after the effect. */
  after(call: string): void | Promise<void>
}

/** No failures; each call takes as long as a network call. */
export function slowness(ms: number): Faults {
  return { before: () => wait(ms), after: () => {} }
}

/** Makes one call with the given failures. Throws GatewayUnreachable for a lost call. */
export async function callThrough<T>(faults: Faults | undefined, call: string, work: () => Promise<T>): Promise<T> {
  if (faults === undefined) return await work()
  await lose(() => faults.before(call))
  const result = await work()
  await lose(() => faults.after(call))
  return result
}

async function lose(fault: () => void | Promise<void>): Promise<void> {
  try {
    await fault()
  } catch (cause) {
    throw new GatewayUnreachable(cause instanceof Error ? cause.message : 'unreachable', { cause })
  }
}

/** Turns an unknown outcome into `unknown`. Other errors are bugs and throw. */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T | { kind: 'unknown'; reason: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AssertionFailure) throw error
    return { kind: 'unknown', reason: error instanceof Error ? error.message : 'unreachable' }
  }
}
