import { type Api, type ApiRequest, openApi } from '../api.ts'
import { cpuPerRequest, readCpu } from '../cpu.ts'
import { closedLoop } from '../load.ts'
import { monotonicMs } from '../monotonic.ts'
import { type Row, rowOf } from '../row.ts'
import { createTally, type Tally } from '../tally.ts'
import { WARM_UP_SECONDS, type World } from '../world.ts'

/** Connections for a GET and for a token, all busy. */
export const CONNECTIONS = 32

/** Sends what `next` gives over busy connections, until the time is over or it gives null. Good is a 200. */
export async function repeat(world: World, name: string, next: () => ApiRequest | null): Promise<Row> {
  await using api = openApi(world.baseUrl, { connections: CONNECTIONS })
  await measure(world, api, next, { tally: createTally(), seconds: WARM_UP_SECONDS })
  const tally = createTally()
  const before = readCpu(world.processes)
  const seconds = await measure(world, api, next, { tally, seconds: world.seconds })
  return rowOf(name, tally, seconds, cpuPerRequest(before, readCpu(world.processes), tally.latenciesMs.length))
}

function measure(
  { signal }: World,
  api: Api,
  next: () => ApiRequest | null,
  { tally, seconds }: { tally: Tally; seconds: number },
): Promise<number> {
  return closedLoop({ callers: CONNECTIONS, seconds, signal }, sentAtMs => {
    const request = next()
    return request === null ? null : sendOne(api, request, sentAtMs, tally)
  })
}

async function sendOne(api: Api, request: ApiRequest, sentAtMs: number, tally: Tally): Promise<void> {
  try {
    const status = await api.sendForStatus(request)
    if (status === 200) tally.succeeded(monotonicMs() - sentAtMs)
    else tally.failed(String(status))
  } catch (error) {
    tally.failed(wordOf(error))
  }
}

/** A code such as ECONNRESET or UND_ERR_HEADERS_TIMEOUT. */
export function wordOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
}
