import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { noteExercised } from '../../../test/support/exercised.ts'
import { reject } from '../../core/rejection.ts'
import { createAuditor } from '../../platform/audit/store.ts'
import type { Authorizer } from '../../platform/http/ports.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { createAuthenticator } from './authenticator.ts'
import { tokenRoutes } from './routes.ts'
import type { Process } from './world.fixture.ts'

export const OPERATOR_KEY = 'tillhook_op_of-this-test'

/** The smallest authorizer: the operator may do everything, an app nothing. The access/rights slice tests the real one. */
const authorizer: Authorizer = {
  authorize: async principal =>
    principal.kind === 'operator' ? 'granted' : reject('FORBIDDEN', 'Only the operator, in this test.'),
}

/** The routes of this slice behind the real HTTP layer, without rate limits. */
export function serveTokens(process: Process): FastifyInstance {
  const server = createHttpServer({
    ...process,
    routes: tokenRoutes(process),
    authenticator: createAuthenticator({ ...process, operatorKey: { verify: key => key === OPERATOR_KEY } }),
    authorizer,
    idempotency: {
      finish: async (_request: unknown, answer: never) => answer,
      find: async () => null,
      onceEach: () => assert.fail('a route of tokens took an idempotency key'),
    },
    auditor: createAuditor(process),
    limits: { ratePerAddress: 10_000 },
    log: pino({ level: 'silent' }),
  })
  noteExercised(server)
  after(() => server.close())
  return server
}

export function postForm(
  server: FastifyInstance,
  url: string,
  form: Readonly<Record<string, string>> | string,
): Promise<LightMyRequestResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8', 'service-request-id': 'same' }
  return server.inject({ method: 'POST', url, headers, payload: new URLSearchParams(form).toString() })
}
