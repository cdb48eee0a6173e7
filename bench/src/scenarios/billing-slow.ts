import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDatabase, removeDatabase } from '../database.ts'
import { dataDirIn, startService } from '../service.ts'
import type { Scenario, World } from '../world.ts'
import { billingOf } from './billing.ts'

/** As many due at one instant, of a service of its own beside, whose gateway takes so long for each call. */
export function billingSlow(subscriptions: number, gatewayDelayMs: number): Scenario {
  return {
    name: `${subscriptions.toLocaleString('en')} due at once, gateway of ${gatewayDelayMs} ms`,
    run: async world => {
      await using stack = new AsyncDisposableStack()
      const folder = await mkdtemp(join(tmpdir(), 'tillhook-bench-slow-'))
      stack.defer(() => rm(folder, { recursive: true, force: true }))
      stack.defer(() => removeDatabase(dataDirIn(folder)))
      const ending = new AbortController()
      const { operatorKey } = world
      const service = stack.use(
        await startService({ folder, operatorKey, gatewayDelayMs, onEnd: error => ending.abort(error) }),
      )
      const database = await findDatabase(dataDirIn(folder))
      const own: World = {
        ...world,
        baseUrl: service.baseUrl,
        databaseUrl: database.url,
        processes: { service: service.pid, postgres: database.pid },
        gatewayDelayMs,
        signal: AbortSignal.any([world.signal, ending.signal]),
      }
      return await billingOf(subscriptions).run(own)
    },
  }
}
