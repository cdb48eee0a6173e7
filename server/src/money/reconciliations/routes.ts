import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { timestamped } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { findOwed } from '../refunds/store.ts'
import { owedToJson, ReconciliationsJson } from './schema.ts'
import { listDiscrepancies, listReconciliations } from './store.ts'

/** A month for two gateways. */
const RUNS = 60
const MAX_ROWS = 500

export function reconciliationRoutes({ db }: Pick<Ports, 'db'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/reconciliations',
      name: 'listReconciliations',
      operation: 'operations.read',
      summary: "List the daily comparisons with the gateways' books, the open discrepancies, and the owed refunds",
      answers: { 200: ReconciliationsJson },
      handle: async () => {
        const reconciliations = await listReconciliations(db.sql, RUNS)
        const discrepancies = await listDiscrepancies(db.sql, MAX_ROWS)
        const owedRefunds = await findOwed(db.sql, MAX_ROWS)
        return answer(200, {
          reconciliations: reconciliations.map(timestamped),
          discrepancies: discrepancies.map(timestamped),
          owedRefunds: owedRefunds.map(owedToJson),
        })
      },
    }),
  ]
}
