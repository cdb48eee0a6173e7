import type { Principal } from '../../core/principal.ts'
import type { AnyPage } from './page.ts'
import type { Visit } from './page-server.ts'
import type { AnyRoute } from './route.ts'
import type { OpenUpload } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until authenticated, and where no token is needed. */
    caller: Principal | null
    /** The body as it came. Null: there was none. */
    bodyBytes: Buffer | null
    /** Null: the body comes without a file. */
    openUpload: OpenUpload | null
    /** Of a page. Null until it is known who is signed in. */
    visit: Visit | null
    /** What is refused is told to a person, as a page. */
    isForPerson: boolean
  }
  interface FastifyContextConfig {
    /** Absent where nothing is at the address. */
    route?: AnyRoute
    page?: AnyPage
    /** A file that pages load: anybody's, at any rate. */
    isAsset?: true
  }
}

const ANONYMOUS: Principal = { kind: 'anonymous' }

export function callerOf(request: { caller: Principal | null }): Principal {
  return request.caller ?? ANONYMOUS
}
