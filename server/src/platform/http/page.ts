import type { Static, TObject } from 'typebox'
import type { Principal } from '../../core/principal.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Db } from '../db/db.ts'
import type { Html } from '../web/html.ts'
import type { NewCookie, ReadCookies } from './cookies.ts'
import type { AuditAction, WebSession } from './ports.ts'

/**
 * One page for people, as data. The server built from these (`page-server.ts`) does, in this order and for each request:
 * session → rate → read the form → proof that the form is ours (csrf.ts) → validate against the schemas → `subject` →
 * authorize (`operation`, subject) → audit → `handle` → send. What is refused or fails becomes a page of words.
 */
export interface Page<P extends TObject, Q extends TObject, F extends TObject> {
  readonly method: 'GET' | 'POST'
  /** As find-my-way writes it: `/purchases/:purchaseId`. */
  readonly path: string
  /** A verb and a noun, unlike any other's. */
  readonly name: string
  /** The same words as of routes: `authorize` guards pages by the same table. */
  readonly operation: Operation
  /**
   * Who is not signed in is sent to sign in (`required`), or is anonymous (`optional`); with `none` nobody is looked up.
   */
  readonly signIn: 'required' | 'optional' | 'none'
  readonly params?: P
  readonly query?: Q
  /**
   * What a browser cannot send by our own form is refused with a page; what a person can mistype is for `handle`, which
   * shows the form again. A field whose schema is an array may come several times, any other once.
   */
  readonly form?: F
  /** A page of ours may show it in a frame. Default: nobody may. */
  readonly mayBeFramed?: true
  /** `false`: what it changes is not recorded as the caller's act; pages/trail.test.ts says why. Default: true for POST. */
  readonly audited?: false
  /** What the request is about, for `authorize`. May look the thing up; a rejection ends the request. Default: {}. */
  subject?(call: PageCall<Static<P>, Static<Q>, Static<F>>): Subject | Rejection | Promise<Subject | Rejection>
  handle(call: PageCall<Static<P>, Static<Q>, Static<F>>): Promise<PageAnswer | Rejection>
}

export interface PageCall<P, Q, F> {
  readonly params: P
  readonly query: Q
  readonly form: F
  readonly principal: Principal
  /** Null: nobody is signed in. Never null where signing in is required. */
  readonly session: WebSession | null
  /** To be put into every form of the answer that posts to us. Without a session, reading it sets a cookie. */
  readonly csrf: string
  readonly cookies: ReadCookies
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly requestId: string
  /** The caller's address. */
  readonly address: string
  /** Of a POST: its transactions are the caller's act, and recorded as such. Pass it on: `{ ...ports, db: call.db }`. */
  readonly db: Db
  /** The same call as the act of another: of whom the page knows by what no session says, as by a secret of a screen. */
  as(actor: Actor): PageCall<P, Q, F>
}

/** Who acts, and what they do, as the audit trail names it. */
export type Actor = Pick<AuditAction, 'principal' | 'operation'>

export type PageAnswer = Shown | Redirect | Bytes

export interface Shown {
  readonly status: number
  readonly html: Html
  readonly headers?: Readonly<Record<string, string>>
  /** URLs whose origins the forms of this page may end at: Chromium asks the policy about redirects after a form, too. */
  readonly formAction?: readonly string[]
  /** Origins beside our own that this page takes things from, as Stripe's element needs. */
  readonly sources?: Readonly<Partial<Record<'script-src' | 'frame-src' | 'connect-src', readonly string[]>>>
  readonly cookies?: readonly NewCookie[]
}

export interface Redirect {
  readonly location: string
  readonly cookies?: readonly NewCookie[]
}

export interface Bytes {
  readonly type: string
  readonly content: Buffer | string
  /** The name that a browser saves it by. Absent: it is shown. */
  readonly filename?: string
}

// biome-ignore lint/suspicious/noExplicitAny: a list of pages of many shapes; each was checked by `page` when it was made.
export type AnyPage = Page<any, any, any>

/** Checks a page's shape at compile time and gives it to a list. */
export function page<P extends TObject, Q extends TObject, F extends TObject>(definition: Page<P, Q, F>): AnyPage {
  return definition
}

export function shown(html: Html, more: Omit<Shown, 'html' | 'status'> & { status?: number } = {}): Shown {
  return { status: 200, ...more, html }
}

/** 303: whatever was posted, the other address is fetched, so that reloading repeats nothing. */
export function redirect(location: string, cookies: readonly NewCookie[] = []): Redirect {
  return { location, cookies }
}

export function bytes(type: string, content: Buffer | string, filename?: string): Bytes {
  return { type, content, ...(filename !== undefined && { filename }) }
}
