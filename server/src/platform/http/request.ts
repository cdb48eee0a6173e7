import type { IncomingHttpHeaders } from 'node:http'
import type { Brand } from '../../core/brand.ts'
import type { Principal } from '../../core/principal.ts'
import type { AnyPage } from './page.ts'
import type { Visit } from './page-server.ts'
import type { AnyRoute } from './route.ts'
import type { OpenUpload } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until authenticated, and where no token is needed. */
    caller: Principal | null
    /** The body as received. Null: no body. */
    bodyBytes: Buffer | null
    /** Null: the body comes without a file. */
    openUpload: OpenUpload | null
    /** The visit of a page. Null until the session is read. */
    visit: Visit | null
    /** Rejections become an HTML page. */
    isForPerson: boolean
  }
  interface FastifyInstance {
    /** The brand of pages, as this process knows it. */
    brand(): Brand
  }
  interface FastifyContextConfig {
    /** Absent where nothing is at the address. */
    route?: AnyRoute
    page?: AnyPage
    /** A static asset, which needs no rights. */
    isAsset?: true
  }
}

const ANONYMOUS: Principal = { kind: 'anonymous' }

export function callerOf(request: { caller: Principal | null }): Principal {
  return request.caller ?? ANONYMOUS
}

/** Programs may accept HTML too, but only a browser says that a person navigates. */
export function isNavigation({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers.authorization === undefined
}
