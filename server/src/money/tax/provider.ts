import type { AddressRate } from '../../core/address-rate.ts'
import type { RatedAddress } from '../../merchants/businesses/tax-rate-store.ts'

/** A service that knows the tax rate of an address. Methods never reject because of the service or the network. */
export interface TaxProvider {
  /** On pages: "Stripe Tax". */
  readonly name: string
  /** The rate of an address on a UTC day, `YYYY-MM-DD`. */
  findRate(of: Pick<RatedAddress, 'country' | 'address'>, day: string): Promise<RateAnswer>
}

export type RateAnswer =
  | ({ readonly kind: 'found' } & Pick<AddressRate, 'rate' | 'jurisdictions'>)
  /** The provider cannot locate the address. */
  | { readonly kind: 'invalid-address' }
  | { readonly kind: 'unavailable'; readonly reason: string }
