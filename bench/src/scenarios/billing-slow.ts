import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scenario } from '../world.ts'
import { billingOf } from './billing.ts'
import { openOwnService } from './own-service.ts'

/** Like `billingOf`, with a second service whose gateway delays each call. */
export function billingSlow(subscriptions: number, gatewayDelayMs: number): Scenario {
  return {
    name: `${subscriptions.toLocaleString('en')} due at once, gateway of ${gatewayDelayMs} ms`,
    run: async world => {
      await using stack = new AsyncDisposableStack()
      const folder = await mkdtemp(join(tmpdir(), 'tillhook-bench-slow-'))
      stack.defer(() => rm(folder, { recursive: true, force: true }))
      const own = stack.use(await openOwnService(world, { folder, gatewayDelayMs }))
      return await billingOf(subscriptions).run(own.world)
    },
  }
}
