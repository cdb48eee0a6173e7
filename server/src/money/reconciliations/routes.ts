import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { findOwed } from '../refunds/store.ts'
import { discrepancyToJson, owedToJson, ReconciliationsJson, reconciliationToJson } from './schema.ts'
import { listDiscrepancies, listReconciliations } from './store.ts'

/** A month of two gateways. */
const RUNS = 60
/** More than anybody works through in a day: the oldest come first. */
const MOST = 500

export function reconciliationRoutes({ db }: Pick<Ports, 'db'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/reconciliations',
      name: 'listReconciliations',
      operation: 'operations.read',
      summary:
        "How the gateways' books and ours compare: the daily runs, the discrepancies left, and refunds still owed.",
      answers: { 200: ReconciliationsJson },
      handle: async () => {
        const reconciliations = await listReconciliations(db.sql, RUNS)
        const discrepancies = await listDiscrepancies(db.sql, MOST)
        const owedRefunds = await findOwed(db.sql, MOST)
        return answer(200, {
          reconciliations: reconciliations.map(reconciliationToJson),
          discrepancies: discrepancies.map(discrepancyToJson),
          owedRefunds: owedRefunds.map(owedToJson),
        })
      },
    }),
  ]
}
