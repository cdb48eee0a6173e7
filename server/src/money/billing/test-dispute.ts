import { assert } from '../../core/assert.ts'
import type { DisputeStatus } from '../../core/dispute.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Ports } from '../../ports.ts'
import { findChargeObject } from '../charges/store.ts'
import type { DisputeAtGateway } from '../gateway/gateway.ts'
import { findInvoice } from '../invoices/store.ts'
import { type DatedDispute, findDisputesOfInvoices } from '../refunds/store.ts'
import { type DisputePorts, settleDispute } from './dispute.ts'

interface TestDispute {
  readonly businessId: string
  readonly invoiceId: string
  readonly status: DisputeStatus
}

const AT_GATEWAY = { OPEN: 'open', LOST: 'lost', WON: 'won' } as const

/**
 * Opens or decides the dispute of a test merchant's invoice at the sandbox, as the payer's bank does. Repeats change nothing. After a crash, a
 * repeated request or the daily reconciliation finishes the work.
 */
export async function disputeAtSandbox(
  { db, gateways }: Pick<Ports, 'db' | 'gateways'>,
  { businessId, invoiceId, status }: TestDispute,
): Promise<DisputeAtGateway | Rejection> {
  const business = await findBusiness(db.sql, businessId)
  if (business === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
  if (business.type !== 'TEST_MERCHANT') {
    return reject(
      'NOT_A_TEST_MERCHANT',
      'Only a TEST_MERCHANT has test disputes. The bank of a real payer opens disputes itself.',
    )
  }
  const invoice = await findInvoice(db.sql, invoiceId)
  if (invoice?.businessId !== businessId) {
    return reject('INVOICE_NOT_FOUND', 'The business has no invoice with this invoiceId.')
  }
  const charge = invoice.amountPaid === 0 ? null : await findChargeObject(db.sql, invoiceId)
  const made = charge && (await gateways.sandbox.dispute({ ...charge, status: AT_GATEWAY[status] }))
  if (made === null) {
    return reject('INVOICE_NOT_PAID', 'Nothing is left to dispute: the invoice is unpaid, or its payment was refunded.')
  }
  if (made.status === AT_GATEWAY[status]) return made
  return reject(
    'DISPUTE_DECIDED',
    `The dispute is ${made.status}. A lost dispute can only be won; a won dispute is final.`,
  )
}

/** Applies the sandbox's dispute with its events, like a report of any gateway. */
export async function recordTestDispute(
  ports: DisputePorts,
  { invoiceId, made }: { readonly invoiceId: string; readonly made: DisputeAtGateway },
): Promise<DatedDispute> {
  await settleDispute(ports, { invoiceId, gateway: 'sandbox', made })
  const disputes = await findDisputesOfInvoices(ports.db.sql, [invoiceId])
  const dispute = disputes.find(({ gatewayDisputeId }) => gatewayDisputeId === made.gatewayDisputeId)
  assert(dispute, 'a settled dispute is stored')
  return dispute
}
