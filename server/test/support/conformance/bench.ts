import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CancelledObject, ChargeOutcome, Gateway, PostedEvent } from '../../../src/money/gateway/gateway.ts'
import type { ServiceOnBench } from './service.ts'

/** An adapter with the tokens and controls of its test mode. Optional abilities may be absent. */
export interface GatewayOnBench {
  readonly gateway: Gateway
  readonly tokens: {
    readonly ok: string
    readonly soft: string
    readonly notAToken: string
    /** Absent: not available in the test mode. */
    readonly hard?: string
    /** Declined at saving. */
    readonly declinedAtSaving?: string
    /** Charged, with a lost response. */
    readonly chargedThenUnknown?: string
    /** Declined, with a lost response. */
    readonly declinedThenUnknown?: string
    readonly actionRequired?: string
    readonly pending?: string
    /** Its refunds fail, at once or by `finish`. */
    readonly refundFails?: string
    readonly refundPending?: string
  }
  readonly currency: string
  /** Minor units charged and refunded for a charge object. */
  booksOf(gatewayChargeId: string): Promise<{ charged: number; refunded: number }>
  /** Makes a refund at the gateway. */
  refundAtGateway(gatewayChargeId: string, amount: number): Promise<void>
  /** Opens or decides the dispute of a whole charge. */
  dispute?(gatewayChargeId: string, status: 'open' | 'lost' | 'won'): Promise<void>
  /** Loses the next confirmation or its response. */
  lose?(what: 'request' | 'answer'): void
  /** Settles the open attempt, or else the last refund. */
  finish?(of: { gatewayChargeId: string; key: string }, outcome: 'succeeds' | 'fails'): Promise<void>
  /** The events of a charge object so far, oldest first. */
  eventsOf?(gatewayChargeId: string): Promise<PostedEvent[]>
  /** Another event of a charge object, also of an unknown one. */
  eventAbout?(gatewayChargeId: string): PostedEvent
  /** Signed with another secret. */
  signedByAnother?(gatewayChargeId: string): PostedEvent
  /** Signed too long ago. */
  signedLongAgo?(gatewayChargeId: string): PostedEvent
  /** The whole service with this gateway, for tests of events. */
  service?(): Promise<ServiceOnBench>
  /** The missing optional abilities, so that no case is skipped by mistake. */
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

/** Optional abilities of a test mode. */
type Ability = (typeof TOKENS)[number] | (typeof ACTS)[number]

/** The abilities that a bench actually lacks. */
export function absentFrom(bench: GatewayOnBench): Ability[] {
  return [...TOKENS.filter(name => bench.tokens[name] === undefined), ...ACTS.filter(name => bench[name] === undefined)]
}

export const AMOUNT = 1_999

/** Common steps of the suite. */
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
    /** A successful charge object. */
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

/** Concurrent calls: a gateway may answer one and report the others as under way. Returns the answers. */
export async function atOnce<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(calls)
  return results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
}
