import type { Rejection } from '../core/rejection.ts'
import { capital } from '../platform/web/format.ts'

/** Problems that continue a sentence: "must be an https URL". */
const PREDICATE = /^(?:must|is|are|was|has|have|holds|cannot|may|does|contains|requires)\b/

/** A rejection beside its form field, as a sentence: "The URL must be an https URL." `subject`: the field in words. */
export function problemWords({ fields = [], developerMessage }: Rejection, subject: string): string {
  const problem = fields[0]?.problem
  if (problem === undefined) return developerMessage
  const words = PREDICATE.test(problem) ? `${subject} ${problem}` : capital(problem)
  return /[.!?]$/.test(words) ? words : `${words}.`
}
