import { freePort } from '../../src/platform/db/embedded/postmaster.ts'
import { createWorld, type World } from '../support/world.ts'

export interface ListeningWorld extends World {
  readonly baseUrl: string
}

/** A world on a free port of this machine, so a browser can reach it. */
export async function listeningWorld(options: Parameters<typeof createWorld>[0] = {}): Promise<ListeningWorld> {
  const host = '127.0.0.1'
  const port = await freePort(host)
  const baseUrl = `http://${host}:${port}`
  const world = await createWorld({ ...options, baseUrl })
  await world.app.http.listen({ host, port })
  return { ...world, baseUrl }
}
