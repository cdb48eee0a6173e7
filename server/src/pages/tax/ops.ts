import { Type } from 'typebox'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { TaxRate } from '../../core/tax.ts'
import { readProviderStatus } from '../../money/tax/address-store.ts'
import { INVALID_ADDRESS } from '../../money/tax/look-up.ts'
import { type FailedTaxRecord, listFailedTaxRecords } from '../../money/tax/record-store.ts'
import { removeTaxRate, setTaxRate } from '../../money/tax/settings.ts'
import { listRates } from '../../money/tax/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { facts, notice, toast } from '../../platform/web/components/content.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { countryName } from '../countries.ts'
import { type Desk, framed, opsPage } from '../ops/ops-page.ts'
import { COLLECTED_TAX_PATH, collectedTaxPages } from './collected.ts'
import { type EnteredRate, PLATFORM_RATE_FORM, RATE_KEY_FORM, rateForm, rateOf, rateTable } from './rates.ts'

const path = OPERATOR_PATHS.tax
const DONE = { set: 'The rate is set. Issued invoices keep their tax.', removed: 'The rate is removed.' } as const

type TaxPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'taxProvider'>

export function operatorTaxPages(ports: TaxPorts): AnyPage[] {
  return [
    ...collectedTaxPages(ports),
    opsPage({
      ...{ method: 'GET', path, name: 'showTaxRates', operation: 'operations.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(['set', 'removed'])) }),
      handle: async (call, desk) =>
        show(ports, call, desk, call.query.done === undefined ? {} : { done: call.query.done }),
    }),
    opsPage({
      ...{
        method: 'POST',
        path: `${path}/rates`,
        name: 'sendTaxRate',
        operation: 'operatorTax.manage',
        form: PLATFORM_RATE_FORM,
      },
      async handle(call, desk): Promise<PageAnswer | Rejection> {
        const read = rateOf(call.form)
        if ('problems' in read) return show(ports, call, desk, { entered: call.form, problems: read.problems })
        const saved = await setTaxRate({ ...ports, db: call.db }, { owner: null, rate: read.rate })
        return isRejection(saved) ? saved : redirect(`${path}?done=set`)
      },
    }),
    opsPage({
      ...{ method: 'POST', path: `${path}/rates/remove`, name: 'sendTaxRateRemoval', form: RATE_KEY_FORM },
      operation: 'operatorTax.manage',
      async handle(call) {
        // Pressed twice: the rate is gone.
        await removeTaxRate({ db: call.db }, { owner: null, ...call.form })
        return redirect(`${path}?done=removed`)
      },
    }),
  ]
}

interface View {
  readonly done?: keyof typeof DONE
  readonly entered?: EnteredRate
  readonly problems?: Problems
}

async function show(
  { clock, taxProvider }: TaxPorts,
  call: PageCall,
  desk: Desk,
  { done, entered, problems }: View,
): Promise<PageAnswer> {
  const rates = await listRates(call.db.sql, null)
  const now = clock.now()
  const mayEdit = desk.may('operatorTax.manage')
  const removing = { action: `${path}/rates/remove`, csrf: call.csrf }
  const main = html`<h1>Tax</h1>
${done && toast(DONE[done])}
<p class="lead">These rates apply to every organization, unless the organization has its own rates or charges no tax.</p>
<p><a href="${COLLECTED_TAX_PATH}">Collected tax by country and month</a></p>
${rateTable({ rates, now, ...(mayEdit && { removing }) })}
${await addressRates(call.db.sql, { rates, taxProvider })}
${mayEdit && rateForm({ action: `${path}/rates`, csrf: call.csrf, now, ...(entered && { entered }), ...(problems && { problems }), ...(taxProvider && { providerName: taxProvider.name }) })}`
  return framed(call, { title: 'Tax', part: 'tax', main, problems })
}

const MOST = 50

/** The provider of rates by address: its countries, its last answer and the merchants without a rate. Nothing without rates by address. */
export async function addressRates(
  sql: Sql,
  { rates, taxProvider }: { readonly rates: readonly TaxRate[]; readonly taxProvider: Ports['taxProvider'] },
): Promise<Html | false> {
  const countries = [...new Set(rates.filter(({ byAddress }) => byAddress).map(({ country }) => country))]
  if (countries.length === 0) return false
  const { rated, failed, lastCheckedAt } = await readProviderStatus(sql, MOST)
  const unrecorded = await listFailedTaxRecords(sql, MOST)
  return html`<section class="section"><h2>Rates by address</h2>
${
  taxProvider === undefined &&
  notice(
    'warn',
    'The rates of addresses are no longer updated',
    'Set TILLHOOK_TAX=stripe, or remove the rates by address.',
  )
}
${facts([
  ['Provider', taxProvider?.name ?? 'None'],
  ['Countries', countries.map(countryName).join(', ')],
  ['Merchants with a rate', String(rated)],
  ['Last look-up', lastCheckedAt === null ? 'None yet' : moment(lastCheckedAt)],
])}
${failed.length > 0 && failedTable(failed)}
${unrecorded.length > 0 && unrecordedTable(unrecorded)}</section>`
}

function failedTable(failed: readonly Failed[]): Html {
  return table<Failed>({
    caption: 'Merchants without a rate of their address',
    rows: failed,
    columns: [
      {
        name: 'Merchant',
        cell: ({ businessId, name }) => html`<a href="${`${OPERATOR_PATHS.merchants}/${businessId}`}">${name}</a>`,
      },
      { name: 'Problem', cell: ({ problem }) => problemWords(problem) },
      { name: 'Last look-up', cell: ({ checkedAt }) => moment(checkedAt) },
    ],
  })
}

function unrecordedTable(unrecorded: readonly FailedTaxRecord[]): Html {
  return table<FailedTaxRecord>({
    caption: 'Bookings that are not in the books of the provider',
    rows: unrecorded,
    columns: [
      { name: 'Invoice', cell: ({ invoiceNumber }) => invoiceNumber },
      {
        name: 'Problem',
        cell: ({ problem }) =>
          problem === INVALID_ADDRESS ? 'The provider cannot locate the address of the merchant.' : problem,
      },
      { name: 'Booked', cell: ({ bookedAt }) => moment(bookedAt) },
    ],
  })
}

type Failed = Awaited<ReturnType<typeof readProviderStatus>>['failed'][number]

function problemWords(problem: string): string {
  if (problem === INVALID_ADDRESS)
    return 'The provider cannot locate the address. Complete the address of the merchant.'
  return `The provider did not answer (${problem}). The look-up repeats every 15 minutes.`
}
