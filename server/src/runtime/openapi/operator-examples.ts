import { BUSINESS, CHARGE, INVOICE, MADE, ORGANIZATION, PLAN, REFUND, SUBSCRIPTION } from './example-values.ts'

const KEY = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const LATER = '2026-01-15T09:31:00Z'
const money = { invoiceId: INVOICE, businessId: BUSINESS, amount: 500, currency: 'USD' }
const polls = { startedAt: MADE, pollCount: 1, nextPollAt: LATER }
const row = { plan_id: PLAN, name: 'Loyalty Pro', status: 'ACTIVE' }

/** What the operator sees, and what the service says of itself. By the name of the schema. */
export const OPERATOR_EXAMPLES = {
  KeySet: { keys: [{ kty: 'RSA', n: 'the-modulus', e: 'AQAB', kid: KEY, use: 'sig', alg: 'RS256' }] },
  SigningKey: { kid: KEY },
  AppKey: { kid: KEY, createdAt: MADE },
  Seller: { legalName: 'Example Apps LLC', taxId: '12-3456789', organizationId: ORGANIZATION, createdAt: MADE },
  AuditList: {
    entries: [
      {
        ...{ entryId: 7, at: MADE, principal: 'operator:key', principalKind: 'operator', operation: 'apps.manage' },
        ...{ method: 'POST', path: '/apps/:appId/plans/:planId/retire' },
        requestId: '019a3c7e-5c00-7000-8000-0000000000f0',
        ...{ kind: 'PLAN', resourceId: PLAN, before: row, after: { ...row, status: 'INACTIVE' } },
      },
    ],
    links: [],
  },
  Reconciliations: {
    reconciliations: [
      {
        ...{ gateway: 'sandbox', fromAt: '2026-01-14T09:30:00Z', untilAt: MADE, finishedAt: LATER },
        ...{ compared: 120, repaired: 1, discrepancies: 0 },
      },
    ],
    discrepancies: [],
    owedRefunds: [{ refundId: REFUND, ...money, failure: 'The account is closed.', failedAt: MADE }],
  },
  UnsettledCharges: {
    list: [{ chargeId: CHARGE, subscriptionId: SUBSCRIPTION, status: 'UNKNOWN', ...money, ...polls }],
  },
  UnsettledRefunds: {
    list: [{ refundId: REFUND, reason: 'Bought by mistake', origin: 'REQUESTED', ...money, ...polls }],
  },
  QuarantinedList: {
    list: [{ kind: 'charge', rowId: CHARGE, failures: 1, lastError: 'The row is malformed.', retryAt: LATER }],
  },
  Checks: {
    checkedAt: MADE,
    checks: [
      {
        ...{ check: 'periodsContiguous', rule: 'The periods of a term follow each other without gap or overlap.' },
        ...{ status: 'PASSED', violations: [] },
      },
    ],
  },
  Health: {
    ...{ status: 'ok', version: '0.1.0', database: 'up' },
    waiting: {
      ...{ deliveriesDue: 0, oldestDeliverySeconds: 0, chargesUnsettled: 1, chargesUnknown: 0 },
      ...{ refundsUnsettled: 0, subscriptionsDue: 0, quarantined: 0 },
    },
  },
  Readiness: { status: 'ready' },
  GatewayEventReceipt: { received: true },
}
