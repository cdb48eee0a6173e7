import { isUndecided } from '../../core/catch-up.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { decideCatchUp } from './decide.ts'
import { dryRun } from './dry-run.ts'
import { CatchUpAnswer, CatchUpBody, CatchUpJson, catchUpToJson, dryRunToJson } from './schema.ts'
import { findBillingProgress } from './store.ts'

export function catchUpRoutes(ports: Pick<Ports, 'db' | 'clock' | 'wake'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/operations/catch-up',
      name: 'getCatchUp',
      operation: 'operations.read',
      summary: 'The last outage of billing of more than a day, and what waits to be charged.',
      answers: { 200: CatchUpAnswer },
      handle: async () => {
        const catchUp = (await findBillingProgress(ports.db.sql))?.catchUp ?? null
        if (catchUp === null) return answer(200, { dryRun: [], isCut: false })
        const isOpen = isUndecided(catchUp, ports.clock.now())
        const run = isOpen ? await dryRun(ports.db.sql, catchUp) : { rows: [], isCut: false }
        return answer(200, { catchUp: catchUpToJson(catchUp), ...dryRunToJson(run) })
      },
    }),
    route({
      method: 'POST',
      path: '/operations/catch-up',
      name: 'decideCatchUp',
      operation: 'catchUp.decide',
      summary: 'Charges what waits after an outage now, over days, or never.',
      body: CatchUpBody,
      answers: { 200: CatchUpJson },
      rejections: ['NO_CATCH_UP'],
      handle: async ({ body, db }) => {
        const decided = await decideCatchUp({ ...ports, db }, body)
        return isRejection(decided) ? decided : answer(200, catchUpToJson(decided))
      },
    }),
  ]
}
