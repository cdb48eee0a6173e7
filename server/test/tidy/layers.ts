/**
 * Who may import whom: a folder imports only folders that stand before it here, and itself. ARCHITECTURE.md explains the order.
 * Where the list turns out to be in the way, mend the list, not the rule.
 */
export const LAYERS = [
  'core',
  'db',
  'vault',
  'egress',
  'gateway',
  'web',
  'http',
  'ports',
  'loop',
  'version',
  'set-aside',
  'idempotency',
  'audit',
  'organizations',
  'apps',
  'businesses',
  'approvals',
  'plans',
  'releases',
  'operator-keys',
  'tokens',
  'rights',
  'hooks',
  'deliveries',
  'notifications',
  'redeliveries',
  'payment-methods',
  'charges',
  'refunds',
  'ledger',
  'credits',
  'subscriptions',
  'invoices',
  'orders',
  'billing',
  'checkers',
  'reconciliations',
  'gateway-events',
  'test-clocks',
  'reports',
  'operations',
  'contract',
  'config',
  'duties',
  'app',
  'start',
  'main',
] as const

/** The layer of a file of server/src: its folder, or its own name at the top. */
export function layerOf(path: string): string {
  const [first = ''] = path.split('/')
  return first.replace(/\.ts$/, '')
}
