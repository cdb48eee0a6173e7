import type { RecordPorts } from '../../../src/webhooks/notifications/record.ts'
import { createSender, type SenderPorts } from '../../../src/webhooks/deliveries/sender.ts'
import type { Life } from '../scheduler.ts'
import type { World } from './run.ts'

/** How a process of the simulation sends. */
export interface Sending {
  readonly ports: SenderPorts & RecordPorts
  /** Time has passed. */
  tick(): void
}

export function startSending(
  ports: SenderPorts & RecordPorts,
  { life, world }: { life: Life; world: World },
): Sending {
  const sender = createSender(ports, { version: 'sim', random: () => world.random().next() })
  let running = 0
  return {
    ports,
    tick: () => {
      if (running > 0 || life.isDead) return
      running++
      world.scheduler.spawn(life, 'send', async () => {
        await sender.runOnce().catch(() => {})
        running--
      })
    },
  }
}
