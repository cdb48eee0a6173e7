import { noteExercised } from '../../../test/support/exercised.ts'
import type { Answer, World } from '../../../test/support/world.ts'
import { createAuthorizer } from '../../access/rights/authorize.ts'
import type { Principal } from '../../core/principal.ts'
import type { Sql } from '../../platform/db/db.ts'
import { createHttpServer } from '../../platform/http/server.ts'

/** A GET request of a caller without a token of its own kind in these tests. */
export async function askAs(
  { app }: World,
  principal: Principal,
  url: string,
): Promise<Pick<Answer, 'status' | 'body'>> {
  const served = createHttpServer({
    ...app.ports,
    routes: app.routes,
    authenticator: { authenticate: async () => principal },
    authorizer: createAuthorizer(app.ports),
    idempotency: {
      finish: async (_request, answer) => answer,
      find: async () => null,
      onceEach: () => Promise.reject(new Error('a GET')),
    },
    auditor: { attribute: () => Promise.reject(new Error('a GET')) },
    limits: { ratePerApp: 100_000, ratePerAddress: 100_000 },
  })
  noteExercised(served)
  const { statusCode: status, body } = await served.inject({ method: 'GET', url })
  await served.close()
  return { status, body: JSON.parse(body) }
}

/** Totals, with their changes, that differ from the entries. One statement, so that concurrent bookings do not disturb the comparison. */
export async function totalsThatDisagree(sql: Sql): Promise<readonly object[]> {
  return [
    ...(await sql`
      with kept as (
        select organization_id, live, currency, month, app_id, plan_id, kind, sum(count) as count, sum(gateway) as gateway,
          sum(organization) as organization, sum(operator) as operator, sum(business_credit) as business_credit
        from (
          select organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator,
            business_credit from ledger_totals
          union all
          select organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator,
            business_credit from ledger_total_changes) as noted
        group by 1, 2, 3, 4, 5, 6, 7),
      added_up as (
        select i.organization_id, b.type = 'MERCHANT' as live, t.currency,
          date_trunc('month', t.booked_at, 'UTC')::date as month, i.app_id, i.plan_id, t.kind, count(*) as count,
          sum(t.gateway) as gateway, sum(t.organization) as organization, sum(t.operator) as operator,
          sum(t.business_credit) as business_credit
        from ledger_transactions as t
        join invoices as i using (invoice_id)
        join businesses as b on b.business_id = i.business_id
        group by 1, 2, 3, 4, 5, 6, 7)
      (select * from kept except all select * from added_up)
      union all
      (select * from added_up except all select * from kept)`),
  ]
}
