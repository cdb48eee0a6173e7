import type { Rejection } from '../../core/rejection.ts'
import { SHORTEST_PASSWORD } from '../../core/user.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import type { Problems } from '../../platform/web/components/form.ts'

export const PASSWORD_HINT = `At least ${SHORTEST_PASSWORD} characters. A few words that nobody else would put together do well.`

/** Shows a rejection beside the form field that it names, in the reader's words. */
export function problemsOf(rejection: Rejection): Problems {
  const [field] = rejection.fields ?? []
  if (rejection.rejected === 'INVALID_PARAMETER' && field !== undefined) return { [field.path]: fieldWords(field) }
  if (rejection.rejected === 'TOO_MANY_REQUESTS') return { '': waitWords(rejection.retryAfterSeconds ?? 1) }
  return { '': PROBLEMS[rejection.rejected].message }
}

function fieldWords({ path, problem }: { path: string; problem: string }): string {
  if (!/password/i.test(path)) return 'Check what you entered.'
  return problem.startsWith('must have')
    ? `Use at least ${SHORTEST_PASSWORD} characters.`
    : 'This is one of the first that anybody would guess. Choose another.'
}

function waitWords(seconds: number): string {
  const time = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return `There were too many tries. Wait ${time}, then try again.`
}
