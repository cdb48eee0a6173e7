import type { Static } from 'typebox'
import { Type } from 'typebox'
import { nameSeller } from '../../catalog/organizations/name-seller.ts'
import { findSeller } from '../../catalog/organizations/seller-store.ts'
import { COUNTRIES } from '../../core/countries.ts'
import type { Seller } from '../../core/organization.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { TAX_SOURCES, type TaxSource } from '../../core/tax.ts'
import { chooseTaxSource, readTaxSettings, removeTaxRate, setTaxRate } from '../../money/tax/settings.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line } from '../../platform/http/wire.ts'
import { facts, toast } from '../../platform/web/components/content.ts'
import { button, choices, form, type Problems, selectField, textField } from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { COUNTRY_OPTIONS } from '../countries.ts'
import { devPage, framed, type Own } from '../dev/dev-page.ts'
import { type EnteredRate, RATE_FORM, RATE_KEY_FORM, rateForm, rateOf, rateTable } from './rates.ts'

const path = DEVELOPER_PATHS.tax
const DONE = {
  set: 'The rate is set. Issued invoices keep their tax.',
  removed: 'The rate is removed.',
  chosen: 'Saved. The choice counts for new invoices.',
  named: 'Saved. New invoices name this seller.',
} as const

type TaxPorts = Pick<Ports, 'db' | 'clock' | 'newId'>

/** The seller on invoices, the source of tax rates, and an organization's own rates. */
export function developerTaxPages(ports: TaxPorts): AnyPage[] {
  return [showPage(ports), choicePage(ports), ...ratePages(ports), sellerPage(ports)]
}

function showPage(ports: TaxPorts): AnyPage {
  return devPage({
    ...{ method: 'GET', path, name: 'showOwnTax', operation: 'tax.read' },
    query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as (keyof typeof DONE)[])) }),
    handle: async (call, own) => show(ports, call, own, call.query.done === undefined ? {} : { done: call.query.done }),
  })
}

function choicePage(ports: TaxPorts): AnyPage {
  return devPage({
    ...{ method: 'POST', path: `${path}/source`, name: 'sendTaxSource', operation: 'tax.manage' },
    form: Type.Object({ source: Type.Enum([...TAX_SOURCES]) }),
    async handle(call, { organizationId }) {
      const { source } = call.form
      const chosen = await chooseTaxSource({ ...ports, db: call.db }, { organizationId, source })
      return isRejection(chosen) ? chosen : redirect(`${path}?done=chosen`)
    },
  })
}

function ratePages(ports: TaxPorts): AnyPage[] {
  return [
    devPage({
      ...{ method: 'POST', path: `${path}/rates`, name: 'sendOwnTaxRate', operation: 'tax.manage', form: RATE_FORM },
      async handle(call, own): Promise<PageAnswer | Rejection> {
        const read = rateOf(call.form)
        if ('problems' in read) return show(ports, call, own, { entered: call.form, rateProblems: read.problems })
        const saved = await setTaxRate({ ...ports, db: call.db }, { owner: own.organizationId, rate: read.rate })
        return isRejection(saved) ? saved : redirect(`${path}?done=set`)
      },
    }),
    devPage({
      ...{ method: 'POST', path: `${path}/rates/remove`, name: 'sendOwnTaxRateRemoval', form: RATE_KEY_FORM },
      operation: 'tax.manage',
      async handle(call, { organizationId }) {
        // Pressed twice: the rate is gone.
        await removeTaxRate({ db: call.db }, { owner: organizationId, ...call.form })
        return redirect(`${path}?done=removed`)
      },
    }),
  ]
}

const SELLER_FORM = Type.Object({
  legalName: Line(255, 0),
  line1: Line(255, 0),
  city: Line(255, 0),
  postalCode: Line(32, 0),
  countryCode: Line(2, 0),
  taxId: Line(64, 0),
})

type EnteredSeller = Static<typeof SELLER_FORM>

function sellerPage(ports: TaxPorts): AnyPage {
  return devPage({
    ...{
      method: 'POST',
      path: `${path}/seller`,
      name: 'sendSeller',
      operation: 'organizations.manage',
      form: SELLER_FORM,
    },
    async handle(call, own): Promise<PageAnswer | Rejection> {
      const { legalName, taxId, ...address } = call.form
      const seller = { ...call.form }
      const problems: Problems = {
        ...(legalName.trim() === '' && { legalName: 'Enter the legal name.' }),
        ...(!COUNTRIES.has(seller.countryCode) && { countryCode: 'Choose a country.' }),
      }
      if (Object.keys(problems).length > 0) return show(ports, call, own, { seller, sellerProblems: problems })
      const filled = Object.entries({ ...address, countryCode: seller.countryCode }).filter(
        ([, value]) => value.trim() !== '',
      )
      const named = {
        ...{ legalName: legalName.trim(), address: Object.fromEntries(filled) },
        ...(taxId.trim() !== '' && { taxId: taxId.trim() }),
      }
      const saved = await nameSeller({ ...ports, db: call.db }, { organizationId: own.organizationId, named })
      return isRejection(saved) ? saved : redirect(`${path}?done=named`)
    },
  })
}

interface View {
  readonly done?: keyof typeof DONE
  readonly entered?: EnteredRate
  readonly rateProblems?: Problems
  readonly seller?: EnteredSeller
  readonly sellerProblems?: Problems
}

async function show(
  { clock }: TaxPorts,
  call: PageCall,
  { organizationId, may }: Own,
  { done, entered, rateProblems, seller, sellerProblems }: View,
): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const settings = await readTaxSettings(sql, organizationId)
  if (isRejection(settings)) return settings
  const { source, rates } = settings
  const { csrf } = call
  const now = clock.now()
  const mayEdit = may('tax.manage')
  const isOwn = mayEdit && source === 'OWN'
  const removing = { action: `${path}/rates/remove`, csrf }
  const known = await findSeller(sql, organizationId)
  const main = html`<h1>Tax</h1>
${done && toast(DONE[done])}
<section class="section"><h2>Rates</h2>
${mayEdit ? choice(csrf, source) : facts([['Rates', SOURCES[source].text]])}
</section>
${source !== 'NONE' && rateTable({ rates, now, ...(isOwn && { removing }) })}
${isOwn && rateForm({ action: `${path}/rates`, csrf, now, ...(entered && { entered }), ...(rateProblems && { problems: rateProblems }) })}
<section class="section"><h2>Seller on invoices</h2>
${may('organizations.manage') ? sellerForm(csrf, seller ?? enteredOf(known), sellerProblems) : facts([['Seller', known?.legalName ?? 'Named by the organization alone']])}</section>`
  return framed(call, { title: 'Tax', part: 'tax', main, problems: rateProblems ?? sellerProblems })
}

const SOURCES: Readonly<Record<TaxSource, { readonly text: string; readonly detail: string }>> = {
  OPERATOR: { text: 'The rates of the platform', detail: 'The operator keeps the rates up to date.' },
  OWN: { text: 'Our own rates', detail: 'You set a rate for each country that you account for.' },
  NONE: { text: 'No tax', detail: 'Invoices have no tax.' },
}

function choice(csrf: string, value: TaxSource): Html {
  return form({
    ...{ csrf, action: `${path}/source` },
    body: html`${choices({
      ...{ name: 'source', legend: 'Tax rates of your invoices', value },
      options: TAX_SOURCES.map(source => ({ value: source, ...SOURCES[source] })),
    })}
${button('Save')}`,
  })
}

function enteredOf(seller: Seller | null): EnteredSeller {
  const {
    legalName = '',
    taxId = '',
    address: { line1 = '', city = '', postalCode = '', countryCode = '' } = {},
  } = seller ?? {}
  return { legalName, taxId, line1, city, postalCode, countryCode }
}

function sellerForm(csrf: string, value: EnteredSeller, problems: Problems = {}): Html {
  const text = (name: keyof EnteredSeller, label: string, more = {}) =>
    textField({ name, label, value: value[name], problem: problems[name], ...more })
  const optional = { isOptional: true }
  return form({
    ...{ csrf, action: `${path}/seller`, problems },
    body: html`${text('legalName', 'Legal name', { autocomplete: 'organization' })}
${text('line1', 'Street', { ...optional, autocomplete: 'address-line1' })}
${text('city', 'City', { ...optional, autocomplete: 'address-level2' })}
${text('postalCode', 'Postal code', { ...optional, autocomplete: 'postal-code' })}
${selectField({ name: 'countryCode', label: 'Country', hint: 'The country decides whether the reverse charge applies.', value: value.countryCode, options: [{ value: '', text: 'Choose a country' }, ...COUNTRY_OPTIONS], problem: problems.countryCode })}
${text('taxId', 'Tax ID', { ...optional, hint: 'For example DE123456789. Shown on invoices.' })}
${button('Save the seller')}`,
  })
}
