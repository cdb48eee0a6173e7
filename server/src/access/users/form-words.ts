import type { Rejection } from '../../core/rejection.ts'
import { SHORTEST_PASSWORD } from '../../core/user.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { layout, type View } from '../../platform/web/layout.ts'
import { say, sayText } from '../../platform/web/say.ts'

/** A page with one form or message. */
export function narrowPage(title: string, body: Html): View {
  return layout({ title, width: 'narrow', main: html`<h1>${title}</h1>\n${body}` })
}

/** The rule of a new password. */
export const passwordHint = () =>
  say`At least ${SHORTEST_PASSWORD} characters. A few words that nobody else would put together do well.`

/** The problems of a rejected form and the status of the response. */
export function refusalOf(rejection: Rejection): [Problems, number] {
  return [problemsOf(rejection), PROBLEMS[rejection.rejected].status]
}

/** Shows a rejection beside the form field that it names, in the reader's words. */
export function problemsOf(rejection: Rejection): Problems {
  const [field] = rejection.fields ?? []
  if (rejection.rejected === 'INVALID_PARAMETER' && field !== undefined) return { [field.path]: fieldWords(field) }
  if (rejection.rejected === 'TOO_MANY_REQUESTS') return { '': waitWords(rejection.retryAfterSeconds ?? 1) }
  return { '': sayText(PROBLEMS[rejection.rejected].message) }
}

function fieldWords({ path, problem }: { path: string; problem: string }): string {
  if (!/password/i.test(path)) return say`Check what you entered.`
  return problem.startsWith('must have')
    ? say`Use at least ${SHORTEST_PASSWORD} characters.`
    : say`This is one of the first that anybody would guess. Choose another.`
}

function waitWords(seconds: number): string {
  return seconds < 90
    ? say`There were too many attempts. Wait ${seconds} seconds, then try again.`
    : say`There were too many attempts. Wait ${Math.ceil(seconds / 60)} minutes, then try again.`
}
