import { given } from '../../core/given.ts'
import { DEFAULT_COUNT, listed, parsePage } from '../../core/page.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { monthOf } from '../../core/statement.ts'
import { type Answer, type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { timestamped } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { retryNow } from './retry-now.ts'
import { readRevenue } from './revenue.ts'
import {
  ChargeJson,
  ChargeParams,
  ChargesJson,
  ChargesQuery,
  keyOf,
  QuarantinedJson,
  QuarantinedQuery,
  RefundsJson,
  RefundsQuery,
  RevenueJson,
  RevenueQuery,
  UpcomingJson,
  UpcomingQuery,
  unsettledToJson,
  upcomingToJson,
} from './schema.ts'
import {
  type ChargeState,
  findReportedCharge,
  listQuarantined,
  listUnsettledCharges,
  listUnsettledRefunds,
  type UnsettledCharge,
  type UnsettledPage,
  type UnsettledRefund,
} from './unsettled.ts'
import { readUpcoming } from './upcoming.ts'

const DEFAULT_DAYS = '30'

/** The operator's view of billing. */
export function reportRoutes({ db, clock }: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/operations/upcoming',
      name: 'listUpcomingCharges',
      operation: 'operations.read',
      summary: 'List the charges of the next days, assuming that every charge succeeds',
      query: UpcomingQuery,
      answers: { 200: UpcomingJson },
      handle: async ({ query }) => {
        const count = countOf(query)
        if (isRejection(count)) return count
        const after = query.after === undefined ? {} : { after: keyOf(query.after) }
        const upcoming = await readUpcoming(
          { db, clock },
          { days: Number(query.days ?? DEFAULT_DAYS), count, ...after },
        )
        return answer(200, upcomingToJson(upcoming))
      },
    }),
    route({
      method: 'GET',
      path: '/operations/charges',
      name: 'listUnsettledCharges',
      operation: 'operations.read',
      summary: 'List charges without an outcome: in progress, unknown, waiting or stuck',
      query: ChargesQuery,
      answers: { 200: ChargesJson },
      handle: ({ query }) =>
        unsettled(
          query,
          page => listUnsettledCharges(db.sql, page),
          ({ chargeId }) => chargeId,
        ),
    }),
    route({
      method: 'POST',
      path: '/operations/charges/:chargeId/poll',
      name: 'pollCharge',
      operation: 'charges.poll',
      summary:
        'Poll a charge without an outcome now, instead of at `nextPollAt`. A charge with an outcome does not change',
      params: ChargeParams,
      answers: { 202: ChargeJson },
      rejections: ['CHARGE_NOT_FOUND'],
      handle: async ({ params, db: requestDb }) => {
        const chargeId = params.chargeId.toLowerCase()
        await retryNow({ clock, db: requestDb }, { kind: 'charge', rowId: chargeId })
        const charge = await findReportedCharge(requestDb.sql, chargeId)
        return charge === null ? noCharge() : answer(202, unsettledToJson(charge))
      },
    }),
    route({
      method: 'GET',
      path: '/operations/refunds',
      name: 'listUnsettledRefunds',
      operation: 'operations.read',
      summary: 'List refunds without an outcome: in progress or stuck',
      query: RefundsQuery,
      answers: { 200: RefundsJson },
      handle: ({ query }) =>
        unsettled(
          query,
          page => listUnsettledRefunds(db.sql, page),
          ({ refundId }) => refundId,
        ),
    }),
    route({
      method: 'GET',
      path: '/operations/quarantined',
      name: 'listQuarantined',
      operation: 'operations.read',
      summary: 'List quarantined rows with their errors and next retries, most failures first',
      query: QuarantinedQuery,
      answers: { 200: QuarantinedJson },
      handle: async ({ query }) => {
        const count = countOf(query)
        if (isRejection(count)) return count
        return answer(200, { list: (await listQuarantined(db.sql, count)).map(timestamped) })
      },
    }),
    route({
      method: 'GET',
      path: '/reports/revenue',
      name: 'getRevenue',
      operation: 'operations.read',
      summary: 'Get recurring revenue, trial conversion, churn and recovery of a month, by currency',
      query: RevenueQuery,
      answers: { 200: RevenueJson },
      handle: async ({ query: { month = monthOf(clock.now()), currency } }) => {
        const list = await readRevenue({ db, clock }, { month, ...(currency === undefined ? {} : { currency }) })
        return isRejection(list) ? list : answer(200, { month, list })
      },
    }),
  ]

  async function unsettled<State extends ChargeState, Row extends UnsettledCharge | UnsettledRefund>(
    { state, after, ...query }: { readonly state?: State; readonly after?: string; readonly count?: string },
    read: (page: UnsettledPage<State | 'UNSETTLED'>) => Promise<readonly Row[]>,
    idOf: (row: Row) => string,
  ): Promise<Answer | Rejection> {
    const count = countOf(query)
    if (isRejection(count)) return count
    // One more row than shown, to know whether more exist.
    const page = { state: state ?? ('UNSETTLED' as const), now: clock.now(), limit: count + 1, ...given({ after }) }
    const { items, ...more } = listed(await read(page), count, idOf)
    return answer(200, { list: items.map(unsettledToJson), ...more })
  }
}

function noCharge() {
  return reject('CHARGE_NOT_FOUND', 'There is no charge with this chargeId.')
}

function countOf({ count }: { count?: string }) {
  const page = parsePage(count === undefined ? {} : { count })
  return isRejection(page) ? page : (page.count ?? DEFAULT_COUNT)
}
