export { GatewayUnreachable } from '../../platform/unreachable.ts'

/**
 * The port to a payment gateway. Adapters: `gateway/sandbox`, `gateway/stripe`. What each promises:
 * the same key twice does the thing once and gives the same answer; one charge object succeeds at most once, for ever;
 * a call never throws for an outcome of the payment: what cannot be known is `unknown`, and is looked up later.
 * A call that is given `until` is over by then: what is not known is `unknown`, and nothing more is sent.
 * Calls that have no `unknown` throw GatewayUnreachable, or any error. Amounts are ours: minor units of ISO 4217.
 */
export interface Gateway {
  readonly name: GatewayName
  /** Charges that one process has under way here at one time, so that the gateway does not answer that it is too much. */
  readonly atOnce: number
  /** Begins the saving of a payment method by the gateway's own element in a page; that gives the token to save. */
  beginPaymentMethod(request: { businessId: string; key: string }): Promise<BegunPaymentMethod>
  /** Saves what a token stands for, for this business alone. Null where the token is not one. */
  savePaymentMethod(request: {
    businessId: string
    token: string
    key: string
  }): Promise<SavedPaymentMethod | GatewayRefusal | null>
  /** Makes the one charge object of an invoice. Nothing is taken yet. Refused: it never will be taken, as the amount is too small. */
  createCharge(request: CreateCharge & Timed): Promise<ChargeObjectId | GatewayRefusal>
  /** Tries to take the money of a charge object. May be called again after a refusal, with another key. */
  confirmCharge(request: ConfirmCharge & Timed): Promise<ChargeOutcome | CancelledObject>
  /** What became of one try (`key`) of a charge object. `null`: the gateway never saw that try. */
  findConfirmation(request: { gatewayChargeId: string; key: string } & Timed): Promise<ChargeOutcome | null>
  /** Nothing is owed any more: a try that waits for the payer is cancelled, and takes nothing. Says what became of it: it may have succeeded first. */
  cancelCharge(request: { gatewayChargeId: string; key: string } & Timed): Promise<ChargeOutcome>
  /** Finds a charge object by what it was made with, for a crash between its making and the saving of its id. */
  findCharge(request: { key: string; businessId: string } & Timed): Promise<ChargeObjectId | null>
  refund(request: RefundCharge & Timed): Promise<RefundOutcome>
  /** What became of a refund. `null`: the gateway never saw it. */
  findRefund(request: { gatewayChargeId: string; key: string } & Timed): Promise<RefundOutcome | null>
  /** All that happened to the money of a charge object, whoever did it. Null: the gateway has none such. */
  findMoney(gatewayChargeId: string): Promise<MoneyAtGateway | null>
  /** The charge objects with money that came or went since: for reconciliation. */
  listTouched(request: { since: Date }): Promise<readonly string[]>
  /** What the gateway posted to us, or null where it is not from the gateway. No network. */
  readEvent(request: PostedEvent): GatewayEvent | null
}

/** Real time. Absent: the gateway's own patience, with each of the requests that a call takes. */
export interface Timed {
  readonly until?: Date
}

export const GATEWAY_NAMES = ['sandbox', 'stripe'] as const
export type GatewayName = (typeof GATEWAY_NAMES)[number]

/** The sandbox is always there; a real gateway when its key is set. */
export type Gateways = { readonly sandbox: Gateway } & { readonly [Name in GatewayName]?: Gateway }

export interface BegunPaymentMethod {
  /** For the page alone: who has it can finish what was begun. */
  readonly clientSecret: string
  /** Which account the page speaks to. */
  readonly publishableKey?: string
}

export interface SavedPaymentMethod {
  /** What later charges use. */
  readonly reference: string
  readonly label: string
}

/** The gateway says no, and would again. `refused` is its code. */
export interface GatewayRefusal {
  readonly refused: string
}

export interface ChargeObjectId {
  readonly gatewayChargeId: string
}

export interface CreateCharge {
  /** Derived from the invoice id, and the cancelled object that it follows, so that an invoice has one charge object whatever crashes. */
  readonly key: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly metadata: { readonly invoiceId: string; readonly businessId: string }
}

export interface ConfirmCharge {
  readonly gatewayChargeId: string
  /** Derived from our charge (the try): a repeat of the same try takes nothing twice. */
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
  /** It was ordered a minute ago or more, and looked for since: a gateway that keeps a failure of its own for the key may take another. */
  readonly isLongUnseen?: true
}

export type ChargeOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'declined'; readonly severity: 'soft' | 'hard'; readonly code: string }
  | { readonly kind: 'actionRequired'; readonly url: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string }

/** Somebody cancelled the charge object at the gateway: this try was not made. The object took nothing and never will, so another may be made. */
export interface CancelledObject {
  readonly kind: 'cancelled'
}

export type RefundOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string }

export interface MoneyAtGateway {
  /** As given when the charge object was made; absent where we did not make it. */
  readonly invoiceId?: string
  readonly currency: string
  /** Minor units that were taken; 0 while nothing was. */
  readonly charged: number
  /** It took nothing, and never will. */
  readonly isCancelled?: true
  /** In any order. */
  readonly refunds: readonly RefundAtGateway[]
  readonly disputes: readonly DisputeAtGateway[]
}

/** The payer's bank asks for the money back: not decided yet, taken back for good, or left to us (or given back to us after all). */
export interface DisputeAtGateway {
  readonly gatewayDisputeId: string
  /** Minor units, in the currency of the charge object. May be more than is left there. */
  readonly amount: number
  readonly status: 'open' | 'lost' | 'won'
  readonly beganAt: Date
}

export interface RefundAtGateway {
  readonly gatewayRefundId: string
  /** Of a refund that we ordered: what it was ordered with. */
  readonly key?: string
  readonly amount: number
  readonly outcome: Exclude<RefundOutcome, { kind: 'unknown' }>
}

export interface PostedEvent {
  readonly payload: Uint8Array
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A hint: something happened to this charge object. What, the gateway says when asked. */
export interface GatewayEvent {
  readonly eventId: string
  readonly kind: string
  /** Absent: it is about nothing that we look at. */
  readonly gatewayChargeId?: string
}
