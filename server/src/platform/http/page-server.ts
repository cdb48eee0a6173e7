import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { ASSETS, type Asset } from '../web/assets.ts'
import { FORM_TYPE, MAX_FORM_BYTES, readForm, rejectEncoding } from './body.ts'
import { type NewCookie, type ReadCookies, readCookies } from './cookies.ts'
import type { AnyPage } from './page.ts'
import { type PagePorts, performPage } from './pipeline.ts'
import type { WebSession, WebSessions } from './ports.ts'
import { everyAnswerHeaders, pageRejection, sendPage } from './send.ts'

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
      const encoded = rejectEncoding(request)
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

/** One request for a page: who is signed in, and what its forms are proven by. */
export interface Visit {
  readonly session: WebSession | null
  readonly cookies: ReadCookies
  /** Over TLS, as browsers see it. */
  readonly isSecure: boolean
  /** For the forms of the answer. Without a session it is made from a cookie, which this makes where there is none. */
  csrf(): string
  /** Whether a token that came with a form was made for this session, or for this cookie. */
  isProven(token: unknown): boolean
  /** Cookies that the answer must set for its forms to be taken. */
  readonly newCookies: readonly NewCookie[]
}

/** 256 bits: nobody guesses it. */
const FORM_COOKIE_BYTES = 32

interface VisitOptions {
  readonly session: WebSession | null
  readonly cookies: ReadCookies
  readonly isSecure: boolean
}

function beginVisit(csrf: Csrf, { session, cookies, isSecure }: VisitOptions): Visit {
  let formCookie = cookies.read('form')
  const newCookies: NewCookie[] = []
  const makeCookie = () => {
    const value = randomBytes(FORM_COOKIE_BYTES).toString('base64url')
    newCookies.push({ purpose: 'form', value })
    return value
  }
  return {
    session,
    cookies,
    isSecure,
    newCookies,
    csrf() {
      if (session !== null) return csrf.tokenOf(session)
      formCookie ??= makeCookie()
      return csrf.tokenOf({ cookie: formCookie })
    },
    isProven(token) {
      if (session !== null) return csrf.isToken(token, session)
      return formCookie !== null && csrf.isToken(token, { cookie: formCookie })
    },
  }
}

/** The name of the hidden field of every form. */
const CSRF_FIELD = 'csrf'

const NONCE_LENGTH = 16

/** What a form's token is made from: the session, or a cookie that only forms before signing in have. */
type CsrfBase = { readonly sessionId: string } | { readonly cookie: string }

/** Tells our own forms from those that another site makes a browser send. */
interface Csrf {
  tokenOf(base: CsrfBase): string
  isToken(sent: unknown, base: CsrfBase): boolean
}

/**
 * All processes accept each other's tokens, since they share the master key; nothing is stored. Each token begins with random characters, so
 * that no two answers repeat one: the size of compressed answers would otherwise reveal the token (BREACH).
 */
export function createCsrf(masterKey: Buffer): Csrf {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'tillhook csrf 1', 32))
  const tokenWith = (nonce: string, base: CsrfBase) =>
    nonce +
    createHmac('sha256', key)
      .update(`${nonce} ${textOf(base)}`)
      .digest('base64url')
  return {
    tokenOf: base => tokenWith(randomBytes(NONCE_LENGTH).toString('base64url').slice(0, NONCE_LENGTH), base),
    isToken(sent, base) {
      const text = typeof sent === 'string' ? sent : ''
      const expected = Buffer.from(tokenWith(text.slice(0, NONCE_LENGTH), base))
      const given = Buffer.from(text)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

/** Of two kinds that never read alike. */
function textOf(base: CsrfBase): string {
  return 'sessionId' in base ? `session ${base.sessionId}` : `cookie ${base.cookie}`
}

/** The addresses that people open pages at. */
export interface Served {
  readonly baseUrl: string
  readonly billingUrl: string
}

/** Over TLS, as browsers see it: a proxy in front of us may end it. */
export function isSecure({ baseUrl }: Served): boolean {
  return baseUrl.startsWith('https:')
}

/**
 * Whether a posted form comes from a page of ours, as far as the browser says. Browsers say so in one header or both, and no
 * page can make them lie; who sends neither is no browser, and the form's token decides alone.
 */
function isFromOurPage(headers: IncomingHttpHeaders, served: Served): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  if (originsOf(served).includes(origin)) return true
  // Without TLS a machine is tried out under names that no setting knows (localhost); the request itself tells which.
  return !isSecure(served) && URL.parse(origin)?.host === host && origin.startsWith('http:')
}

function originsOf({ baseUrl, billingUrl }: Served): string[] {
  return [new URL(baseUrl).origin, new URL(billingUrl).origin]
}

/** Serves files that pages load. Their names change with their bytes, so that a browser asks for each once. */
function serveAssets(app: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, etag, bytes } of assets) {
    const headers = {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      // A picture that is opened by its own address is a page, too.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    }
    app.get(path, { config: { isAsset: true } }, (request, reply) => {
      reply.headers({ ...everyAnswerHeaders(request.id), ...headers })
      const isKnown = request.headers['if-none-match']?.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
      return isKnown ? reply.code(304).send() : reply.send(bytes)
    })
  }
}
