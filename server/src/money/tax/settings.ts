import { findOrganization } from '../../catalog/organizations/store.ts'
import { COUNTRIES } from '../../core/countries.ts'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { rejectValidFrom, type TaxRate, type TaxSource } from '../../core/tax.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import type { TaxSettings } from './schema.ts'
import { deleteRate, findSources, listRates, saveRate, saveSource, type TableOwner } from './store.ts'

/** Reads the source of an organization's rates, and the rates. */
export async function readTaxSettings(sql: Sql, organizationId: string): Promise<TaxSettings | Rejection> {
  if ((await findOrganization(sql, organizationId)) === null) return noOrganization()
  const source = (await findSources(sql, [organizationId])).get(organizationId) ?? 'OPERATOR'
  const rates = source === 'NONE' ? [] : await listRates(sql, source === 'OWN' ? organizationId : null)
  return { organizationId, source, rates }
}

/** Chooses the source of an organization's rates, for invoices that are issued from now on. */
export async function chooseTaxSource(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { organizationId, source }: { readonly organizationId: string; readonly source: TaxSource },
): Promise<TaxSettings | Rejection> {
  return await db.transaction(async ({ sql }) => {
    if ((await findOrganization(sql, organizationId)) === null) return noOrganization()
    await saveSource(sql, { organizationId, source, at: clock.now() })
    return await readTaxSettings(sql, organizationId)
  })
}

/**
 * Sets the rate of a country from a date on. The rate of the same date is replaced. Issued invoices keep their tax,
 * also when the date is in the past.
 */
export async function setTaxRate(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { owner, rate }: { readonly owner: TableOwner; readonly rate: TaxRate },
): Promise<TaxRate | Rejection> {
  if (rate.byAddress && rate.behavior === 'NONE') {
    return rejectField('byAddress', 'a country without tax has no rates by address')
  }
  if (!COUNTRIES.has(rate.country)) return rejectField('country', 'must be an ISO 3166-1 alpha-2 code')
  const rejection = rejectValidFrom(rate.validFrom)
  if (rejection !== null) return rejection
  return await db.transaction(async ({ sql }) => {
    if (owner !== null && (await findOrganization(sql, owner)) === null) return noOrganization()
    return await saveRate(sql, { ...rate, taxRateId: newId(), owner, at: clock.now() })
  })
}

/** Removes a rate; the rate before it applies again. */
export async function removeTaxRate(
  { db }: Pick<Ports, 'db'>,
  of: { readonly owner: TableOwner } & Pick<TaxRate, 'country' | 'validFrom'>,
): Promise<Rejection | null> {
  const rejection = rejectValidFrom(of.validFrom)
  if (rejection !== null) return rejection
  const found = await db.transaction(({ sql }) => deleteRate(sql, of))
  return found ? null : reject('RESOURCE_NOT_FOUND', 'The table has no rate for this country and date.')
}

function noOrganization(): Rejection {
  return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
}
