import { SIGNATURES } from './webhooks.ts'

/** The groups of operations in reading order: a name, a description, and the path segments that belong to the group. */
const TAGS: readonly (readonly [name: string, description: string, words: readonly string[]])[] = [
  [
    'Tokens',
    'Every call needs an access token. An app gets a token in exchange for a JWT signed with its private key.',
    ['token', 'signing-keys', '.well-known'],
  ],
  ['Plans', 'The offers of an app: price and billing interval.', ['plans']],
  ['Subscriptions', 'The plans that merchants bought, with phase and status.', ['subscriptions']],
  ['Purchases', 'Purchases that a merchant confirms on a screen.', ['purchases']],
  [
    'Invoices',
    'One invoice per period of a subscription, with charges and refunds.',
    ['invoices', 'charges', 'disputes'],
  ],
  ['Hooks', 'Registrations of delivery URLs for event types.', ['hooks']],
  ['Deliveries', 'Notifications of the last 30 days with the outcome of each attempt.', ['deliveries']],
  ['Businesses', 'Merchants with their stores and terminals.', ['businesses', 'stores', 'devices', 'terminals']],
  ['Approvals', 'The apps that may act for a merchant.', ['approvals']],
  ['Payment methods', 'The cards of a merchant.', ['payment-methods']],
  ['Orders', 'Sales at a terminal.', ['orders']],
  ['Apps', 'Apps and the public keys that authenticate them.', ['apps', 'keys', 'requests']],
  ['Releases', 'Versions of an app with their plans, and their review.', ['releases']],
  ['Organizations', 'The developers of apps.', ['organizations', 'seller']],
  [
    'Ledger',
    'Charges, refunds, the shares of operator and developer, and monthly statements.',
    ['balance', 'statements'],
  ],
  ['Tax', 'Tax rates of invoices by country and date.', ['tax', 'tax-rates']],
  ['Test clocks', 'Virtual time for a test merchant.', ['test-clocks']],
  [
    'Operations',
    'Health, metrics, the audit trail and reports.',
    [
      'healthz',
      'readyz',
      'metrics',
      'audit',
      'operations',
      'reports',
      'reconciliations',
      'gateways',
      'brand',
      'logo',
      'style.css',
    ],
  ],
  [
    'People',
    'Users of the web pages, their sessions and their roles.',
    ['sessions', 'device-logins', 'users', 'memberships', 'invitations', 'password-resets'],
  ],
  ['Webhooks', `The notifications that Tillhook posts to hooks. ${SIGNATURES}`, []],
  ['Contract', 'This document.', ['openapi.json', 'docs']],
]

/** The tag of a path outside all groups. */
export const UNTAGGED = 'Other'

/** The last known path segment decides: `/apps/:appId/plans/:planId/retire` belongs to Plans. */
export function tagOf(path: string): string {
  const segments = path.split('/').reverse()
  for (const segment of segments) {
    const found = TAGS.find(([, , words]) => words.includes(segment))
    if (found) return found[0]
  }
  return UNTAGGED
}

/** The used tags in reading order. */
export function describeTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  return TAGS.filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description }))
}
