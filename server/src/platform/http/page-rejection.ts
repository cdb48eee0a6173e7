import type { FastifyRequest } from 'fastify'
import type { Rejection } from '../../core/rejection.ts'
import { errorPage } from '../web/error-page.ts'
import { ownPath } from './own-path.ts'
import { type PageAnswer, redirect, shown } from './page.ts'
import { PROBLEMS } from './problems.ts'
import { rejectionHeaders } from './wire-answer.ts'

/** Where people sign in; `next` is where they go on to. */
export const SIGN_IN_PATH = '/sign-in'

/** A rejection as a person is told it: a page of words, or the way to sign in. */
export function pageRejection(rejection: Rejection, request: FastifyRequest): PageAnswer {
  const { visit } = request
  if (rejection.rejected === 'INVALID_ACCESS_TOKEN' && visit?.session == null) {
    return redirect(`${SIGN_IN_PATH}?next=${encodeURIComponent(nextOf(request))}`)
  }
  const { status, message } = PROBLEMS[rejection.rejected]
  const signedIn = visit?.session ? { ...visit.session, csrf: visit.csrf() } : null
  const html = errorPage({ status, message, requestId: request.id, signedIn })
  return shown(html, { status, headers: rejectionHeaders(rejection, status) })
}

/** What was asked for; of a form, the page that it was on. */
function nextOf({ method, url, headers }: FastifyRequest): string {
  if (method === 'GET' || method === 'HEAD') return ownPath(url) ?? '/'
  const from = URL.parse(headers.referer ?? '')
  return (from !== null && from.host === headers.host && ownPath(`${from.pathname}${from.search}`)) || '/'
}
