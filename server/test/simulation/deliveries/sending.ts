import { AsyncResource } from 'node:async_hooks'
import type { Notice, Notices } from '../../../src/webhooks/deliveries/notices.ts'
import { createSender, type SenderPorts } from '../../../src/webhooks/deliveries/sender.ts'
import type { RecordPorts } from '../../../src/webhooks/notifications/record.ts'
import type { Random } from '../random.ts'
import type { Life } from '../scheduler.ts'
import type { World } from './run.ts'

/** The sender of one process, with its timers in virtual time. */
export interface Sending {
  readonly ports: SenderPorts & RecordPorts
  fireTimers(): void
}

/** Notices between processes. Some are lost. */
export interface Bus {
  open(life: Life): Notices
}

const LOST = 0.1

export function createBus(random: Random): Bus {
  const listeners = new Map<Life, (notice: Notice) => void>()
  return {
    open: life => ({
      announce: ({ queued = [], changed = [], isReleased = false }) => {
        for (const [other, notify] of listeners) {
          if (other === life || other.isDead || other.isPaused || random.chance(LOST)) continue
          notify({ queued, changed, isReleased })
        }
      },
      listen: onNotice => void listeners.set(life, AsyncResource.bind(onNotice)),
      close: async () => {},
    }),
  }
}

export function startSending(
  given: SenderPorts & RecordPorts,
  { life, world, bus }: { life: Life; world: World; bus: Bus },
): Sending {
  let timers: { readonly at: number; readonly fire: () => void }[] = []
  const rest = (ms: number) =>
    new Promise<void>(resolve => {
      timers.push({ at: world.now().getTime() + ms, fire: AsyncResource.bind(resolve) })
    })
  const ports = { ...given, sleep: rest }
  const options = { version: 'sim', random: () => world.random().next(), notices: bus.open(life) }
  const sender = createSender(ports, options)
  world.scheduler.spawn(
    life,
    'sender',
    async () => {
      sender.start()
      await new Promise(() => {})
    },
    { isBackground: true },
  )
  return {
    ports: { ...ports, dispatch: sender },
    fireTimers: () => {
      if (life.isDead || life.isPaused) return
      const due = timers.filter(({ at }) => at <= world.now().getTime())
      timers = timers.filter(timer => !due.includes(timer))
      for (const { fire } of due) fire()
    },
  }
}
