import type { TaxIdStatus } from '../../core/tax-id.ts'

/** A service that knows which tax ids exist. */
export interface TaxIds {
  /** UNAVAILABLE: the service gave no answer about the id. Never rejects because of the service or the network. */
  check(taxId: CountryTaxId): Promise<TaxIdStatus | 'UNAVAILABLE'>
}

export interface CountryTaxId {
  /** ISO 3166-1 alpha-2: a member state of the European Union. */
  readonly country: string
  /** Normalised, with the prefix of the country. */
  readonly taxId: string
}
