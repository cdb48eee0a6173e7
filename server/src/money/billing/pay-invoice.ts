import { assert } from '../../core/assert.ts'
import { decide } from '../../core/decide.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { lockBusiness } from '../../merchants/businesses/store.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { findInvoice, type Invoice } from '../invoices/store.ts'
import { findDefaultPaymentMethods, findPaymentMethod } from '../payment-methods/store.ts'
import { lockSubscription } from '../subscriptions/store.ts'
import { isFor } from './charge-submitter.ts'
import { freshIds, loadState, nowOf } from './load.ts'
import { noMethod, notFor, prefer } from './payment-method.ts'
import { type WritePorts, writeChanges } from './write.ts'

interface PayInvoice {
  readonly businessId: string
  readonly invoiceId: string
  /** Becomes the default, because retries charge the default. Absent: the default. */
  readonly paymentMethodId?: string
}

/**
 * Starts a charge of an open invoice now, instead of at the next retry. The charge is committed with the call and its
 * outcome follows. Payment goes to the oldest open invoice of a subscription first. A hard-declined card is not
 * charged again. Source: decisions 6, "Pay now".
 */
export async function payInvoice(
  ports: WritePorts & Pick<Ports, 'db' | 'gateways'>,
  { businessId, invoiceId, paymentMethodId }: PayInvoice,
): Promise<Invoice | Rejection> {
  return await ports.db.transaction(async tx => {
    const business = await lockBusiness(tx.sql, businessId)
    if (business === null) return notFound()
    const invoice = await findInvoice(tx.sql, invoiceId)
    if (invoice?.businessId !== businessId) return notFound()
    const defaultId = (await findDefaultPaymentMethods(tx.sql, [businessId])).get(businessId)
    const paysWith = paymentMethodId ?? defaultId
    if (paysWith === undefined) {
      return reject('PAYMENT_METHOD_REQUIRED', 'The business has no payment method. Add one first.')
    }
    if (invoice.status !== 'OPEN') return notOpen(invoice)
    // A new default is charged for everything that is past due, this invoice included.
    if (paysWith !== defaultId) {
      const method = await findPaymentMethod(tx.sql, { businessId, paymentMethodId: paysWith })
      if (method === null) return noMethod()
      if (!isFor(ports.gateways, method.gateway, business.type)) return notFor(method.gateway, business.type)
      await prefer(tx, ports, { businessId, paymentMethodId: paysWith })
      return invoice
    }
    const subscription = await lockSubscription(tx.sql, invoice.subscriptionId)
    assert(subscription, 'a subscription with invoices is never deleted')
    const state = await loadState(tx.sql, subscription)
    const [oldest] = state.openInvoices
    if (!state.openInvoices.some(open => open.invoiceId === invoiceId)) return notOpen(invoice)
    if (oldest?.invoiceId !== invoiceId) {
      return reject(
        'PAYMENT_DUE',
        `Invoice ${oldest?.invoiceId} of the subscription is older. Pay the oldest invoice first.`,
      )
    }
    if (subscription.awaitedChargeId !== undefined) {
      return reject('CHARGE_IN_PROGRESS', 'A payment of this invoice is under way. Read the invoice for its outcome.')
    }
    const latest = (await findChargesOfInvoices(tx.sql, [invoiceId])).at(-1)
    if (latest?.status === 'DECLINED_HARD' && latest.paymentMethodId === paysWith) {
      return reject(
        'PAYMENT_METHOD_DECLINED',
        'The bank declined this payment method permanently. Pay with another payment method.',
      )
    }
    const now = await nowOf(tx.sql, subscription, ports.clock.now())
    const change = decide(state, { kind: 'retry' }, freshIds(ports.newId), now)
    if (isRejection(change)) return change
    await writeChanges(tx, ports, [change])
    return invoice
  })
}

function notFound(): Rejection {
  return reject('INVOICE_NOT_FOUND', 'The business has no invoice with this invoiceId.')
}

function notOpen({ status }: Pick<Invoice, 'status'>): Rejection {
  return reject(
    'INVOICE_NOT_OPEN',
    `Only an OPEN invoice can be paid; this invoice is ${status === 'OPEN' ? 'closed' : status}.`,
  )
}
