import { memoryUsage } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void

/**
 * How many bytes of what the work leaves behind are still there after the quick collector has passed: what is needed, and what only the
 * slow one finds. Of what others do in the process meanwhile, too: ask for a multiple.
 */
export async function bytesLeft(work: () => Promise<void>): Promise<number> {
  collect({ type: 'major' })
  const before = memoryUsage().heapUsed
  await work()
  for (let n = 0; n < 3; n++) collect({ type: 'minor' })
  return memoryUsage().heapUsed - before
}
