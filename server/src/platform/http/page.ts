import type { Readable } from 'node:stream'
import type { Static, TObject } from 'typebox'
import type { Brand } from '../../core/brand.ts'
import type { Principal } from '../../core/principal.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Db } from '../db/db.ts'
import type { View } from '../web/layout.ts'
import type { NewCookie, ReadCookies } from './cookies.ts'
import type { AuditAction, WebSession } from './ports.ts'
import type { UploadedFile } from './route.ts'

/**
 * One page for people, as data. For each request the page server runs: session → rate → read the form → verify the CSRF token → validate
 * against the schemas → `subject` → authorize (`operation`, subject) → audit → `handle` → send. Rejections and errors become an error
 * page.
 */
export interface Page<P extends TObject, Q extends TObject, F extends TObject> {
  readonly method: 'GET' | 'POST'
  /** As find-my-way writes it: `/purchases/:purchaseId`. */
  readonly path: string
  /** A verb and a noun, unlike any other's. */
  readonly name: string
  /** Pages use the operations of routes: `authorize` reads one table for both. */
  readonly operation: Operation
  /** `required` redirects an anonymous visitor to sign-in, `optional` allows anonymous visitors, `none` reads no session. */
  readonly signIn: 'required' | 'optional' | 'none'
  readonly params?: P
  readonly query?: Q
  /**
   * The schema rejects forms that our own page cannot send. `handle` checks typed values and shows the form again. Only fields with an
   * array schema may repeat.
   */
  readonly form?: F
  /** The name of the form's file, its last field. The form may then come as multipart/form-data. */
  readonly file?: string
  /** Allows other pages of Tillhook to show the page in a frame. Default: no page may. */
  readonly mayBeFramed?: true
  /** Opens although the session has a viewing. Default: `opensDuringViewing` decides. */
  readonly duringViewing?: 'open'
  /** `false`: changes are not attributed to the caller; pages/trail.test.ts gives the reason. Default: true for POST. */
  readonly audited?: false
  /** The resource of the request, for `authorize`. May read the database; a rejection ends the request. Default: {}. */
  subject?(call: PageCall<Static<P>, Static<Q>, Static<F>>): Subject | Rejection | Promise<Subject | Rejection>
  handle(call: PageCall<Static<P>, Static<Q>, Static<F>>): Promise<PageAnswer | Rejection>
}

/** Ids of `params`, `query` and `form` are in lower case. */
export interface PageCall<P = unknown, Q = unknown, F = unknown> {
  readonly params: P
  readonly query: Q
  readonly form: F
  /** The uploaded file, available until the request ends. */
  readonly file?: UploadedFile
  readonly principal: Principal
  /** Null: nobody is signed in. Never null where signing in is required. */
  readonly session: WebSession | null
  /** To be put into every form of the answer that posts to us. Without a session, reading it sets a cookie. */
  readonly csrf: string
  readonly cookies: ReadCookies
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly requestId: string
  readonly brand: Brand
  /** The caller's address. */
  readonly address: string
  /** On a POST, the transactions are attributed to the caller. Pass it on: `{ ...ports, db: call.db }`. */
  readonly db: Db
  /** This call with another actor, identified without a session, for example by the secret of a terminal's screen. */
  as(actor: Actor): PageCall<P, Q, F>
}

/** The actor and the action, in the audit trail's terms. */
export type Actor = Pick<AuditAction, 'principal' | 'operation'>

export type PageAnswer = Shown | Redirect | Bytes

export interface Shown {
  readonly status: number
  readonly html: View
  readonly headers?: Readonly<Record<string, string>>
  /** URLs whose origins the forms of this page may end at: Chromium asks the policy about redirects after a form, too. */
  readonly formAction?: readonly string[]
  /** Other origins that this page loads from, such as Stripe's element. */
  readonly sources?: Readonly<Partial<Record<'script-src' | 'frame-src' | 'connect-src', readonly string[]>>>
  readonly cookies?: readonly NewCookie[]
}

export interface Redirect {
  readonly location: string
  readonly cookies?: readonly NewCookie[]
}

export interface Bytes {
  readonly type: string
  /** A stream is read while being sent, and destroyed when the browser disconnects. */
  readonly content: Buffer | string | Readable
  /** The download name. Absent: the browser displays the file. */
  readonly filename?: string
}

// biome-ignore lint/suspicious/noExplicitAny: a list of pages of many shapes; each was checked by `page` when it was made.
export type AnyPage = Page<any, any, any>

/** Checks a page's shape at compile time, and returns the page with the type of a list of pages. */
export function page<P extends TObject, Q extends TObject, F extends TObject>(definition: Page<P, Q, F>): AnyPage {
  return definition
}

/** What a page sends besides its HTML. The default status is 200. */
export type MoreShown = Omit<Shown, 'html' | 'status'> & { readonly status?: number | undefined }

export function shown(html: View, { status = 200, ...more }: MoreShown = {}): Shown {
  return { ...more, status, html }
}

/** 303: the browser fetches the new address with GET, so a reload repeats nothing. */
export function redirect(location: string, cookies: readonly NewCookie[] = []): Redirect {
  return { location, cookies }
}

export function bytes(type: string, content: Bytes['content'], filename?: string): Bytes {
  return { type, content, ...(filename !== undefined && { filename }) }
}
