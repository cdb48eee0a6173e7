import { findDatabase, removeDatabase } from '../database.ts'
import { dataDirIn, startService } from '../service.ts'
import type { World } from '../world.ts'

interface OwnService extends AsyncDisposable {
  readonly world: World
}

interface Options {
  readonly folder: string
  readonly gatewayDelayMs?: number
  /** Keeps the database after the run. */
  readonly keep?: boolean
}

/** Starts a second service with its own database. */
export async function openOwnService(
  world: World,
  { folder, gatewayDelayMs = world.gatewayDelayMs, keep = false }: Options,
): Promise<OwnService> {
  await using stack = new AsyncDisposableStack()
  if (!keep) stack.defer(() => removeDatabase(dataDirIn(folder)))
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
  const opened = stack.move()
  return { world: own, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
