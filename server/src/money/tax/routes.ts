import type { Static } from 'typebox'
import { isRejection, rejectField } from '../../core/rejection.ts'
import { rateOfPercent, type TaxRate } from '../../core/tax.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import {
  OperatorRateBody,
  OrganizationPath,
  RateBody,
  RateJson,
  RateListJson,
  RateOfOrganizationPath,
  RatePath,
  rateToJson,
  settingsToJson,
  TaxSettingsBody,
  TaxSettingsJson,
} from './schema.ts'
import { chooseTaxSource, readTaxSettings, removeTaxRate, setTaxRate } from './settings.ts'
import { listRates, type TableOwner } from './store.ts'

type TaxPorts = Pick<Ports, 'db' | 'clock' | 'newId'>

export function taxRoutes(ports: TaxPorts): AnyRoute[] {
  return [...settingsRoutes(ports), ...organizationRateRoutes(ports), ...operatorRateRoutes(ports)]
}

function settingsRoutes(ports: TaxPorts): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/organizations/:organizationId/tax',
      name: 'getTaxSettings',
      operation: 'tax.read',
      summary: "Get the source of an organization's tax rates, and the rates by country and date",
      params: OrganizationPath,
      answers: { 200: TaxSettingsJson },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      async handle({ params, db }) {
        const settings = await readTaxSettings(db.sql, params.organizationId.toLowerCase())
        return isRejection(settings) ? settings : answer(200, settingsToJson(settings))
      },
    }),
    route({
      method: 'PUT',
      path: '/organizations/:organizationId/tax',
      name: 'chooseTaxSource',
      operation: 'tax.manage',
      summary: 'Choose the tax rates for new invoices of an organization',
      params: OrganizationPath,
      body: TaxSettingsBody,
      answers: { 200: TaxSettingsJson },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      async handle({ params, body: { source }, db }) {
        const organizationId = params.organizationId.toLowerCase()
        const settings = await chooseTaxSource({ ...ports, db }, { organizationId, source })
        return isRejection(settings) ? settings : answer(200, settingsToJson(settings))
      },
    }),
  ]
}

function organizationRateRoutes(ports: TaxPorts): AnyRoute[] {
  return [
    route({
      method: 'PUT',
      path: '/organizations/:organizationId/tax-rates/:country/:validFrom',
      name: 'setTaxRate',
      operation: 'tax.manage',
      summary: 'Set a tax rate of an organization from a date on. The rate applies if the source is OWN',
      params: RateOfOrganizationPath,
      body: RateBody,
      answers: { 200: RateJson },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      handle: ({ params: { organizationId, ...key }, body, db }) =>
        setRate({ ...ports, db }, organizationId.toLowerCase(), { ...key, ...body }),
    }),
    route({
      method: 'DELETE',
      path: '/organizations/:organizationId/tax-rates/:country/:validFrom',
      name: 'removeTaxRate',
      operation: 'tax.manage',
      summary: 'Remove a tax rate of an organization',
      params: RateOfOrganizationPath,
      answers: { 204: null },
      rejections: ['RESOURCE_NOT_FOUND'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      async handle({ params: { organizationId, ...key }, db }) {
        return (await removeTaxRate({ db }, { owner: organizationId.toLowerCase(), ...key })) ?? answer(204)
      },
    }),
  ]
}

function operatorRateRoutes(ports: TaxPorts): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/tax-rates',
      name: 'listOperatorTaxRates',
      operation: 'operations.read',
      summary: "List the operator's tax rates by country, latest date first",
      answers: { 200: RateListJson },
      async handle({ db }) {
        return answer(200, { list: (await listRates(db.sql, null)).map(rateToJson) })
      },
    }),
    route({
      method: 'PUT',
      path: '/tax-rates/:country/:validFrom',
      name: 'setOperatorTaxRate',
      operation: 'operatorTax.manage',
      summary: 'Set a tax rate of the operator from a date on',
      params: RatePath,
      body: OperatorRateBody,
      answers: { 200: RateJson },
      handle: ({ params, body, db }) => setRate({ ...ports, db }, null, { ...params, ...body }),
    }),
    route({
      method: 'DELETE',
      path: '/tax-rates/:country/:validFrom',
      name: 'removeOperatorTaxRate',
      operation: 'operatorTax.manage',
      summary: 'Remove a tax rate of the operator',
      params: RatePath,
      answers: { 204: null },
      rejections: ['RESOURCE_NOT_FOUND'],
      async handle({ params, db }) {
        return (await removeTaxRate({ db }, { owner: null, ...params })) ?? answer(204)
      },
    }),
  ]
}

type SentRate = Static<typeof OperatorRateBody> & Pick<TaxRate, 'country' | 'validFrom'>

async function setRate(ports: TaxPorts, owner: TableOwner, { rate: percent, ...sent }: SentRate) {
  const rate = rateOfPercent(percent)
  if (rate === null) return rejectField('rate', 'must be from 0 to 100 with at most four decimals')
  const saved = await setTaxRate(ports, { owner, rate: { ...sent, rate } })
  return isRejection(saved) ? saved : answer(200, rateToJson(saved))
}
