import { put, type State, type Thing, tell } from './state.ts'

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
  const one = began ?? put(state, 'dp', 'dispute', { charge: id, payment_intent: intentId, amount, currency })
  one.status = STATUSES[status]
  // Stripe withdraws the amount and a fee at once; a won dispute returns the amount.
  one.balance_transactions ??= [{ object: 'balance_transaction', amount: -Number(amount), fee: 1_500, currency }]
  tell(state, began ? 'charge.dispute.updated' : 'charge.dispute.created', one)
  return one
}

export function isDisputed(state: State, { id }: Thing): boolean {
  return [...state.things.values()].some(
    thing => thing.object === 'dispute' && thing.charge === id && thing.status !== STATUSES.won,
  )
}
