/**
 * The port to a payment gateway. Adapters: `gateway/sandbox`. What each promises:
 * the same key twice does the thing once and gives the same answer; one charge object succeeds at most once, for ever;
 * a call never throws for an outcome of the payment: what cannot be known is `unknown`, and is looked up later.
 */
export interface Gateway {
  readonly name: GatewayName
  /** Saves what a token stands for. Returns the reference that later charges use, or null where the token is not one. */
  savePaymentMethod(request: { token: string; key: string }): Promise<{ reference: string; label: string } | null>
  /** Makes the one charge object of an invoice. Nothing is taken yet. Throws where the gateway cannot be reached. */
  createCharge(request: CreateCharge): Promise<{ gatewayChargeId: string }>
  /** Tries to take the money of a charge object. May be called again after a refusal, with another key. */
  confirmCharge(request: ConfirmCharge): Promise<ChargeOutcome>
  /** What became of one try (`key`) of a charge object. `null`: the gateway never saw that try. */
  findConfirmation(request: { gatewayChargeId: string; key: string }): Promise<ChargeOutcome | null>
  /** Finds a charge object by what it was made with, for a crash between its making and the saving of its id. */
  findCharge(request: { key: string }): Promise<{ gatewayChargeId: string } | null>
  refund(request: { gatewayChargeId: string; key: string; amount: number }): Promise<RefundOutcome>
  /** What became of a refund. `null`: the gateway never saw it. */
  findRefund(request: { gatewayChargeId: string; key: string }): Promise<RefundOutcome | null>
}

export const GATEWAY_NAMES = ['sandbox'] as const
export type GatewayName = (typeof GATEWAY_NAMES)[number]
export type Gateways = Readonly<Record<GatewayName, Gateway>>

export interface CreateCharge {
  /** Derived from the invoice id, so that an invoice has one charge object whatever crashes. */
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

export type ChargeOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'declined'; readonly severity: 'soft' | 'hard'; readonly code: string }
  | { readonly kind: 'actionRequired'; readonly url: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string }

export type RefundOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string }
