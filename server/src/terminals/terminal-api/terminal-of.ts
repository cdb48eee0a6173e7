import { assert } from '../../core/assert.ts'
import type { Principal, TerminalPrincipal } from '../../core/principal.ts'

/** The calling terminal: terminal operations are granted to no other caller. */
export function terminalOf(principal: Principal): TerminalPrincipal {
  assert(principal.kind === 'terminal', 'an operation of terminals, by another caller')
  return principal
}
