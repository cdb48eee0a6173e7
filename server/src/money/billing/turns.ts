import type { Gateway } from '../gateway/gateway.ts'

/** Lets as many pieces of work at a gateway go on at one time as it takes; the others wait, the first come first. */
export function openTurns(): <T>(gateway: Pick<Gateway, 'name' | 'atOnce'>, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { underWay: number; readonly waiting: (() => void)[] }>()
  return async ({ name, atOnce }, work) => {
    const queue = queues.get(name) ?? { underWay: 0, waiting: [] }
    queues.set(name, queue)
    if (queue.underWay < atOnce) queue.underWay++
    else await new Promise<void>(resolve => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes on to who waits, or is free.
      const next = queue.waiting.shift()
      if (next) next()
      else queue.underWay--
    }
  }
}
