import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CancelledObject, ChargeOutcome, Gateway, PostedEvent } from '../gateway.ts'
import type { ServiceOnBench } from './service.ts'

/** A gateway on the bench: the adapter, tokens of its test mode, what its own books say, and what can be made to happen there. */
export interface GatewayOnBench {
  readonly gateway: Gateway
  readonly tokens: {
    readonly ok: string
    readonly soft: string
    readonly notAToken: string
    /** Absent, as below: the gateway's test mode has none such. */
    readonly hard?: string
    /** Declined when it is saved. */
    readonly declinedAtSaving?: string
    /** The money is taken, the answer lost. */
    readonly chargedThenUnknown?: string
    /** Declined, the answer lost. */
    readonly declinedThenUnknown?: string
    readonly actionRequired?: string
    readonly pending?: string
    /** Paid with it, its refunds fail: at once, or when `finish` ends them. */
    readonly refundFails?: string
    readonly refundPending?: string
  }
  readonly currency: string
  /** Minor units that the gateway took and gave back for a charge object. */
  booksOf(gatewayChargeId: string): Promise<{ charged: number; refunded: number }>
  /** Gives money back as somebody does at the gateway itself. */
  refundAtGateway(gatewayChargeId: string, amount: number): Promise<void>
  /** Begins or decides a dispute of all that was taken, as the payer's bank does; one a charge object. */
  dispute?(gatewayChargeId: string, status: 'open' | 'lost' | 'won'): Promise<void>
  /** Loses the next confirmation on its way there, or its answer on the way back. */
  lose?(what: 'request' | 'answer'): void
  /** Ends what waits at the gateway: a try, or else the last refund. */
  finish?(of: { gatewayChargeId: string; key: string }, outcome: 'succeeds' | 'fails'): Promise<void>
  /** What it has posted about a charge object so far, oldest first. */
  eventsOf?(gatewayChargeId: string): Promise<PostedEvent[]>
  /** One event more about a charge object, also about one that it does not have. */
  eventAbout?(gatewayChargeId: string): PostedEvent
  /** The same, signed with a secret that is not the one agreed on. */
  signedByAnother?(gatewayChargeId: string): PostedEvent
  /** The same, signed rightly, and too long ago to be believed. */
  signedLongAgo?(gatewayChargeId: string): PostedEvent
  /** The whole service with such a gateway, for what it makes of events. */
  service?(): Promise<ServiceOnBench>
  /** What of the optional above it has not, so that a case is never left out by mistake. */
  readonly lacks: readonly Ability[]
}

const TOKENS = [
  ...(['hard', 'declinedAtSaving', 'chargedThenUnknown', 'declinedThenUnknown'] as const),
  ...(['actionRequired', 'pending', 'refundFails', 'refundPending'] as const),
]
const ACTS = [
  ...(['dispute', 'lose', 'finish', 'eventsOf', 'eventAbout', 'signedByAnother', 'signedLongAgo'] as const),
  'service',
] as const

/** What a gateway's test mode may be without. */
type Ability = (typeof TOKENS)[number] | (typeof ACTS)[number]

/** What a bench is really without. */
export function absentFrom(bench: GatewayOnBench): Ability[] {
  return [...TOKENS.filter(name => bench.tokens[name] === undefined), ...ACTS.filter(name => bench[name] === undefined)]
}

export const AMOUNT = 1_999

/** What the groups of the suite do to a gateway, each in a line. */
export function actsOn({ gateway, currency, booksOf }: Pick<GatewayOnBench, 'gateway' | 'currency' | 'booksOf'>) {
  const businessId = randomUUID()
  const save = async (token: string) => {
    const method = await gateway.savePaymentMethod({ businessId, token, key: randomUUID() })
    assert.ok(method && 'reference' in method, JSON.stringify(method))
    return method.reference
  }
  const charge = async (key: string = randomUUID()) => {
    const metadata = { invoiceId: randomUUID(), businessId }
    const made = await gateway.createCharge({ key, amount: AMOUNT, currency, metadata })
    assert.ok('gatewayChargeId' in made, JSON.stringify(made))
    return made.gatewayChargeId
  }
  const confirm = (gatewayChargeId: string, reference: string, key: string = randomUUID()) =>
    gateway.confirmCharge({ gatewayChargeId, key, reference })
  return {
    businessId,
    save,
    charge,
    confirm,
    /** A charge object whose money was taken. */
    paid: async (token: string) => {
      const id = await charge()
      assert.deepEqual(await confirm(id, await save(token)), { kind: 'succeeded' })
      return id
    },
    refund: (gatewayChargeId: string, amount: number, key: string = randomUUID()) =>
      gateway.refund({ gatewayChargeId, key, amount, currency }),
    isBooked: async (gatewayChargeId: string, charged: number, refunded: number) =>
      assert.deepEqual(await booksOf(gatewayChargeId), { charged, refunded }),
    isDeclined: (outcome: ChargeOutcome | CancelledObject | null, severity: 'soft' | 'hard') =>
      assert.ok(outcome?.kind === 'declined' && outcome.severity === severity, JSON.stringify(outcome)),
  }
}

/** Several at once: a gateway may answer one, and say of the others that the same is under way. What it answers is given. */
export async function atOnce<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(calls)
  return results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
}
