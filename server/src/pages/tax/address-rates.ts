import type { TaxRate } from '../../core/tax.ts'
import { readProviderStatus } from '../../money/tax/address-store.ts'
import { INVALID_ADDRESS } from '../../money/tax/look-up.ts'
import { type FailedTaxRecord, listFailedTaxRecords } from '../../money/tax/record-store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { facts, notice } from '../../platform/web/components/content.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { countryName } from '../countries.ts'

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
