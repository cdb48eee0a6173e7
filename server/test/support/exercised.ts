import { appendFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** Where the test processes of one run write what they exercised, if anybody wants to know: scripts/test.ts does. */
export const EXERCISED = 'TILLHOOK_TEST_EXERCISED'

/**
 * Notes each (operation, status) that a server answers, once for each server. `stands` names a server whose routes are no
 * operations of the service: it shows what the edge does for every route.
 */
export function noteExercised(app: FastifyInstance, stands = ''): void {
  const path = process.env[EXERCISED]
  if (path === undefined) return
  const noted = new Set<string>()
  app.addHook('onResponse', async (request, reply) => {
    const { route } = request.routeOptions.config
    if (route === undefined) return
    const line = `${stands}${route.name} ${reply.statusCode}\n`
    if (noted.has(line)) return
    noted.add(line)
    // Short and in one write: lines of many processes do not mix.
    appendFileSync(path, line)
  })
}
