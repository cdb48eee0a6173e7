import type { FastifyInstance } from 'fastify'
import { createAuditor } from '../../src/audit/attribute.ts'
import type { Principal } from '../../src/core/principal.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createIdempotency } from '../../src/idempotency/once.ts'
import { createAuthorizer } from '../../src/rights/authorize.ts'
import { noteExercised } from '../support/exercised.ts'
import type { World } from '../support/world.ts'

/*
 * Terminals have rights, and no way yet to sign in. For them a fake of the authenticator, the
 * port of http, believes who the caller says it is; everything behind it is the service. Who can sign in needs it no more.
 */

/** The routes of the world, for callers whose token says who they are. */
export function believingServer({ app: { ports, routes } }: World): FastifyInstance {
  const server = createHttpServer({
    ...ports,
    routes,
    authenticator: { authenticate: async told => JSON.parse(String(told).replace(/^Bearer /, '')) },
    authorizer: createAuthorizer(ports),
    idempotency: createIdempotency(ports),
    auditor: createAuditor(ports),
    limits: { ratePerApp: 100_000, ratePerAddress: 100_000 },
  })
  noteExercised(server)
  return server
}

/** The token of such a caller. */
export const believing = (principal: Principal): string => JSON.stringify(principal)
