import type { Clock } from '../../core/clock.ts'

/** Decisions 1: "within 24 h → the first answer again". */
const KEPT_MS = 86_400_000

/** What was recorded then or before is forgotten. */
export function forgottenAt(clock: Clock): Date {
  return new Date(clock.now().getTime() - KEPT_MS)
}
