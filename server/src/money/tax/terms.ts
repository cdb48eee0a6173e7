import { findSellers } from '../../catalog/organizations/seller-store.ts'
import type { AddressRate } from '../../core/address-rate.ts'
import type { TaxTerms } from '../../core/tax.ts'
import { findBuyers } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { pipeline } from '../../platform/db/sql.ts'
import { findAddressRates } from './address-store.ts'
import { findRates, findSources } from './store.ts'

const NO_RATES = Promise.resolve(new Map<string, readonly AddressRate[]>())

/** Seller and buyer. */
export interface Parties {
  readonly organizationId: string
  readonly businessId: string
}

/**
 * The facts that decide the tax of these parties' invoices. Undefined: the seller has no rates. An installation without
 * rates answers with one small statement, and only rates by address need the provider's answers.
 */
export async function findTaxTerms(
  sql: Sql,
  parties: readonly Parties[],
): Promise<(of: Parties) => TaxTerms | undefined> {
  const organizationIds = [...new Set(parties.map(({ organizationId }) => organizationId))]
  const tables = await findRates(sql, organizationIds)
  if (tables.size === 0) return () => undefined
  const businessIds = [...new Set(parties.map(({ businessId }) => businessId))]
  const isByAddress = tables.get(null)?.some(({ byAddress }) => byAddress) ?? false
  const [sources, sellers, buyers, addressRates] = await pipeline([
    findSources(sql, organizationIds),
    findSellers(sql, organizationIds),
    findBuyers(sql, businessIds),
    isByAddress ? findAddressRates(sql, businessIds) : NO_RATES,
  ])
  return ({ organizationId, businessId }) => {
    const source = sources.get(organizationId) ?? 'OPERATOR'
    const rates = source === 'NONE' ? undefined : tables.get(source === 'OWN' ? organizationId : null)
    const buyer = buyers.get(businessId)
    if (rates === undefined || buyer === undefined) return undefined
    const { address, taxId } = sellers.get(organizationId) ?? {}
    const country = address?.countryCode
    const seller = { ...(country === undefined ? {} : { country }), ...(taxId === undefined ? {} : { taxId }) }
    const rated = addressRates.get(businessId)
    return { rates, seller, buyer: rated === undefined ? buyer : { ...buyer, addressRates: rated } }
  }
}
