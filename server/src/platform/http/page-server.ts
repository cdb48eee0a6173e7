import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { ASSETS, type Asset } from '../web/assets.ts'
import { serveAssets } from './asset-server.ts'
import { refuseEncoding } from './body.ts'
import { readCookies } from './cookies.ts'
import { CSRF_FIELD, createCsrf } from './csrf.ts'
import { FORM_TYPE, MAX_FORM_BYTES, readForm } from './form.ts'
import { isFromOurPage, isSecure, type Served } from './origin.ts'
import type { AnyPage } from './page.ts'
import { pageRejection } from './page-rejection.ts'
import { type PagePorts, performPage } from './perform-page.ts'
import { sendPage } from './send-page.ts'
import type { WebSessions } from './session.ts'
import { beginVisit, type Visit } from './visit.ts'

/** What pages need beside what routes need. */
export interface PageOptions {
  readonly pages: readonly AnyPage[]
  readonly sessions: WebSessions
  /** The keys of forms' tokens are made from it. */
  readonly masterKey: Buffer
  readonly served: Served
  /** What pages load beside what all of them do. */
  readonly assets?: readonly Asset[]
}

/** What the server does for a page where it does something else for a route. */
export interface PageServer {
  readonly pages: readonly AnyPage[]
  /** Learns who is signed in, before a byte of a form is read. */
  visit(page: AnyPage, request: FastifyRequest): Promise<Visit | Rejection>
  /** The form that was posted, once it is known to come from a page of ours. */
  takeForm(page: AnyPage | undefined, request: FastifyRequest): { readonly value: unknown } | Rejection
  register(app: FastifyInstance, ports: PagePorts): void
}

export function createPageServer({ pages, sessions, masterKey, served, assets = [] }: PageOptions): PageServer {
  const csrf = createCsrf(masterKey)
  const secure = isSecure(served)

  const sessionOf = (page: AnyPage, cookie: string | null) =>
    page.signIn === 'none' || cookie === null ? null : sessions.find(cookie)

  return {
    pages,
    async visit(page, request) {
      const cookies = readCookies(request.headers.cookie, secure)
      const session = await sessionOf(page, cookies.read('session'))
      if (session === null && page.signIn === 'required') return signIn()
      request.caller = session?.principal ?? null
      request.visit = beginVisit(csrf, { session, cookies, isSecure: secure })
      return request.visit
    },
    takeForm(page, request) {
      if (page === undefined || page.method === 'GET') return { value: {} }
      if (!isFromOurPage(request.headers, served)) return reject('FORM_EXPIRED', 'Post a form of a page of ours.')
      const encoded = refuseEncoding(request)
      if (encoded !== null) return encoded
      if (request.mediaType !== FORM_TYPE) return reject('UNSUPPORTED_MEDIA_TYPE', `Send Content-Type: ${FORM_TYPE}.`)
      const fields = readForm(request.bodyBytes ?? Buffer.alloc(0), page.form)
      if (isRejection(fields)) return fields
      const isProven = request.visit?.isProven(fields[CSRF_FIELD]) ?? false
      if (isProven) return { value: fields }
      return hasLostSession(page, request) ? signIn() : reject('FORM_EXPIRED', 'Send the token of the form.')
    },
    register(app, ports) {
      if (pages.length > 0) serveAssets(app, [...ASSETS, ...assets])
      for (const page of pages) {
        app.route({
          method: page.method,
          url: page.path,
          config: { page },
          bodyLimit: MAX_FORM_BYTES,
          schema: schemaOf(page),
          handler: async (request, reply) => {
            const answer = await performPage(ports, page, request)
            return sendPage(reply, isRejection(answer) ? pageRejection(answer, request) : answer)
          },
        })
      }
    },
  }
}

/** The form was of a session that has ended since: whoever signs in again is back at it. */
function hasLostSession({ signIn }: AnyPage, { visit }: FastifyRequest): boolean {
  return signIn !== 'none' && visit?.session === null && visit.cookies.read('session') !== null
}

function signIn(): Rejection {
  return reject('INVALID_ACCESS_TOKEN', 'Sign in.')
}

function schemaOf({ params, query, form }: AnyPage): FastifySchema {
  return { ...(params && { params }), ...(query && { querystring: query }), ...(form && { body: form }) }
}
