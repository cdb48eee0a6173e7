import { findOrganization } from '../../catalog/organizations/store.ts'
import { parseOffset } from '../../core/page.ts'
import { isRejection, reject, rejectField } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { timestamped } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { book } from './book.ts'
import { AdjustmentBody, BookedJson, BookingPageJson, BookingQuery, OrganizationPath, PayoutBody } from './schema.ts'
import { listBookings } from './store.ts'

export function payoutRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/organizations/:organizationId/payouts',
      name: 'bookPayout',
      operation: 'payouts.manage',
      summary: 'Book a payout to a developer, up to the owed amount',
      params: OrganizationPath,
      body: PayoutBody,
      answers: { 201: BookedJson },
      rejections: ['ORGANIZATION_NOT_FOUND', 'PAYOUT_EXCEEDS_OWED', 'REFERENCE_BOOKED'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      handle: async ({ params, body: { amount, currency, reference }, db }) => {
        const organizationId = params.organizationId.toLowerCase()
        const booked = await book({ ...ports, db }, { kind: 'PAYOUT', organizationId, amount, currency, reference })
        return isRejection(booked) ? booked : answer(201, timestamped(booked))
      },
    }),
    route({
      method: 'POST',
      path: '/organizations/:organizationId/adjustments',
      name: 'bookAdjustment',
      operation: 'payouts.manage',
      summary: "Book a gateway fee that the developer bears, or an adjustment of the developer's balance",
      params: OrganizationPath,
      body: AdjustmentBody,
      answers: { 201: BookedJson },
      rejections: ['ORGANIZATION_NOT_FOUND', 'REFERENCE_BOOKED'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      handle: async ({ params, body: { kind, amount, currency, reason }, db }) => {
        if (kind === 'FEE' && amount < 1) return rejectField('amount', 'must be at least 1 for a FEE')
        const organizationId = params.organizationId.toLowerCase()
        const booked = await book({ ...ports, db }, { kind, organizationId, amount, currency, reference: reason })
        return isRejection(booked) ? booked : answer(201, timestamped(booked))
      },
    }),
    route({
      method: 'GET',
      path: '/organizations/:organizationId/payouts',
      name: 'listPayouts',
      operation: 'ledger.read',
      summary: 'List payouts, fees and adjustments of a developer, newest first',
      params: OrganizationPath,
      query: BookingQuery,
      answers: { 200: BookingPageJson },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      handle: async ({ params, query }) => {
        const page = parseOffset(query)
        if (isRejection(page)) return page
        const organizationId = params.organizationId.toLowerCase()
        const { sql } = ports.db
        if ((await findOrganization(sql, organizationId)) === null) {
          return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
        }
        const { bookings, total } = await listBookings(sql, { organizationId, ...page })
        return answer(200, { list: bookings.map(timestamped), start: page.offset, total, count: bookings.length })
      },
    }),
  ]
}
