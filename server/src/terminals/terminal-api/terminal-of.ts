import { assert } from '../../core/assert.ts'
import type { Principal, TerminalPrincipal } from '../../core/principal.ts'

/** The terminal that calls: operations of terminals are granted to nobody else. */
export function terminalOf(principal: Principal): TerminalPrincipal {
  assert(principal.kind === 'terminal', 'an operation of terminals, by another caller')
  return principal
}
