import type { Card } from '../../core/card.ts'
import type { Evidence } from '../../core/dispute.ts'

export { GatewayUnreachable } from '../../platform/unreachable.ts'

/**
 * The port to a payment gateway, with the adapters `gateway/sandbox` and `gateway/stripe`. A repeated key has one effect and one response. A charge
 * object succeeds at most once. An outcome never throws: an outcome that cannot be known is `unknown` and polled later. A call with `until` ends by
 * then. Calls without `unknown` throw GatewayUnreachable or another error. Amounts are in minor units of ISO 4217.
 */
export interface Gateway {
  readonly name: GatewayName
  /** Concurrent charges of one process, below the rate limit of the gateway. */
  readonly atOnce: number
  /** Starts saving a payment method with the gateway's element in a page. The element returns the token to save. */
  beginPaymentMethod(request: { businessId: string; key: string }): Promise<BegunPaymentMethod>
  /** Saves the payment method of a token, for this business only. Null: not a token. */
  savePaymentMethod(request: {
    businessId: string
    token: string
    key: string
  }): Promise<SavedPaymentMethod | GatewayDecline | null>
  /** Creates the charge object of an invoice. Nothing is charged yet. Declined: the amount can never be charged. */
  createCharge(request: CreateCharge & Timed): Promise<ChargeObjectId | GatewayDecline>
  /** Charges a charge object. May be called again after a decline, with another key. */
  confirmCharge(request: ConfirmCharge & Timed): Promise<ChargeOutcome | CancelledObject>
  /** The outcome of one attempt (`key`). `null`: the gateway never received the attempt. */
  findConfirmation(request: { gatewayChargeId: string; key: string } & Timed): Promise<ChargeOutcome | null>
  /** Cancels an attempt that waits for the payer. Returns the outcome: the attempt may have succeeded first. */
  cancelCharge(request: { gatewayChargeId: string; key: string } & Timed): Promise<ChargeOutcome>
  /** Finds a charge object by its key, after a crash between its creation and the storing of its id. */
  findCharge(request: { key: string; businessId: string } & Timed): Promise<ChargeObjectId | null>
  refund(request: RefundCharge & Timed): Promise<RefundOutcome>
  /** The outcome of a refund. `null`: the gateway never received the refund. */
  findRefund(request: { gatewayChargeId: string; key: string } & Timed): Promise<RefundOutcome | null>
  /** All payments, refunds and disputes of a charge object. Null: unknown to the gateway. */
  findMoney(gatewayChargeId: string): Promise<MoneyAtGateway | null>
  /** Answers an open dispute, once: the bank reads the first answer. Declined: the gateway does not accept the answer. */
  sendEvidence(request: SendEvidence): Promise<SentEvidence | GatewayDecline>
  /** The charge objects with a payment, refund or dispute since then, for reconciliation. */
  listTouched(request: { since: Date }): Promise<readonly string[]>
  /** Verifies and reads a posted event. Null: not from the gateway. No network. */
  readEvent(request: PostedEvent): GatewayEvent | null
}

/** The sandbox also acts for the payer's bank. */
export interface TestGateway extends Gateway {
  /**
   * Opens the dispute of a charge object, or decides it. A charge object has one such dispute. The amount is the charge, less refunds and
   * other disputes. Returns the current dispute: the status never moves back in the order open, lost, won. Null: nothing is left to dispute.
   */
  dispute(request: DisputeCharge): Promise<DisputeAtGateway | null>
  /** Confirms or declines an attempt, as the payer does at the bank. False: the attempt no longer waits for the payer. */
  answerAtBank(request: AnswerAtBank): Promise<boolean>
}

export interface AnswerAtBank extends ChargeObjectId {
  /** Of the attempt. */
  readonly key: string
  readonly isConfirmed: boolean
}

export interface SendEvidence {
  readonly gatewayDisputeId: string
  /** Derived from the dispute and the evidence: a repeated answer is sent once. */
  readonly key: string
  readonly evidence: Evidence
}

export interface SentEvidence {
  readonly kind: 'sent'
}

export interface DisputeCharge {
  readonly gatewayChargeId: string
  readonly status: DisputeAtGateway['status']
}

/** Real time. Absent: the default timeout per request. */
export interface Timed {
  readonly until?: Date
}

export const GATEWAY_NAMES = ['sandbox', 'stripe'] as const
export type GatewayName = (typeof GATEWAY_NAMES)[number]

/** The sandbox always exists; a real gateway exists when its key is set. */
export type Gateways = { readonly sandbox: TestGateway } & { readonly [Name in GatewayName]?: Gateway }

export interface BegunPaymentMethod {
  /** For the page only: the secret lets its holder finish saving. */
  readonly clientSecret: string
  /** The account for the page. */
  readonly publishableKey?: string
}

export interface SavedPaymentMethod {
  /** For later charges. */
  readonly reference: string
  readonly label: string
  /** Absent where the gateway does not describe a card. */
  readonly card?: Card
}

/** The gateway declined permanently. `declined` is its code. */
export interface GatewayDecline {
  readonly declined: string
}

export interface ChargeObjectId {
  readonly gatewayChargeId: string
}

export interface CreateCharge {
  /** Derived from the invoice id and the cancelled predecessor, so that an invoice has one charge object after any crash. */
  readonly key: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly metadata: { readonly invoiceId: string; readonly businessId: string }
}

export interface ConfirmCharge {
  readonly gatewayChargeId: string
  /** Derived from our charge: a repeated attempt charges once. */
  readonly key: string
  /** From `savePaymentMethod`. */
  readonly reference: string
}

export interface RefundCharge {
  readonly gatewayChargeId: string
  /** Our refund's id. */
  readonly key: string
  /** Minor units. */
  readonly amount: number
  /** Of the charge object. */
  readonly currency: string
  /** Ordered over a minute ago and not found since: a gateway that stores a failure under the key may use another key. */
  readonly isLongUnseen?: true
}

export type ChargeOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'declined'; readonly severity: 'soft' | 'hard'; readonly code: string }
  | { readonly kind: 'actionRequired'; readonly url: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string }

/** The charge object was cancelled at the gateway and can never succeed: another may replace it. This attempt was not made. */
export interface CancelledObject {
  readonly kind: 'cancelled'
}

export type RefundOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string }

export interface MoneyAtGateway {
  /** Absent: the charge object is not ours. */
  readonly invoiceId?: string
  readonly currency: string
  /** Minor units charged; 0 before the success. */
  readonly charged: number
  /** Kept by the gateway for the charge, in the currency in which the gateway settles. Absent: none, or not known yet. */
  readonly fee?: GatewayFee
  /** Charged nothing and never will. */
  readonly isCancelled?: true
  /** In any order. */
  readonly refunds: readonly RefundAtGateway[]
  readonly disputes: readonly DisputeAtGateway[]
}

/** Minor units. */
export interface GatewayFee {
  readonly amount: number
  readonly currency: string
}

/** A dispute of the payer's bank: undecided, lost, or won (also when reversed later). */
export interface DisputeAtGateway {
  readonly gatewayDisputeId: string
  /** Minor units of the charge object's currency. May exceed the rest of the charge. */
  readonly amount: number
  readonly status: 'open' | 'lost' | 'won'
  readonly beganAt: Date
  /** Until then the gateway accepts evidence. Absent: the gateway names no time. */
  readonly evidenceDueAt?: Date
  /** Kept by the gateway, in the currency in which the gateway settles. Absent: none yet. */
  readonly fee?: GatewayFee
}

export interface RefundAtGateway {
  readonly gatewayRefundId: string
  /** The key of a refund that we ordered. */
  readonly key?: string
  readonly amount: number
  readonly outcome: Exclude<RefundOutcome, { kind: 'unknown' }>
}

export interface PostedEvent {
  readonly payload: Uint8Array
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A hint that a charge object changed. The gateway's current state decides. */
export interface GatewayEvent {
  readonly eventId: string
  readonly kind: string
  /** Absent: not about a charge object. */
  readonly gatewayChargeId?: string
}
