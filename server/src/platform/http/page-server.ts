import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { opensDuringViewing } from '../../core/viewing.ts'
import { type CurrentBrand, defaultBrand } from '../brand/current.ts'
import { ASSETS, type Asset } from '../web/assets.ts'
import { HOME } from '../web/navigation.ts'
import { inLanguage } from '../web/say.ts'
import { inSurroundings, type Surroundings } from '../web/surroundings.ts'
import { FORM_TYPE, MAX_FORM_BYTES, readForm, rejectEncoding } from './body.ts'
import { type NewCookie, type ReadCookies, readCookies } from './cookies.ts'
import { modeOf } from './mode.ts'
import type { AnyPage } from './page.ts'
import { type PagePorts, performPage } from './pipeline.ts'
import type { WebSession, WebSessions } from './ports.ts'
import { everyAnswerHeaders, languageOfPage, pageRejection, sendPage, themeOf } from './send.ts'
import { MULTIPART_TYPE } from './upload.ts'

/** The options of pages beside those of routes. */
export interface PageOptions {
  readonly pages: readonly AnyPage[]
  readonly sessions: WebSessions
  /** Derives the keys of CSRF tokens. */
  readonly masterKey: Buffer
  readonly served: Served
  /** The workspaces and counts in the frame of a signed-in page. Default: none. */
  surround?(principal: Principal): Promise<Pick<Surroundings, 'workspaces' | 'counts'>>
  /** Default: the default brand. */
  readonly brand?: CurrentBrand
  /** Assets beside those that all pages load. */
  readonly assets?: readonly Asset[]
}

/** The steps in which a page differs from a route. */
export interface PageServer {
  readonly pages: readonly AnyPage[]
  /** Learns who is signed in, before a byte of a form is read. */
  visit(page: Pick<AnyPage, 'signIn'>, request: FastifyRequest): Promise<Visit | Rejection>
  /** The posted form, once its CSRF token is verified. */
  takeForm(page: AnyPage | undefined, request: FastifyRequest): { readonly value: unknown } | Rejection
  /** Serves the pages whose forms may hold a file, or all others. */
  register(app: FastifyInstance, ports: PagePorts, which: { readonly withFile: boolean }): void
}

export function createPageServer({
  pages,
  sessions,
  masterKey,
  served,
  surround,
  assets = [],
  brand = defaultBrand,
}: PageOptions): PageServer {
  const csrf = createCsrf(masterKey)
  const secure = isSecure(served)

  const sessionOf = (page: Pick<AnyPage, 'signIn'>, cookie: string | null) =>
    page.signIn === 'none' || cookie === null ? null : sessions.find(cookie)

  return {
    pages,
    async visit(page, request) {
      const cookies = readCookies(request.headers.cookie, secure)
      const [session] = await Promise.all([sessionOf(page, cookies.read('session')), brand.refresh()])
      if (session === null && page.signIn === 'required') return signIn()
      request.caller = session?.principal ?? null
      request.visit = beginVisit(csrf, { session, cookies, isSecure: secure })
      return request.visit
    },
    takeForm(page, request) {
      if (page === undefined || page.method === 'GET') return { value: {} }
      if (!isFromOurPage(request.headers, served))
        return reject('FORM_EXPIRED', 'Send the form from a page of this service.')
      const encoded = rejectEncoding(request)
      if (encoded !== null) return encoded
      if (request.mediaType !== FORM_TYPE && !isFormWithFile(page, request))
        return reject('UNSUPPORTED_MEDIA_TYPE', `Send Content-Type: ${FORM_TYPE}.`)
      const fields = readForm(request.bodyBytes ?? Buffer.alloc(0), page.form)
      if (isRejection(fields)) return fields
      const hasValidToken = request.visit?.hasValidToken(fields[CSRF_FIELD]) ?? false
      if (hasValidToken) return { value: fields }
      return hasLostSession(page, request) ? signIn() : reject('FORM_EXPIRED', 'Send the token of the form.')
    },
    register(app, ports, { withFile }) {
      if (pages.length > 0 && !withFile) serveAssets(app, [...ASSETS, ...assets])
      for (const page of pages.filter(({ file }) => (file !== undefined) === withFile)) {
        app.route({
          method: page.method,
          url: page.path,
          config: { page },
          bodyLimit: MAX_FORM_BYTES,
          schema: schemaOf(page),
          handler: async (request, reply) => {
            const around = await surroundingsOf(request, surround)
            return inLanguage(languageOfPage(request), () =>
              inSurroundings(around, async () => {
                const answer = rejectionOfViewing(page, request) ?? (await performPage(ports, page, request))
                return sendPage(reply, isRejection(answer) ? pageRejection(answer, request) : answer)
              }),
            )
          },
        })
      }
    },
  }
}

/** The switches of the person, and what the frame shows of the workspace. */
async function surroundingsOf(
  { url, method, visit }: FastifyRequest,
  surround: PageOptions['surround'],
): Promise<Surroundings> {
  const { session = null, cookies } = visit ?? {}
  const theme = visit ? themeOf(visit) : undefined
  // The address of a form may have no page.
  const address = method === 'POST' ? HOME : url
  const own = { address, ...(theme && { theme }) }
  if (session === null || cookies === undefined) return { ...own, workspaces: [], counts: {} }
  const { principal, viewing, workspace } = session
  const hasModes =
    principal.kind === 'developer' || (principal.kind === 'operator' && principal.role !== 'MFA_REQUIRED')
  const around = (await surround?.(principal)) ?? { workspaces: [], counts: {} }
  const seen = viewing && { viewing: { name: workspace.name, endsAt: viewing.endsAt, csrf: visit?.csrf() ?? '' } }
  return { ...own, ...around, ...(hasModes && { mode: modeOf({ principal, cookies }) }), ...seen }
}

/** An operator who sees a workspace as its viewer changes nothing. */
function rejectionOfViewing(page: AnyPage, { visit }: FastifyRequest): Rejection | null {
  if (visit?.session?.viewing === undefined || page.duringViewing === 'open' || opensDuringViewing(page)) return null
  return reject('READ_ONLY_VIEWING', 'Stop seeing the workspace as a viewer first.')
}

/** True if the form accepts a file and the request has a file. */
export function isFormWithFile({ file }: AnyPage, { mediaType }: FastifyRequest): boolean {
  return file !== undefined && mediaType === MULTIPART_TYPE
}

/** The session of this form has ended. Signing in again leads back to the form. */
function hasLostSession({ signIn }: AnyPage, { visit }: FastifyRequest): boolean {
  return signIn !== 'none' && visit?.session === null && visit.cookies.read('session') !== null
}

function signIn(): Rejection {
  return reject('INVALID_ACCESS_TOKEN', 'Sign in.')
}

function schemaOf({ params, query, form }: AnyPage): FastifySchema {
  return { ...(params && { params }), ...(query && { querystring: query }), ...(form && { body: form }) }
}

/** One request for a page: the session and the CSRF base of its forms. */
export interface Visit {
  readonly session: WebSession | null
  readonly cookies: ReadCookies
  /** The browser's view: TLS may end at a proxy. */
  readonly isSecure: boolean
  /** The CSRF token for forms of the response. Without a session the token derives from a cookie, which this method sets if absent. */
  csrf(): string
  /** True if the form's token belongs to this session or cookie. */
  hasValidToken(token: unknown): boolean
  /** Cookies that the response must set for its forms to be accepted. */
  readonly newCookies: readonly NewCookie[]
}

/** 256 bits: nobody guesses it. */
const FORM_COOKIE_BYTES = 32

function beginVisit(
  csrf: Csrf,
  { session, cookies, isSecure }: Pick<Visit, 'session' | 'cookies' | 'isSecure'>,
): Visit {
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
    hasValidToken(token) {
      if (session !== null) return csrf.isToken(token, session)
      return formCookie !== null && csrf.isToken(token, { cookie: formCookie })
    },
  }
}

/** The name of the hidden field of every form. */
const CSRF_FIELD = 'csrf'

const NONCE_LENGTH = 16

/** The base of a CSRF token: the session, or a cookie for forms before sign-in. */
type CsrfBase = { readonly sessionId: string } | { readonly cookie: string }

/** Distinguishes our own forms from forms that another site submits. */
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

/** The two kinds never produce equal text. */
function textOf(base: CsrfBase): string {
  return 'sessionId' in base ? `session ${base.sessionId}` : `cookie ${base.cookie}`
}

/** The addresses at which people open pages. */
export interface Served {
  readonly baseUrl: string
  readonly billingUrl: string
}

/** The browser's view: a proxy may end TLS. */
export function isSecure({ baseUrl }: Served): boolean {
  return baseUrl.startsWith('https:')
}

/**
 * Whether a posted form comes from a page of Tillhook, according to the browser. Browsers send one header or both, and no page can forge them. A
 * caller that sends neither is not a browser, and the form's token decides alone.
 */
function isFromOurPage(headers: IncomingHttpHeaders, served: Served): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  if (originsOf(served).includes(origin)) return true
  // Without TLS people try the service under names that no setting knows (localhost), so the request's own host decides.
  return !isSecure(served) && URL.parse(origin)?.host === host && origin.startsWith('http:')
}

function originsOf({ baseUrl, billingUrl }: Served): string[] {
  return [new URL(baseUrl).origin, new URL(billingUrl).origin]
}

/** Serves static assets. Names contain a hash, so a browser fetches each version once. */
function serveAssets(app: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, etag, bytes } of assets) {
    const headers = {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      // A picture opened by its own URL is a page too.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    }
    app.get(path, { config: { isAsset: true } }, (request, reply) => {
      reply.headers({ ...everyAnswerHeaders(request.id), ...headers })
      const isKnown = request.headers['if-none-match']?.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
      return isKnown ? reply.code(304).send() : reply.send(bytes)
    })
  }
}
