import { Type } from 'typebox'
import type { Refund } from '../../core/refund.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import { applyPaidRefund } from '../../money/billing/money-back.ts'
import { refund } from '../../money/billing/refund.ts'
import { findInvoice } from '../../money/invoices/store.ts'
import { findOwed, findOwedRefund } from '../../money/refunds/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { facts } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, press, textField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { table } from '../../platform/web/components/table.ts'
import { moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { declineReason } from '../decline-words.ts'
import { type Desk, framed, merchantLink, ON_A_PAGE, opsPage } from './ops-page.ts'

const path = OPERATOR_PATHS.money
const params = Type.Object({ refundId: Uuid })
const pathOf = (refundId: string) => `${path}/owed/${refundId}`
const MAX_REFERENCE = 140

/** An owed refund is sent again through the gateway, or booked after the operator has paid it another way. */
export function owedRefundPages(ports: Ports): AnyPage[] {
  return [
    opsPage({
      ...{ method: 'POST', path: `${pathOf(':refundId')}/again`, params, name: 'sendOwedRefund' },
      operation: 'invoices.refund',
      async handle(call) {
        const owed = await findOwedRefund(call.db.sql, call.params.refundId)
        // Sent by a press before.
        if (owed === null) return redirect(`${path}?done=noneOwed`)
        const { businessId, invoiceId, amount, reason } = owed
        const sent = await refund({ ...ports, db: call.db }, { businessId, invoiceId, amount, reason })
        if (!isRejection(sent)) return redirect(`${path}?done=refunding`)
        return sent.rejected === 'REFUND_EXCEEDS_PAID' ? redirect(`${path}?done=noneOwed`) : sent
      },
    }),
    opsPage({
      ...{ method: 'GET', path: pathOf(':refundId'), params, name: 'askBeforeMarkingPaid' },
      operation: 'refunds.markPaid',
      handle: call => show(call, ''),
    }),
    opsPage({
      ...{ method: 'POST', path: pathOf(':refundId'), params, name: 'markRefundPaid', operation: 'refunds.markPaid' },
      form: Type.Object({ reference: Text(MAX_REFERENCE, 0) }),
      async handle(call) {
        const reference = call.form.reference.trim()
        if (reference === '') return show(call, reference, 'Enter the reference of the payment.')
        const refundId = call.params.refundId
        const isBooked = await applyPaidRefund({ ...ports, db: call.db }, { refundId, reference })
        return redirect(`${path}?done=${isBooked ? 'paid' : 'noneOwed'}`)
      },
    }),
  ]
}

async function show(call: PageCall<{ refundId: string }>, reference: string, problem?: string) {
  const { sql } = call.db
  const owed = await findOwedRefund(sql, call.params.refundId)
  if (owed === null) return redirect(`${path}?done=noneOwed`)
  const invoice = await findInvoice(sql, owed.invoiceId)
  const [business] = await findBusinesses(sql, [owed.businessId])
  if (invoice === null || business === undefined)
    return reject('RESOURCE_NOT_FOUND', 'There is no refund with this id.')
  const main = html`${pageHead({
    ...{ title: 'Mark a refund as paid', above: [{ href: path, text: 'Money' }] },
    lead: 'For a refund that you paid another way, such as a bank transfer. The books, the invoice and the app then show a refund. It cannot be taken back.',
  })}
<div class="section">${facts([
    ['Merchant', merchantLink({ ...owed, businessName: business.doingBusinessAs })],
    ['Invoice', invoice.number],
    ['Owed', moneyWords(owed)],
    ['Failure of the last attempt', owed.failure && declineReason(owed.failure)],
  ])}</div>
${form({
  ...{ csrf: call.csrf, action: pathOf(owed.refundId), problems: problem === undefined ? {} : { reference: problem } },
  body: html`${textField({ name: 'reference', label: 'Reference of the payment', hint: 'The merchant and the developer read it.', autocomplete: 'off', maxlength: MAX_REFERENCE, value: reference, problem })}
${buttons(button(`Mark ${moneyWords(owed)} as paid`, { kind: 'primary' }), linkButton('Go back', path))}`,
})}`
  const status = problem === undefined ? 200 : 400
  return framed(call, { title: 'Mark a refund as paid', part: 'money', main, width: 'narrow' }, { status })
}

/** Late payments that Tillhook could not refund. Renders nothing if none are owed. */
export async function owedTable(sql: Sql, csrf: string, desk: Desk): Promise<Html | false> {
  const owed = await findOwed(sql, ON_A_PAGE)
  if (owed.length === 0) return false
  const businesses = await findBusinesses(sql, [...new Set(owed.map(({ businessId }) => businessId))])
  const names = new Map(businesses.map(business => [business.businessId, business.doingBusinessAs]))
  const nameFor = ({ businessId }: Refund) => names.get(businessId) ?? ''
  return table<Refund>({
    caption: 'Refunds that failed and are owed',
    rows: owed,
    columns: [
      { name: 'Merchant', cell: one => merchantLink({ ...one, businessName: nameFor(one) }) },
      { name: 'Amount', isNumber: true, cell: moneyWords },
      { name: 'Failure', cell: ({ failure }) => failure && declineReason(failure) },
      desk.may('invoices.refund') && {
        name: 'Through the gateway',
        cell: one => press(`${pathOf(one.refundId)}/again`, csrf, 'Refund again', `for ${nameFor(one)}`),
      },
      desk.may('refunds.markPaid') && {
        name: 'Another way',
        cell: one => linkButton('Mark as paid', pathOf(one.refundId), { size: 'small', about: `for ${nameFor(one)}` }),
      },
    ],
  })
}
