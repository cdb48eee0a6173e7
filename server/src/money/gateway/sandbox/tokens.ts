import { unreachable } from '../../../core/assert.ts'
import type { ChargeOutcome } from '../gateway.ts'

/** Decisions 11: the tokens of the sandbox. A token says how every charge of its payment method goes. */
export const TOKENS = [
  'tok_ok',
  'tok_insufficient_funds',
  'tok_stolen',
  'tok_fail_after_1',
  'tok_timeout_then_ok',
  'tok_timeout_then_declined',
  'tok_pending',
  'tok_action_required',
  'tok_refund_fails',
] as const

export type Token = (typeof TOKENS)[number]

export function isToken(text: string): text is Token {
  return TOKENS.some(token => token === text)
}

/** What a merchant reads of such a payment method, where a card would show its kind and last digits. */
export function labelOf(token: Token): string {
  return `Test card ${token.replace('tok_', '').replaceAll('_', ' ')}`
}

/** What becomes of a charge object that has not succeeded yet. `hasPaidBefore`: the method paid another one. */
export function outcomeOf(token: Token, { hasPaidBefore }: { hasPaidBefore: boolean }): ChargeOutcome {
  switch (token) {
    case 'tok_ok':
    case 'tok_timeout_then_ok':
    case 'tok_refund_fails':
      return { kind: 'succeeded' }
    case 'tok_fail_after_1':
      return hasPaidBefore ? INSUFFICIENT_FUNDS : { kind: 'succeeded' }
    case 'tok_insufficient_funds':
    case 'tok_timeout_then_declined':
      return INSUFFICIENT_FUNDS
    case 'tok_stolen':
      return { kind: 'declined', severity: 'hard', code: 'stolen_card' }
    case 'tok_pending':
      return { kind: 'pending' }
    case 'tok_action_required':
      return { kind: 'actionRequired', url: 'https://sandbox.invalid/authenticate' }
    default:
      return unreachable(token)
  }
}

/** The first answer to such a try is lost on its way back; a look-up finds what it was. */
export function losesAnswer(token: Token): boolean {
  return token === 'tok_timeout_then_ok' || token === 'tok_timeout_then_declined'
}

const INSUFFICIENT_FUNDS: ChargeOutcome = { kind: 'declined', severity: 'soft', code: 'insufficient_funds' }
