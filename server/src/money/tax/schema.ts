import { Type } from 'typebox'
import { percentOf, TAX_BEHAVIORS, TAX_SOURCES, type TaxRate, type TaxSource } from '../../core/tax.ts'
import { Line, Uuid } from '../../platform/http/wire.ts'

const Percent = Type.String({ pattern: '^\\d{1,3}(\\.\\d{1,4})?$', description: 'In percent: "19" or "8.875"' })
const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'The country of the buyer, ISO 3166-1 alpha-2' })
const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'The rate applies to invoices issued at or after 00:00 UTC on this date',
})

export const OrganizationPath = Type.Object({ organizationId: Uuid })

const key = { country: Country, validFrom: Day }

export const RatePath = Type.Object(key)
export const RateOfOrganizationPath = Type.Object({ organizationId: Uuid, ...key })

export const RateBody = Type.Object({
  behavior: Type.Enum([...TAX_BEHAVIORS], {
    description: 'INCLUSIVE: prices contain the tax. EXCLUSIVE: the tax is added. NONE: no tax from that date on',
  }),
  name: Line(40),
  rate: Percent,
})

export const OperatorRateBody = Type.Object({
  ...RateBody.properties,
  byAddress: Type.Optional(
    Type.Boolean({
      description:
        'The tax provider’s rate for the merchant’s address applies. `rate` applies if the provider has no rate for the address',
    }),
  ),
})

export const RateJson = Type.Object({
  ...key,
  behavior: Type.Enum([...TAX_BEHAVIORS]),
  name: Type.String(),
  rate: Percent,
  byAddress: Type.Optional(Type.Boolean({ description: 'Absent: false' })),
})

export const RateListJson = Type.Object({ list: Type.Array(RateJson) })

export const TaxSettingsBody = Type.Object({
  source: Type.Enum([...TAX_SOURCES], {
    description: "OPERATOR: the operator's rates. OWN: the rates of the organization. NONE: no tax on invoices",
  }),
})

export const TaxSettingsJson = Type.Object({
  organizationId: Uuid,
  source: Type.Enum([...TAX_SOURCES]),
  rates: Type.Array(RateJson, { description: 'The rates of the source' }),
})

export const TAX_SCHEMAS = {
  TaxRate: RateJson,
  TaxRateRequest: RateBody,
  OperatorTaxRateRequest: OperatorRateBody,
  TaxRateList: RateListJson,
  TaxSettings: TaxSettingsJson,
  TaxSettingsRequest: TaxSettingsBody,
}

export function rateToJson({ country, validFrom, behavior, name, rate, byAddress }: TaxRate) {
  return { country, validFrom, behavior, name, rate: percentOf(rate), ...(byAddress && { byAddress }) }
}

export function settingsToJson({ rates, ...settings }: TaxSettings) {
  return { ...settings, rates: rates.map(rateToJson) }
}

/** The settings of an organization with the rates that apply. */
export interface TaxSettings {
  readonly organizationId: string
  readonly source: TaxSource
  readonly rates: readonly TaxRate[]
}
