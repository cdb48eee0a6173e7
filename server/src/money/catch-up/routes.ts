import { isUndecided } from '../../core/catch-up.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { timestamped } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { decideCatchUp } from './decide.ts'
import { dryRun } from './dry-run.ts'
import { CatchUpAnswer, CatchUpBody, CatchUpJson, dryRunToJson } from './schema.ts'
import { findBillingProgress } from './store.ts'

export function catchUpRoutes(ports: Pick<Ports, 'db' | 'clock' | 'wake'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/operations/catch-up',
      name: 'getCatchUp',
      operation: 'operations.read',
      summary: 'Get the last billing outage of more than a day, and its missed charges',
      answers: { 200: CatchUpAnswer },
      handle: async () => {
        const catchUp = (await findBillingProgress(ports.db.sql))?.catchUp ?? null
        if (catchUp === null) return answer(200, { dryRun: [], isCut: false })
        const isOpen = isUndecided(catchUp, ports.clock.now())
        const run = isOpen ? await dryRun(ports.db.sql, catchUp) : { rows: [], isCut: false }
        return answer(200, { catchUp: timestamped(catchUp), ...dryRunToJson(run) })
      },
    }),
    route({
      method: 'POST',
      path: '/operations/catch-up',
      name: 'decideCatchUp',
      operation: 'catchUp.decide',
      summary: 'Decide about the missed charges of an outage: charge now, spread over days, or waive',
      body: CatchUpBody,
      answers: { 200: CatchUpJson },
      rejections: ['NO_CATCH_UP'],
      handle: async ({ body, db }) => {
        const decided = await decideCatchUp({ ...ports, db }, body)
        return isRejection(decided) ? decided : answer(200, timestamped(decided))
      },
    }),
  ]
}
