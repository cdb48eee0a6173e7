import type { Evidence } from '../../core/dispute.ts'
import { given } from '../../core/given.ts'
import { parseOffset } from '../../core/page.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import type { BegunPaymentMethod, DisputeAtGateway } from '../gateway/gateway.ts'
import { disputeToJson, invoicesToJson } from '../invoices/read.ts'
import {
  BusinessParams,
  DisputeJson,
  InvoiceJson,
  InvoiceParams,
  InvoiceQuery,
  RefundJson,
  refundToJson,
} from '../invoices/schema.ts'
import { countPaymentMethods, listPaymentMethods } from '../payment-methods/store.ts'
import { type AcceptedEvidence, getAnsweredDispute, recordEvidence, sendEvidence } from './dispute-evidence.ts'
import { payInvoice } from './pay-invoice.ts'
import {
  addPaymentMethod,
  beginAtGateway,
  choosePaymentMethod,
  removePaymentMethod,
  type SavedAtGateway,
  saveAtGateway,
} from './payment-method.ts'
import { refund } from './refund.ts'
import {
  AnsweredDisputeJson,
  answeredDisputeToJson,
  DisputeBody,
  DisputeParams,
  EvidenceBody,
  PayBody,
  PaymentMethodBody,
  PaymentMethodJson,
  PaymentMethodPageJson,
  PaymentMethodParams,
  paymentMethodToJson,
  RefundBody,
  SetupBody,
  SetupJson,
} from './schema.ts'
import { disputeAtSandbox, recordTestDispute } from './test-dispute.ts'

/** Routes of payment methods, refunds and test disputes. */
export function moneyRoutes(ports: Ports): AnyRoute[] {
  return [
    ...evidenceRoutes(ports),
    route({
      method: 'POST',
      path: '/businesses/:businessId/invoices/:invoiceId/refunds',
      name: 'refundInvoice',
      operation: 'invoices.refund',
      summary: 'Refund an invoice, completely or in part. REFUND_SUCCESS follows when the gateway confirms the refund',
      params: InvoiceParams,
      body: RefundBody,
      answers: { 201: RefundJson },
      rejections: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_PAID', 'REFUND_EXCEEDS_PAID'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, body, principal, db }) => {
        const made = await refund(
          { ...ports, db },
          {
            businessId: params.businessId.toLowerCase(),
            invoiceId: params.invoiceId.toLowerCase(),
            ...ownOf(principal),
            ...given({ amount: body.amount, reason: body.reason }),
          },
        )
        return isRejection(made) ? made : answer(201, refundToJson(made))
      },
    }),
    route({
      method: 'PUT',
      path: '/businesses/:businessId/invoices/:invoiceId/test-dispute',
      name: 'disputeInvoice',
      operation: 'disputes.simulate',
      summary: "Open or decide a dispute of a test merchant's payment",
      params: InvoiceParams,
      body: DisputeBody,
      answers: { 200: DisputeJson },
      rejections: [
        ...(['BUSINESS_NOT_FOUND', 'NOT_A_TEST_MERCHANT'] as const),
        ...(['INVOICE_NOT_FOUND', 'INVOICE_NOT_PAID', 'DISPUTE_DECIDED'] as const),
      ],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      prepare: ({ params, body }) =>
        disputeAtSandbox(ports, {
          businessId: params.businessId.toLowerCase(),
          invoiceId: params.invoiceId.toLowerCase(),
          status: body.status,
        }),
      handle: async ({ params, db, prepared }) => {
        const reported = { invoiceId: params.invoiceId.toLowerCase(), made: prepared as DisputeAtGateway }
        return answer(200, disputeToJson(await recordTestDispute({ ...ports, db }, reported)))
      },
    }),
    route({
      method: 'POST',
      path: '/businesses/:businessId/invoices/:invoiceId/pay',
      name: 'payInvoice',
      operation: 'paymentMethods.manage',
      summary: 'Charge an open invoice now. The outcome is in the invoice and in an event',
      params: InvoiceParams,
      body: PayBody,
      answers: { 202: InvoiceJson },
      rejections: [
        ...(['INVOICE_NOT_FOUND', 'INVOICE_NOT_OPEN', 'PAYMENT_DUE', 'CHARGE_IN_PROGRESS'] as const),
        ...(['PAYMENT_METHOD_REQUIRED', 'PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_METHOD_DECLINED'] as const),
        'GATEWAY_NOT_FOR_BUSINESS',
      ],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, body, db }) => {
        const paid = await payInvoice(
          { ...ports, db },
          {
            businessId: params.businessId.toLowerCase(),
            invoiceId: params.invoiceId.toLowerCase(),
            ...(body.paymentMethodId === undefined ? {} : { paymentMethodId: body.paymentMethodId.toLowerCase() }),
          },
        )
        return isRejection(paid) ? paid : answer(202, (await invoicesToJson(db.sql, [paid]))[0])
      },
    }),
    route({
      method: 'POST',
      path: '/businesses/:businessId/payment-methods',
      name: 'addPaymentMethod',
      operation: 'paymentMethods.manage',
      summary: 'Save a payment method as the default, and charge past-due invoices',
      params: BusinessParams,
      body: PaymentMethodBody,
      answers: { 201: PaymentMethodJson },
      rejections: ['GATEWAY_NOT_CONFIGURED', 'GATEWAY_NOT_FOR_BUSINESS', 'PAYMENT_METHOD_DECLINED'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      prepare: ({ params, body, once }) =>
        saveAtGateway(ports, { ...body, businessId: params.businessId.toLowerCase(), key: once }),
      handle: async ({ params, db, prepared }) => {
        const businessId = params.businessId.toLowerCase()
        const added = await addPaymentMethod({ ...ports, db }, { businessId, saved: prepared as SavedAtGateway })
        return isRejection(added) ? added : answer(201, paymentMethodToJson(added, { isDefault: true }))
      },
    }),
    route({
      method: 'POST',
      path: '/businesses/:businessId/payment-methods/setup',
      name: 'beginPaymentMethod',
      operation: 'paymentMethods.manage',
      summary: "Begin saving a card with the gateway's own page element, so that Tillhook sees no card number",
      params: BusinessParams,
      body: SetupBody,
      answers: { 200: SetupJson },
      rejections: ['GATEWAY_NOT_CONFIGURED', 'GATEWAY_NOT_FOR_BUSINESS'],
      audited: false,
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      prepare: ({ params, body, once }) =>
        beginAtGateway(ports, { ...body, businessId: params.businessId.toLowerCase(), key: once }),
      handle: async ({ body, prepared }) => answer(200, { gateway: body.gateway, ...(prepared as BegunPaymentMethod) }),
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/payment-methods',
      name: 'listPaymentMethods',
      operation: 'paymentMethods.read',
      summary: 'List the payment methods of a merchant, the default first',
      params: BusinessParams,
      query: InvoiceQuery,
      answers: { 200: PaymentMethodPageJson },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params: { businessId }, query }) => {
        const page = parseOffset(query)
        if (isRejection(page)) return page
        const methods = await listPaymentMethods(ports.db.sql, businessId, page)
        const list = methods.map((method, i) => paymentMethodToJson(method, { isDefault: page.offset + i === 0 }))
        const total = await countPaymentMethods(ports.db.sql, businessId)
        return answer(200, { list, start: page.offset, total, count: list.length })
      },
    }),
    route({
      method: 'PUT',
      path: '/businesses/:businessId/payment-methods/:paymentMethodId/default',
      name: 'setDefaultPaymentMethod',
      operation: 'paymentMethods.manage',
      summary: 'Make a payment method the default, and charge past-due invoices with it',
      params: PaymentMethodParams,
      answers: { 200: PaymentMethodJson },
      rejections: ['PAYMENT_METHOD_NOT_FOUND', 'GATEWAY_NOT_FOR_BUSINESS'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, db }) => {
        const businessId = params.businessId.toLowerCase()
        const paymentMethodId = params.paymentMethodId.toLowerCase()
        const chosen = await choosePaymentMethod({ ...ports, db }, { businessId, paymentMethodId })
        return isRejection(chosen) ? chosen : answer(200, paymentMethodToJson(chosen, { isDefault: true }))
      },
    }),
    route({
      method: 'DELETE',
      path: '/businesses/:businessId/payment-methods/:paymentMethodId',
      name: 'removePaymentMethod',
      operation: 'paymentMethods.manage',
      summary: 'Remove a payment method. The default of a live paid subscription cannot be removed',
      params: PaymentMethodParams,
      answers: { 204: null },
      rejections: ['PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_METHOD_IN_USE', 'CHARGE_IN_PROGRESS'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, db }) => {
        const businessId = params.businessId.toLowerCase()
        const paymentMethodId = params.paymentMethodId.toLowerCase()
        const removed = await removePaymentMethod({ ...ports, db }, { businessId, paymentMethodId })
        return removed === null ? answer(204) : removed
      },
    }),
  ]
}

/** The seller's answer to a dispute. */
function evidenceRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/disputes/:disputeId',
      name: 'getDispute',
      operation: 'disputes.read',
      summary: 'Get a dispute with its deadline and the evidence that was sent',
      params: DisputeParams,
      answers: { 200: AnsweredDisputeJson },
      rejections: ['DISPUTE_NOT_FOUND'],
      subject: ({ principal }) => ownOf(principal),
      async handle({ params, principal, db }) {
        const dispute = await getAnsweredDispute({ db }, { ...idOf(params), ...ownOf(principal) })
        return isRejection(dispute) ? dispute : answer(200, answeredDisputeToJson(dispute))
      },
    }),
    route({
      method: 'POST',
      path: '/disputes/:disputeId/evidence',
      name: 'sendEvidence',
      operation: 'disputes.answer',
      summary: "Send evidence to the payer's bank. Evidence can be sent once, and the bank decides weeks later",
      params: DisputeParams,
      body: EvidenceBody,
      answers: { 200: AnsweredDisputeJson },
      rejections: [
        ...(['DISPUTE_NOT_FOUND', 'EVIDENCE_SENT', 'DISPUTE_DECIDED', 'EVIDENCE_PAST_DUE'] as const),
        ...(['EVIDENCE_REJECTED', 'GATEWAY_NOT_CONFIGURED'] as const),
      ],
      subject: ({ principal }) => ownOf(principal),
      prepare: ({ params, body, principal }): Promise<AcceptedEvidence | Rejection> =>
        sendEvidence(ports, { ...idOf(params), ...ownOf(principal), evidence: body as Evidence }),
      async handle({ db, prepared }) {
        const kept = await recordEvidence({ ...ports, db }, prepared as AcceptedEvidence)
        return answer(200, answeredDisputeToJson(kept))
      },
    }),
  ]
}

const idOf = ({ disputeId }: { readonly disputeId: string }) => ({ disputeId: disputeId.toLowerCase() })

function ownOf(principal: Principal): Pick<Subject, 'organizationId'> {
  return principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}
}
