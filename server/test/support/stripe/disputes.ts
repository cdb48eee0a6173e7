import type { Params } from './form.ts'
import { addEvent, get, invalid, put, type State, type Thing } from './state.ts'

/** A week. */
const EVIDENCE_SECONDS = 604_800

/** As Stripe names them. */
const STATUSES = { open: 'needs_response', lost: 'lost', won: 'won' } as const

/** The payer's bank begins a dispute of a charge, or decides it. The charge stays `disputed` for ever. Returns the dispute. */
export function dispute(state: State, intentId: string, status: keyof typeof STATUSES): Thing {
  const all = [...state.things.values()]
  const of = (object: string) => all.findLast(thing => thing.object === object && thing.payment_intent === intentId)
  const charge = of('charge') ?? {}
  const { id, amount, currency } = charge
  const began = of('dispute')
  charge.disputed = true
  const charged = { charge: id, payment_intent: intentId, amount, currency }
  const one =
    began ?? put(state, 'dp', 'dispute', { ...charged, evidence: {}, evidence_details: { submission_count: 0 } })
  one.evidence_details.due_by ??= one.created + EVIDENCE_SECONDS
  one.status = STATUSES[status]
  // Stripe withdraws the amount and a fee at once; a won dispute returns the amount.
  one.balance_transactions ??= [{ object: 'balance_transaction', amount: -Number(amount), fee: 1_500, currency }]
  addEvent(state, began ? 'charge.dispute.updated' : 'charge.dispute.created', one)
  return one
}

/** Evidence in writing, once. Stripe's field for communication takes the id of a file. */
export function answerDispute(state: State, { evidence = {}, submit }: Params, id: string): Thing {
  const one = get(state, id)
  if (one.status !== STATUSES.open) throw invalid('dispute_closed', 'This dispute is no longer open to evidence.')
  if (Object.hasOwn(evidence as object, 'customer_communication'))
    throw invalid('resource_missing', 'No such file upload')
  Object.assign(one.evidence, evidence)
  if (submit !== 'true') return one
  one.evidence_details.submission_count += 1
  one.status = 'under_review'
  addEvent(state, 'charge.dispute.updated', one)
  return one
}

export function isDisputed(state: State, { id }: Thing): boolean {
  return [...state.things.values()].some(
    thing => thing.object === 'dispute' && thing.charge === id && thing.status !== STATUSES.won,
  )
}
