import type { ApiRequest } from '../api.ts'
import { cpuPerRequest, readCpu } from '../cpu.ts'
import { closedLoop } from '../load.ts'
import { type Row, rowOf } from '../row.ts'
import { createTally, type Tally } from '../tally.ts'
import { WARM_UP_SECONDS, type World } from '../world.ts'

/** Busy connections for a GET and for a token. */
export const CONNECTIONS = 32

/** Sends the requests of `next` over busy connections until the time is over, or `requests` were sent. Only a 200 is a success. */
export async function repeat(
  world: World,
  name: string,
  { next, requests }: { readonly next: () => ApiRequest; readonly requests?: number },
): Promise<Row> {
  const measure = (tally: Tally, seconds: number, most?: number) =>
    closedLoop(
      { ...world, connections: CONNECTIONS, seconds, ...(most === undefined ? {} : { requests: most }) },
      next,
      {
        answered: ({ status, tookMs }) => (status === 200 ? tally.succeeded(tookMs) : tally.failed(String(status))),
        failed: tally.failed,
      },
    )
  const warmUp = requests === undefined ? undefined : Math.ceil(requests / 10)
  await measure(createTally(), WARM_UP_SECONDS, warmUp)
  const tally = createTally()
  const before = readCpu(world.processes)
  const seconds = await measure(tally, world.seconds, requests === undefined ? undefined : requests - (warmUp ?? 0))
  return rowOf(name, tally, seconds, cpuPerRequest(before, readCpu(world.processes), tally.latenciesMs.length))
}
