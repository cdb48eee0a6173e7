import type { Choice } from '../../platform/web/components/choice.ts'

/** The sandbox's tokens (decisions 11) by what they do. */
export const TEST_CARDS: readonly (Choice & { readonly value: string })[] = [
  { value: 'tok_ok', text: 'A card that works', detail: 'Every payment succeeds.' },
  {
    value: 'tok_insufficient_funds',
    text: 'A card without enough money',
    detail: 'Every payment is refused, and tried again for some days.',
  },
  { value: 'tok_stolen', text: 'A stolen card', detail: 'Refused for good: it is not tried again.' },
  {
    value: 'tok_fail_after_1',
    text: 'A card that runs dry',
    detail: 'The first payment succeeds, later ones are refused.',
  },
  {
    value: 'tok_timeout_then_ok',
    text: 'A bank that answers late, with yes',
    detail: 'The payment is unknown at first, then found to have succeeded.',
  },
  {
    value: 'tok_timeout_then_declined',
    text: 'A bank that answers late, with no',
    detail: 'The payment is unknown at first, then found to be refused.',
  },
  { value: 'tok_pending', text: 'A bank that takes days', detail: 'The payment stays under way.' },
  { value: 'tok_action_required', text: 'A bank that asks back', detail: 'The payment waits to be confirmed by you.' },
  { value: 'tok_refund_fails', text: 'A card that takes no money back', detail: 'Payments succeed, refunds fail.' },
]
