import { DEFAULT_COUNT, parsePage } from '../../core/page.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { monthOf } from '../../core/statement.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { pollNow } from '../charges/poll-now.ts'
import { readRevenue } from './revenue.ts'
import {
  ChargeJson,
  ChargeParams,
  ChargesJson,
  ChargesQuery,
  chargeToJson,
  keyOf,
  QuarantinedJson,
  QuarantinedQuery,
  quarantinedToJson,
  RefundsJson,
  RefundsQuery,
  RevenueJson,
  RevenueQuery,
  refundToJson,
  UpcomingJson,
  UpcomingQuery,
  upcomingToJson,
} from './schema.ts'
import { findReportedCharge, listQuarantined, listUnsettledCharges, listUnsettledRefunds } from './unsettled.ts'
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
      handle: async ({ query }) => {
        const count = countOf(query)
        if (isRejection(count)) return count
        const charges = await listUnsettledCharges(db.sql, pageOf(query.state ?? 'UNSETTLED', query.after, count))
        const { list, last } = cut(charges, count)
        const next = last === undefined ? {} : { next: last.chargeId }
        return answer(200, { list: list.map(chargeToJson), ...next })
      },
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
        await pollNow({ clock, db: requestDb }, chargeId)
        const charge = await findReportedCharge(requestDb.sql, chargeId)
        return charge === null ? noCharge() : answer(202, chargeToJson(charge))
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
      handle: async ({ query }) => {
        const count = countOf(query)
        if (isRejection(count)) return count
        const refunds = await listUnsettledRefunds(db.sql, pageOf(query.state ?? 'UNSETTLED', query.after, count))
        const { list, last } = cut(refunds, count)
        const next = last === undefined ? {} : { next: last.refundId }
        return answer(200, { list: list.map(refundToJson), ...next })
      },
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
        return answer(200, { list: (await listQuarantined(db.sql, count)).map(quarantinedToJson) })
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

  /** One more row than shown, to know whether more exist. */
  function pageOf<State>(state: State, after: string | undefined, count: number) {
    return { state, now: clock.now(), limit: count + 1, ...(after === undefined ? {} : { after }) }
  }
}

function noCharge() {
  return reject('CHARGE_NOT_FOUND', 'There is no charge with this chargeId.')
}

function countOf({ count }: { count?: string }) {
  const page = parsePage(count === undefined ? {} : { count })
  return isRejection(page) ? page : (page.count ?? DEFAULT_COUNT)
}

function cut<Row>(found: readonly Row[], count: number): { list: readonly Row[]; last: Row | undefined } {
  return { list: found.slice(0, count), last: found.length > count ? found[count - 1] : undefined }
}
