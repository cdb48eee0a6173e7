import type { FastifyRequest } from 'fastify'
import type { Refusal } from '../../core/refusal.ts'
import { errorPage } from '../web/error-page.ts'
import { ownPath } from './own-path.ts'
import { type PageAnswer, redirect, shown } from './page.ts'
import { PROBLEMS } from './problems.ts'
import { refusalHeaders } from './wire-answer.ts'

/** Where people sign in; `next` is where they go on to. */
export const SIGN_IN_PATH = '/sign-in'

/** A refusal as a person is told it: a page of words, or the way to sign in. */
export function pageRefusal(refusal: Refusal, request: FastifyRequest): PageAnswer {
  const { visit } = request
  if (refusal.refused === 'INVALID_ACCESS_TOKEN' && visit?.session == null) {
    return redirect(`${SIGN_IN_PATH}?next=${encodeURIComponent(nextOf(request))}`)
  }
  const { status, message } = PROBLEMS[refusal.refused]
  const signedIn = visit?.session ? { ...visit.session, csrf: visit.csrf() } : null
  const html = errorPage({ status, message, requestId: request.id, signedIn })
  return shown(html, { status, headers: refusalHeaders(refusal, status) })
}

/** What was asked for; of a form, the page that it was on. */
function nextOf({ method, url, headers }: FastifyRequest): string {
  if (method === 'GET' || method === 'HEAD') return ownPath(url) ?? '/'
  const from = URL.parse(headers.referer ?? '')
  return (from !== null && from.host === headers.host && ownPath(`${from.pathname}${from.search}`)) || '/'
}
