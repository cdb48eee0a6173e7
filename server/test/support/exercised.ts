import { appendFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** The file in which the test processes of a run record what they exercised, if set. scripts/test.ts sets it. */
export const EXERCISED = 'TILLHOOK_TEST_EXERCISED'

/** The codes in the document's own description: "Before a request reaches an operation, the server can answer …". */
export const OF_NO_OPERATION: ReadonlySet<string> = new Set([
  ...['INVALID_REQUEST', 'INVALID_URL_PATTERN', 'RESOURCE_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'HEADERS_TOO_LARGE'],
])

/**
 * Notes each (operation, status) that a server answers, the code of an error and the names of the headers, once for each server. `stands` names a
 * server whose routes are no operations of the service: it shows what the edge does for every route.
 */
export function noteExercised(app: FastifyInstance, stands = ''): void {
  const path = process.env[EXERCISED]
  if (path === undefined) return
  const noted = new Set<string>()
  const codes = new WeakMap<object, string>()
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode >= 400) codes.set(reply, codeOf(payload))
  })
  app.addHook('onResponse', async (request, reply) => {
    const { route } = request.routeOptions.config
    if (route === undefined) return
    const line = `${stands}${route.name} ${reply.statusCode} ${codes.get(reply) ?? ''} ${Object.keys(reply.getHeaders()).sort()}\n`
    if (noted.has(line)) return
    noted.add(line)
    // Short and in one write: lines of many processes do not mix.
    appendFileSync(path, line)
  })
}

function codeOf(payload: unknown): string {
  const [, code] = /"code":"([A-Z_]+)"/.exec(typeof payload === 'string' ? payload : '') ?? []
  return code ?? ''
}
