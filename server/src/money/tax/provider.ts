import type { AddressRate } from '../../core/address-rate.ts'
import type { RatedAddress } from '../../merchants/businesses/tax-rate-store.ts'

/** A service that knows the tax rate of an address and keeps books for tax returns. Methods never reject because of the service or the network. */
export interface TaxProvider {
  /** On pages: "Stripe Tax". */
  readonly name: string
  /** The rate of an address on a UTC day, `YYYY-MM-DD`. */
  findRate(of: Place, day: string): Promise<RateAnswer>
  /** Calculates the tax in an amount that includes the tax. */
  calculateSale(
    sale: TaxedSale,
  ): Promise<{ readonly kind: 'calculated'; readonly calculationId: string; readonly tax: number } | ProviderFailure>
  /** Records a calculation. Has one effect per reference, however often it is called. */
  recordSale(sale: {
    readonly calculationId: string
    readonly reference: string
    readonly bookedAt: Date
  }): Promise<{ readonly kind: 'recorded'; readonly providerId: string } | ProviderFailure>
  /** Reverses a part of a recorded sale. Has one effect per reference, however often it is called. `tax` is the reversed tax. */
  recordReturn(reversal: {
    readonly providerId: string
    readonly reference: string
    /** Minor units with tax. */
    readonly amount: number
    readonly currency: string
  }): Promise<{ readonly kind: 'recorded'; readonly tax: number } | ProviderFailure>
}

type Place = Pick<RatedAddress, 'country' | 'address'>

export interface TaxedSale extends Place {
  /** Minor units with tax. */
  readonly amount: number
  readonly currency: string
  readonly issuedAt: Date
}

export type RateAnswer =
  | ({ readonly kind: 'found' } & Pick<AddressRate, 'rate' | 'jurisdictions'>)
  /** The provider cannot locate the address. */
  | { readonly kind: 'invalid-address' }
  | { readonly kind: 'unavailable'; readonly reason: string }

/** `unavailable`: the provider may have carried the call out. `rejected`: nothing happened, and a person must act. */
export type ProviderFailure = { readonly kind: 'unavailable' | 'rejected'; readonly reason: string }
