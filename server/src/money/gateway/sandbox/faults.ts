import { setTimeout as wait } from 'node:timers/promises'
import { AssertionFailure } from '../../../core/assert.ts'
import { GatewayUnreachable } from '../gateway.ts'

/** What may go wrong between us and a gateway. Either throws to lose a request or its answer. */
export interface Faults {
  /** The request is lost: nothing happened. */
  before(call: string): void | Promise<void>
  /** The answer is lost: it happened. */
  after(call: string): void | Promise<void>
}

/** Nothing is lost, and each call takes as long as one over a network. */
export function slowness(ms: number): Faults {
  return { before: () => wait(ms), after: () => {} }
}

/** Makes one call, through the faults. Throws as an adapter does that cannot reach its gateway. */
export async function callThrough<T>(faults: Faults | undefined, call: string, work: () => Promise<T>): Promise<T> {
  if (faults === undefined) return await work()
  await lose(() => faults.before(call))
  const result = await work()
  await lose(() => faults.after(call))
  return result
}

async function lose(fault: () => void | Promise<void>): Promise<void> {
  try {
    await fault()
  } catch (cause) {
    throw new GatewayUnreachable(cause instanceof Error ? cause.message : 'unreachable', { cause })
  }
}

/** What cannot be known is `unknown`, and is looked up later. A bug of ours stays one. */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T | { kind: 'unknown'; reason: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AssertionFailure) throw error
    return { kind: 'unknown', reason: error instanceof Error ? error.message : 'unreachable' }
  }
}
