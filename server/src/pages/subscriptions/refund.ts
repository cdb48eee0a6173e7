import { Type } from 'typebox'
import { v7 } from 'uuid'
import { findApp } from '../../catalog/apps/store.ts'
import { UUID } from '../../core/id.ts'
import { decimalOf, minorUnits } from '../../core/money.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import { previewRefund, refund } from '../../money/billing/refund.ts'
import { findInvoice, type Invoice } from '../../money/invoices/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line, Text, Uuid } from '../../platform/http/wire.ts'
import { facts } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { moneyWords } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { SubscriptionParams } from './one.ts'
import { pathOfSubscription, type Side, type Viewer } from './side.ts'

const Params = Type.Object({ ...SubscriptionParams.properties, invoiceId: Uuid })

/** Refunds an invoice: the amount, then a preview of who pays what, then the refund. */
export function refundPages(side: Side, ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'wake' | 'settings'>): AnyPage[] {
  const path = `${side.paths.apps}/:appId/subscriptions/:subscriptionId/invoices/:invoiceId/refund`
  return [
    side.page({
      ...{ method: 'GET', path, params: Params, name: side.nameOf('showRefund'), operation: 'invoices.refund' },
      async handle(call, viewer) {
        const invoice = await findOwnInvoice(call.db.sql, call.params, viewer)
        if (isRejection(invoice)) return invoice
        const whole = await previewRefund({ ...ports, db: call.db }, idsOf(invoice))
        if (isRejection(whole)) return redirect(`${pathOfSubscription(side, call.params)}?done=no-refund`)
        return amountForm(side, call, invoice, { amount: decimalOf(whole.amount, invoice.currency), reason: '' })
      },
    }),
    side.page({
      ...{ method: 'POST', path: `${path}/preview`, params: Params, name: side.nameOf('previewOwnRefund') },
      operation: 'invoices.refund',
      form: Type.Object({ amount: Text(20, 0), reason: Line(255, 0) }),
      // Stores nothing.
      audited: false,
      async handle(call, viewer) {
        const invoice = await findOwnInvoice(call.db.sql, call.params, viewer)
        if (isRejection(invoice)) return invoice
        const entered = { amount: call.form.amount.trim(), reason: call.form.reason.trim() }
        const amount = minorUnits(entered.amount, invoice.currency)
        if (amount === null || amount === 0) {
          return amountForm(side, call, invoice, entered, { amount: `Enter an amount in ${invoice.currency}.` })
        }
        const preview = await previewRefund({ ...ports, db: call.db }, { ...idsOf(invoice), amount })
        if (isRejection(preview)) return amountForm(side, call, invoice, entered, { amount: wordsOf(preview) })
        const { currency } = invoice
        const words = (part: number) => moneyWords({ amount: part, currency })
        const main = html`<h1>Refund ${words(amount)}?</h1>
<p class="lead">Invoice ${invoice.number}, ${await merchantOf(call.db.sql, invoice)}</p>
<div class="section">${facts([
          ['The merchant receives', words(preview.amount)],
          [
            viewer.organizationId === undefined ? 'Taken from the developer’s balance' : 'Taken from your balance',
            words(preview.organization),
          ],
          ['Returned by the platform', words(preview.operator)],
          ...(entered.reason === '' ? [] : [['Reason', entered.reason] as [string, string]]),
        ])}</div>
<p>A refund cannot be undone, and it does not end the subscription. To end a subscription, cancel it.</p>
${form({
  csrf: call.csrf,
  action: pathOfRefund(side, call.params),
  hidden: { refundId: v7(), amount: String(amount), reason: entered.reason },
  body: buttons(
    button(`Refund ${words(amount)}`, { kind: 'danger' }),
    linkButton('Go back', pathOfRefund(side, call.params)),
  ),
})}`
        return side.framed(call, { title: 'Refund', part: 'subscriptions', main, width: 'narrow' })
      },
    }),
    side.page({
      ...{ method: 'POST', path, params: Params, name: side.nameOf('sendRefund'), operation: 'invoices.refund' },
      form: Type.Object({ refundId: Text(36, 0), amount: Text(10, 0), reason: Line(255, 0) }),
      async handle(call, viewer) {
        const invoice = await findOwnInvoice(call.db.sql, call.params, viewer)
        if (isRejection(invoice)) return invoice
        const { refundId, reason } = call.form
        const amount = /^[1-9]\d*$/.test(call.form.amount) ? Number(call.form.amount) : 0
        if (amount === 0 || !UUID.test(refundId)) {
          return amountForm(
            side,
            call,
            invoice,
            { amount: '', reason },
            { amount: `Enter an amount in ${invoice.currency}.` },
          )
        }
        const sent = await refund({ ...ports, db: call.db }, { ...idsOf(invoice), amount, reason, refundId })
        if (!isRejection(sent)) return redirect(`${pathOfSubscription(side, call.params)}?done=refunded`)
        const entered = { amount: decimalOf(amount, invoice.currency), reason }
        return amountForm(side, call, invoice, entered, { amount: wordsOf(sent) })
      },
    }),
  ]
}

const idsOf = ({ invoiceId, businessId, organizationId }: Invoice) => ({ invoiceId, businessId, organizationId })

interface Ids {
  readonly appId: string
  readonly subscriptionId: string
  readonly invoiceId: string
}

async function findOwnInvoice(
  sql: Sql,
  { appId, subscriptionId, invoiceId }: Ids,
  { organizationId }: Viewer,
): Promise<Invoice | Rejection> {
  const app = await findApp(sql, appId)
  const invoice = await findInvoice(sql, invoiceId)
  const isOfSubscription = invoice?.subscriptionId === subscriptionId && invoice.appId === app?.appId
  const isOwn = organizationId === undefined || invoice?.organizationId === organizationId
  if (invoice !== null && isOfSubscription && isOwn) return invoice
  return reject('INVOICE_NOT_FOUND', 'The subscription has no invoice with this id.')
}

function wordsOf({ rejected, developerMessage }: Rejection): string {
  return rejected === 'REFUND_EXCEEDS_PAID'
    ? 'This is more than the part of the payment that can still be refunded.'
    : developerMessage
}

const pathOfRefund = (side: Side, ids: Ids) => `${pathOfSubscription(side, ids)}/invoices/${ids.invoiceId}/refund`

async function merchantOf(sql: Sql, { businessId }: Pick<Invoice, 'businessId'>): Promise<string> {
  return (await findBusinesses(sql, [businessId]))[0]?.doingBusinessAs ?? ''
}

async function amountForm(
  side: Side,
  call: PageCall<Ids>,
  { number, businessId, amountPaid, amountRefunded, currency }: Invoice,
  entered: { readonly amount: string; readonly reason: string },
  problems: Problems = {},
) {
  const main = html`<h1>Refund invoice <span class="amount">${number}</span></h1>
<p class="lead">${await merchantOf(call.db.sql, { businessId })}: ${moneyWords({ amount: amountPaid, currency })} paid${amountRefunded > 0 && `, ${moneyWords({ amount: amountRefunded, currency })} refunded`}</p>
${form({
  csrf: call.csrf,
  action: `${pathOfRefund(side, call.params)}/preview`,
  problems,
  body: html`${textField({ name: 'amount', label: `Amount in ${currency}`, inputmode: 'decimal', autocomplete: 'off', maxlength: 20, value: entered.amount, problem: problems.amount })}
${textField({ name: 'reason', label: 'Reason', hint: 'The merchant reads it.', isOptional: true, autocomplete: 'off', maxlength: 255, value: entered.reason, problem: problems.reason })}
${buttons(button('Show the effect', { kind: 'primary' }), linkButton('Go back', pathOfSubscription(side, call.params)))}`,
})}`
  return side.framed(call, { title: 'Refund', part: 'subscriptions', main, width: 'narrow', problems })
}
