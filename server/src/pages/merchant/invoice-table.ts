import type { Invoice } from '../../money/invoices/store.ts'
import { badge, type Tone } from '../../platform/web/components/card.ts'
import { table } from '../../platform/web/components/table.ts'
import { day } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { moneyWords } from '../../platform/web/money.ts'
import { PATHS } from './frame.ts'
import { statusOf } from './invoice-words.ts'

/** Invoices, each a link to its page. */
export function invoiceTable(
  invoices: readonly Invoice[],
  { caption, appNames }: { caption: string; appNames?: ReadonlyMap<string, string> },
): Html {
  return table<Invoice>({
    caption,
    rows: invoices,
    columns: [
      {
        name: 'Invoice',
        cell: ({ invoiceId, number }) => html`<a href="${`${PATHS.invoices}/${invoiceId}`}">${number}</a>`,
      },
      { name: 'Date', cell: ({ createdAt }) => day(createdAt) },
      ...(appNames ? [{ name: 'App', cell: ({ appId }: Invoice) => appNames.get(appId) ?? '' }] : []),
      { name: 'For', cell: ({ lines }) => lines[0]?.description ?? '' },
      {
        name: 'State',
        cell: invoice => {
          const { word, tone } = statusOf(invoice)
          return badge(word, tone satisfies Tone)
        },
      },
      {
        name: 'Amount',
        isNumber: true,
        cell: ({ amount, currency }) => moneyWords({ amount, currency }),
      },
    ],
  })
}
