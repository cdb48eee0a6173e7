import { findOrganization } from '../../catalog/organizations/store.ts'
import type { Principal } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { monthStatus } from '../../core/statement.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, CSV_ROUTE, csvAnswer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { readJournal } from './journal.ts'
import {
  BusinessBalanceJson,
  BusinessParams,
  balanceToJson,
  JournalQuery,
  monthToJson,
  OperatorBalanceJson,
  OrganizationBalanceJson,
  OrganizationParams,
  operatorBalanceToJson,
  StatementJson,
  StatementListJson,
  StatementListQuery,
  StatementParams,
  StatementQuery,
  statementToJson,
} from './schema.ts'
import { readStatement, statementCsv } from './statement.ts'
import { listAllBalances, listBalances, listBusinessBalances, listMonths } from './totals.ts'

/** Routes about the books of an organization. */
const OF_ORGANIZATION = {
  method: 'GET',
  operation: 'ledger.read',
  rejections: ['ORGANIZATION_NOT_FOUND'],
  subject: ({ params }: { readonly params: { readonly organizationId: string } }) => ({
    organizationId: params.organizationId.toLowerCase(),
  }),
} as const

export function ledgerRoutes({ db, clock }: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      ...OF_ORGANIZATION,
      path: '/organizations/:organizationId/balance',
      name: 'getOrganizationBalance',
      summary: 'Get the balance of a developer in each currency',
      params: OrganizationParams,
      answers: { 200: OrganizationBalanceJson },
      handle: async ({ params }) => {
        const organizationId = params.organizationId.toLowerCase()
        const absent = await rejectUnknown(db.sql, organizationId)
        if (absent) return absent
        const balances = await listBalances(db.sql, { organizationId, live: true })
        const testBalances = await listBalances(db.sql, { organizationId, live: false })
        const shown = { balances: balances.map(balanceToJson), testBalances: testBalances.map(balanceToJson) }
        return answer(200, { organizationId, ...shown })
      },
    }),
    route({
      ...OF_ORGANIZATION,
      path: '/organizations/:organizationId/statements',
      name: 'listStatements',
      summary: 'List the months with bookings, newest first',
      params: OrganizationParams,
      query: StatementListQuery,
      answers: { 200: StatementListJson },
      handle: async ({ params, query }) => {
        const organizationId = params.organizationId.toLowerCase()
        const absent = await rejectUnknown(db.sql, organizationId)
        if (absent) return absent
        const [now, live] = [clock.now(), isLive(query)]
        const months = await listMonths(db.sql, { organizationId, live })
        return answer(200, { list: months.map(found => monthToJson(found, monthStatus(found.month, { live, now }))) })
      },
    }),
    route({
      ...OF_ORGANIZATION,
      path: '/organizations/:organizationId/statements/:month',
      name: 'getStatement',
      summary: 'Get the statement of a month: bookings by plan, and the balance before and after',
      params: StatementParams,
      query: StatementQuery,
      answers: { 200: StatementJson },
      handle: async ({ params, query }) => {
        const of = statementOf(params, query)
        const absent = await rejectUnknown(db.sql, of.organizationId)
        if (absent) return absent
        const { organizationId, month } = of
        return answer(200, statementToJson({ organizationId, month }, await readStatement({ db, clock }, of)))
      },
    }),
    route({
      ...OF_ORGANIZATION,
      ...CSV_ROUTE,
      path: '/organizations/:organizationId/statements/:month/lines.csv',
      name: 'downloadStatement',
      summary: 'Download a statement as CSV',
      params: StatementParams,
      query: StatementQuery,
      handle: async ({ params, query }) => {
        const of = statementOf(params, query)
        const absent = await rejectUnknown(db.sql, of.organizationId)
        if (absent) return absent
        const content = statementCsv(of.month, await readStatement({ db, clock }, of))
        return csvAnswer(`statement-${of.month}.csv`, content)
      },
    }),
    route({
      ...OF_ORGANIZATION,
      ...CSV_ROUTE,
      path: '/organizations/:organizationId/statements/:month/journal.csv',
      name: 'downloadJournal',
      summary:
        'Download the general journal of a month as CSV, with one row per account of each booking and 10,000 bookings per file',
      params: StatementParams,
      query: JournalQuery,
      handle: async ({ params, query }) => {
        const { organizationId, month, live } = statementOf(params, query)
        const absent = await rejectUnknown(db.sql, organizationId)
        if (absent) return absent
        const content = await readJournal({ db }, { organizationId, month, live, part: Number(query.part ?? 1) })
        return csvAnswer(`journal-${month}.csv`, content)
      },
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/balance',
      name: 'getBusinessBalance',
      operation: 'balances.read',
      summary: 'Get the payments and the credit of a merchant. A developer sees only its own apps',
      params: BusinessParams,
      answers: { 200: BusinessBalanceJson },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, principal }) => {
        const businessId = params.businessId.toLowerCase()
        const balances = await listBusinessBalances(db.sql, { businessId, ...seenBy(principal) })
        return answer(200, { businessId, balances })
      },
    }),
    route({
      method: 'GET',
      path: '/operator/balance',
      name: 'getOperatorBalance',
      operation: 'operations.read',
      summary: "Get the operator's share, gateway fees and debts to developers, in each currency",
      answers: { 200: OperatorBalanceJson },
      handle: async () => {
        const balances = await listAllBalances(db.sql, true)
        const testBalances = await listAllBalances(db.sql, false)
        return answer(200, {
          balances: balances.map(operatorBalanceToJson),
          testBalances: testBalances.map(operatorBalanceToJson),
        })
      },
    }),
  ]
}

type Query = { readonly merchantType?: 'MERCHANT' | 'TEST_MERCHANT'; readonly currency?: string }

function statementOf({ organizationId, month }: { organizationId: string; month: string }, query: Query) {
  const { currency } = query
  const live = isLive(query)
  return { organizationId: organizationId.toLowerCase(), month, live, ...(currency === undefined ? {} : { currency }) }
}

function isLive({ merchantType }: Query): boolean {
  return merchantType !== 'TEST_MERCHANT'
}

async function rejectUnknown(sql: Sql, organizationId: string): Promise<Rejection | null> {
  const organization = await findOrganization(sql, organizationId)
  return organization ? null : reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
}

function seenBy(principal: Principal): { organizationId?: string } {
  return principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}
}
