import { findOrganization } from '../../catalog/organizations/store.ts'
import { parseOffset } from '../../core/page.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { openPayoutAccount, readPayoutAccount } from './account.ts'
import {
  BookingQuery,
  OpenedAccountJson,
  OrganizationPath,
  PayoutAccountJson,
  TransferBody,
  TransferJson,
  TransferPageJson,
  transferToJson,
} from './schema.ts'
import { orderTransfer } from './transfer.ts'
import { listTransfers } from './transfer-store.ts'

/** Payout accounts of organizations, and transfers to these accounts. */
export function transferRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'transfers' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/organizations/:organizationId/payout-account',
      name: 'getPayoutAccount',
      operation: 'ledger.read',
      summary: 'Get the payout account of a developer',
      params: OrganizationPath,
      answers: { 200: PayoutAccountJson },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      subject: ({ params }) => subjectOf(params),
      handle: async ({ params, db }) => {
        const { organizationId } = subjectOf(params)
        if ((await findOrganization(db.sql, organizationId)) === null) return unknown()
        const account = await readPayoutAccount({ ...ports, db }, organizationId)
        if (account === null) return answer(200, { organizationId, status: 'NONE' as const })
        return answer(200, { organizationId, accountId: account.accountId, status: statusOf(account) })
      },
    }),
    route({
      method: 'POST',
      path: '/organizations/:organizationId/payout-account',
      name: 'openPayoutAccount',
      operation: 'organizations.manage',
      summary: 'Open the payout account of a developer, or get a new link to complete the account',
      params: OrganizationPath,
      answers: { 200: OpenedAccountJson },
      rejections: ['ORGANIZATION_NOT_FOUND', 'TRANSFERS_NOT_CONFIGURED'],
      subject: ({ params }) => subjectOf(params),
      handle: async ({ params, db }) => {
        const { organizationId } = subjectOf(params)
        if ((await findOrganization(db.sql, organizationId)) === null) return unknown()
        const returnUrl = `${ports.settings.baseUrl}/dev/payouts`
        const opened = await openPayoutAccount({ ...ports, db }, { organizationId, returnUrl })
        if (isRejection(opened)) return opened
        const { accountId, onboardingUrl } = opened
        return answer(200, { organizationId, accountId, status: statusOf(opened), onboardingUrl })
      },
    }),
    route({
      method: 'POST',
      path: '/organizations/:organizationId/transfers',
      name: 'orderTransfer',
      operation: 'payouts.manage',
      summary: 'Transfer the closing balance of a statement to the payout account, up to the amount owed now',
      params: OrganizationPath,
      body: TransferBody,
      answers: { 201: TransferJson },
      rejections: [
        'ORGANIZATION_NOT_FOUND',
        'TRANSFERS_NOT_CONFIGURED',
        'PAYOUT_ACCOUNT_NOT_READY',
        'PAYOUT_EXCEEDS_OWED',
        'REFERENCE_BOOKED',
      ],
      subject: ({ params }) => subjectOf(params),
      handle: async ({ params, body: { month, currency }, db }) => {
        const { organizationId } = subjectOf(params)
        if ((await findOrganization(db.sql, organizationId)) === null) return unknown()
        const ordered = await orderTransfer({ ...ports, db }, { organizationId, month, currency })
        return isRejection(ordered) ? ordered : answer(201, transferToJson(ordered))
      },
    }),
    route({
      method: 'GET',
      path: '/organizations/:organizationId/transfers',
      name: 'listTransfers',
      operation: 'ledger.read',
      summary: 'List the transfers to the payout account of a developer, newest first',
      params: OrganizationPath,
      query: BookingQuery,
      answers: { 200: TransferPageJson },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      subject: ({ params }) => subjectOf(params),
      handle: async ({ params, query, db }) => {
        const page = parseOffset(query)
        if (isRejection(page)) return page
        const { organizationId } = subjectOf(params)
        if ((await findOrganization(db.sql, organizationId)) === null) return unknown()
        const { transfers, total } = await listTransfers(db.sql, { organizationId, ...page })
        return answer(200, { list: transfers.map(transferToJson), start: page.offset, total, count: transfers.length })
      },
    }),
  ]
}

function subjectOf({ organizationId }: { readonly organizationId: string }) {
  return { organizationId: organizationId.toLowerCase() }
}

function statusOf({ isReady }: { readonly isReady: boolean }) {
  return isReady ? ('READY' as const) : ('PENDING' as const)
}

function unknown() {
  return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
}
