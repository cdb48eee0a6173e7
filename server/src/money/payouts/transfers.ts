/** The provider that pays organizations out. Methods other than `transfer` throw GatewayUnreachable without an answer. */
export interface Transfers {
  /**
   * Creates the account of an organization, or the successor of a closed account. The same organization gets the same
   * account within a day.
   */
  openAccount(of: {
    readonly organizationId: string
    readonly name: string
    readonly email: string
    readonly closedAccountId?: string
  }): Promise<string>
  /** A link that the organization opens once to name its bank account. */
  onboardingUrl(of: { readonly accountId: string; readonly returnUrl: string }): Promise<string>
  /** READY: the provider accepts transfers to the account. CLOSED: the account is closed or disconnected permanently. */
  readAccount(accountId: string): Promise<'READY' | 'INCOMPLETE' | 'CLOSED'>
  /** Has one effect per `transferId`, however often it is called. */
  transfer(request: TransferRequest): Promise<TransferOutcome>
  /** Minor units that were taken back from a transfer in all. */
  findReversed(providerTransferId: string): Promise<number>
}

export interface TransferRequest extends Pick<PayoutTransfer, 'transferId' | 'accountId' | 'amount' | 'currency'> {
  /** For the account's owner. */
  readonly description: string
}

export type TransferOutcome =
  | { readonly kind: 'made'; readonly providerTransferId: string }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** A transfer of the closing balance of a statement. */
export interface PayoutTransfer {
  readonly transferId: string
  readonly organizationId: string
  readonly accountId: string
  readonly month: string
  readonly currency: string
  /** Minor units. */
  readonly amount: number
  readonly status: (typeof TRANSFER_STATUSES)[number]
  readonly providerTransferId?: string
  readonly failure?: string
  readonly amountReversed: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const TRANSFER_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const
