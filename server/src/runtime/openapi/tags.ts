import { SIGNATURES } from './webhooks.ts'

/** What operations are about, in the order in which a newcomer meets them: a name, a description, and words of their paths. */
const TAGS: readonly (readonly [name: string, description: string, words: readonly string[]])[] = [
  [
    'Tokens',
    'Every call needs an access token; an app gets one with a JWT that it signs itself.',
    ['token', 'signing-keys', '.well-known'],
  ],
  ['Plans', 'What an app sells, at which price and how often.', ['plans']],
  ['Subscriptions', 'Who bought what, and where it stands.', ['subscriptions']],
  ['Purchases', 'What a merchant is asked to confirm on a screen.', ['purchases']],
  ['Invoices', 'One for each period of a subscription, with its charges and refunds.', ['invoices']],
  ['Hooks', 'Where notifications are posted, and of which events.', ['hooks']],
  ['Deliveries', 'What was sent in the last 30 days, and how each attempt went.', ['deliveries']],
  ['Businesses', 'Merchants with their stores and terminals.', ['businesses', 'stores', 'devices']],
  ['Approvals', 'Which apps a merchant lets act for it.', ['approvals']],
  ['Payment methods', 'What a merchant pays with.', ['payment-methods']],
  ['Orders', 'What is rung up at a terminal.', ['orders']],
  ['Apps', 'Apps and the keys with which they prove who they are.', ['apps', 'keys']],
  ['Releases', 'Versions of an app with their plans, and their review.', ['releases']],
  ['Organizations', 'The developers of apps.', ['organizations', 'seller']],
  ['Ledger', 'What was taken and given back, whose it is, and a statement of each month.', ['balance', 'statements']],
  ['Test clocks', 'Time of its own for a test merchant.', ['test-clocks']],
  [
    'Operations',
    'How the service is, and what was done.',
    ['healthz', 'readyz', 'metrics', 'audit', 'operations', 'reports', 'reconciliations', 'gateways'],
  ],
  [
    'People',
    'Who signs in on the web, for whom, in which role.',
    ['sessions', 'users', 'memberships', 'invitations', 'password-resets'],
  ],
  ['Webhooks', `The notifications that Tillhook posts to hooks. ${SIGNATURES}`, []],
  ['Contract', 'This document.', ['openapi.json', 'docs']],
]

/** Of a path with words that no tag knows. */
export const UNTAGGED = 'Other'

/** The tag of the last word of the path that has one: `/apps/:appId/plans/:planId/retire` is about plans. */
export function tagOf(path: string): string {
  const segments = path.split('/').reverse()
  for (const segment of segments) {
    const found = TAGS.find(([, , words]) => words.includes(segment))
    if (found) return found[0]
  }
  return UNTAGGED
}

/** The tags that are used, in their order. */
export function describeTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  return TAGS.filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description }))
}
