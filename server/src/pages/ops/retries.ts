import { Type } from 'typebox'
import { retryNow } from '../../money/reports/retry-now.ts'
import { QUARANTINED_KINDS, type Quarantined } from '../../money/reports/unsettled.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { press } from '../../platform/web/components/form.ts'
import { table } from '../../platform/web/components/table.ts'
import { shortMoment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { opsPage } from './ops-page.ts'

const path = OPERATOR_PATHS.money

export const retryPathOf = (kind: string, rowId: string) => `${path}/retry/${kind}/${rowId}`

/** Makes the next attempt for a row due now. */
export function retryRowPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'POST', path: retryPathOf(':rowKind', ':rowId'), name: 'retryRow', operation: 'operations.retry' },
    params: Type.Object({ rowKind: Type.Enum([...QUARANTINED_KINDS]), rowId: Uuid }),
    async handle({ db, params: { rowKind: kind, rowId } }) {
      await retryNow({ db, clock }, { kind, rowId })
      return redirect(`${path}?done=retry`)
    },
  })
}

const KINDS: Readonly<Record<Quarantined['kind'], string>> = {
  subscription: 'Subscription',
  charge: 'Charge',
  refund: 'Refund',
  delivery: 'Webhook',
  redelivery: 'Redelivery',
}

/** Rows that Tillhook could not handle. `csrf` is false without the right to retry. */
export function quarantinedTable(rows: readonly Quarantined[], csrf: string | false): Html {
  return table<Quarantined>({
    caption: 'Quarantined rows',
    rows,
    columns: [
      {
        name: 'Row',
        cell: ({ kind, rowId }) =>
          html`<span class="stack"><span>${KINDS[kind]}</span>${copyId(`row-${rowId}`, rowId, `the ID of the ${KINDS[kind].toLowerCase()}`)}</span>`,
      },
      { name: 'Last error', cell: ({ lastError }) => html`<code>${lastError}</code>` },
      { name: 'Failures', isNumber: true, cell: ({ failures }) => String(failures) },
      { name: 'Next attempt (UTC)', cell: ({ retryAt }) => shortMoment(retryAt) },
      csrf !== false && {
        name: 'Retry',
        cell: ({ kind, rowId }) =>
          press(retryPathOf(kind, rowId), csrf, 'Retry now', `the ${KINDS[kind].toLowerCase()} ${rowId}`),
      },
    ],
  })
}
