import type { Principal } from './principal.ts'

/**
 * Decisions 3 as data: who may do what. `authorize` reads this table alone; a route names its operation, and an operation without a row
 * does not compile. Rights: `none`; `all`; `public` (no token); `own app`; `own app, own business` (the app within its token's business);
 * `related business` (approved the app, or has or had a subscription); `approving business` (an approval is in force); `with SUBSCRIBE`
 * (the approval includes the right); `own business` (the merchant's); `own store` and `own terminal` (the terminal's); `own organization`
 * (apps of the developer's organization); `own test merchants` (created by the organization, or the organization itself without a
 * business); `own account` (the signed-in person's). A row is the maximum of its column; taken-by-role.ts lists what a role removes.
 * Operations that end in `.read` change nothing.
 */
export type Right =
  | 'none'
  | 'all'
  | 'public'
  | 'own app'
  | 'own app, own business'
  | 'related business'
  | 'approving business'
  | 'with SUBSCRIBE'
  | 'own business'
  | 'own store'
  | 'own terminal'
  | 'own organization'
  | 'own test merchants'
  | 'own account'

/** The columns of the table. An app with a token for a business and the app itself are different callers. */
export type Column = 'app' | 'appOfBusiness' | 'merchant' | 'terminal' | 'developer' | 'operator'

export const RIGHTS = {
  public: row('public', 'public', 'public', 'public', 'public', 'public'),
  'plans.read': row('own app', 'own app, own business', 'all', 'all', 'own organization', 'all'),
  'subscriptions.read': row(
    'own app',
    'own app, own business',
    'own business',
    'own business',
    'own organization',
    'all',
  ),
  'invoices.read': row(
    'related business',
    'own app, own business',
    'own business',
    'own business',
    'own organization',
    'all',
  ),
  'businesses.read': row(
    'related business',
    'own app, own business',
    'own business',
    'own business',
    'own organization',
    'all',
  ),
  'businessLists.read': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'businesses.write': row('none', 'none', 'own business', 'none', 'own test merchants', 'all'),
  'subscriptions.subscribe': row('none', 'with SUBSCRIBE', 'own business', 'own business', 'own test merchants', 'all'),
  'subscriptions.cancel': row(
    'own app',
    'own app, own business',
    'own business',
    'own business',
    'own organization',
    'all',
  ),
  'subscriptions.restore': row('none', 'with SUBSCRIBE', 'own business', 'own business', 'own test merchants', 'all'),
  'subscriptions.change': row('none', 'with SUBSCRIBE', 'own business', 'own business', 'own test merchants', 'all'),
  'subscriptions.end': row('none', 'none', 'none', 'none', 'none', 'all'),
  'invoices.refund': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  // A dispute with the developer's answer to the bank.
  'disputes.read': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'disputes.answer': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  // Subscriptions, invoices, charges and disputes over all apps and merchants that the caller may see.
  'moneyLists.read': row('own app', 'own app, own business', 'own business', 'own business', 'own organization', 'all'),
  'reports.read': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'terminals.read': row('own app', 'own app, own business', 'own business', 'none', 'own organization', 'all'),
  'hooks.read': row('own app', 'own app, own business', 'none', 'none', 'own organization', 'all'),
  'hooks.manage': row('own app', 'own app, own business', 'none', 'none', 'own organization', 'all'),
  'deliveries.read': row('own app', 'own app, own business', 'none', 'none', 'own organization', 'all'),
  'deliveries.redeliver': row('own app', 'own app, own business', 'none', 'none', 'own organization', 'all'),
  'paymentMethods.read': row('none', 'none', 'own business', 'none', 'own test merchants', 'all'),
  'paymentMethods.manage': row('none', 'none', 'own business', 'none', 'own test merchants', 'all'),
  'approvals.read': row('none', 'none', 'own business', 'none', 'own test merchants', 'all'),
  'approvals.manage': row('none', 'none', 'own business', 'none', 'own test merchants', 'all'),
  'orders.read': row('approving business', 'own app, own business', 'none', 'own store', 'own test merchants', 'all'),
  // A terminal opens orders at itself and subscribes for itself; all terminals of the store handle its open orders.
  'orders.open': row('none', 'none', 'none', 'own business', 'own test merchants', 'all'),
  'orders.write': row('none', 'none', 'none', 'own store', 'own test merchants', 'all'),
  // The operator's own order system, for the orders of every business.
  'orders.report': row('none', 'none', 'none', 'none', 'none', 'all'),
  'testClocks.read': row('none', 'none', 'none', 'none', 'own test merchants', 'all'),
  'testClocks.manage': row('none', 'none', 'none', 'none', 'own test merchants', 'all'),
  'disputes.simulate': row('none', 'none', 'none', 'none', 'own test merchants', 'all'),
  'organizations.create': row('none', 'none', 'none', 'none', 'none', 'all'),
  'organizations.read': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'organizations.manage': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'tax.read': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'tax.manage': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'operatorTax.manage': row('none', 'none', 'none', 'none', 'none', 'all'),
  'businesses.create': row('none', 'none', 'none', 'none', 'own test merchants', 'all'),
  'apps.read': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'apps.manage': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'keys.manage': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'signingKeys.rotate': row('none', 'none', 'none', 'none', 'none', 'all'),
  'releases.decide': row('none', 'none', 'none', 'none', 'none', 'all'),
  'ledger.read': row('none', 'none', 'none', 'none', 'own organization', 'all'),
  'payouts.manage': row('none', 'none', 'none', 'none', 'none', 'all'),
  'balances.read': row('none', 'none', 'own business', 'none', 'own organization', 'all'),
  'people.read': row('none', 'none', 'own business', 'none', 'own test merchants', 'all'),
  'people.manage': row('none', 'none', 'own business', 'none', 'own test merchants', 'all'),
  'users.read': row('none', 'none', 'none', 'none', 'none', 'all'),
  'users.manage': row('none', 'none', 'none', 'none', 'none', 'all'),
  'notes.manage': row('none', 'none', 'none', 'none', 'none', 'all'),
  'viewings.manage': row('none', 'none', 'none', 'none', 'none', 'all'),
  'account.manage': row('none', 'none', 'own account', 'none', 'own account', 'own account'),
  'terminal.read': row('none', 'none', 'none', 'own terminal', 'none', 'none'),
  'terminal.signIn': row('none', 'none', 'none', 'own terminal', 'none', 'none'),
  'terminal.purchase': row('none', 'none', 'none', 'own terminal', 'none', 'none'),
  'terminal.install': row('none', 'none', 'none', 'own terminal', 'none', 'none'),
  'terminal.approve': row('none', 'none', 'none', 'own terminal', 'none', 'none'),
  'terminal.token': row('none', 'none', 'none', 'own terminal', 'none', 'none'),
  'purchases.read': row('own app', 'own app, own business', 'own business', 'none', 'own organization', 'all'),
  'purchases.ask': row('none', 'own app, own business', 'none', 'none', 'none', 'none'),
  'catchUp.decide': row('none', 'none', 'none', 'none', 'none', 'all'),
  'brand.manage': row('none', 'none', 'none', 'none', 'none', 'all'),
  'mails.test': row('none', 'none', 'none', 'none', 'none', 'all'),
  'charges.poll': row('none', 'none', 'none', 'none', 'none', 'all'),
  'operations.retry': row('none', 'none', 'none', 'none', 'none', 'all'),
  // An owed refund that was paid outside the gateway.
  'refunds.markPaid': row('none', 'none', 'none', 'none', 'none', 'all'),
  'operations.read': row('none', 'none', 'none', 'none', 'none', 'all'),
} as const satisfies Record<string, Record<Column, Right>>

export type Operation = keyof typeof RIGHTS

/** The ids that a request is about, as far as the operation has them. */
export interface Subject {
  readonly appId?: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  /** The organization of an app or test merchant about to be created. */
  readonly organizationId?: string
}

export function columnOf(principal: Exclude<Principal, { kind: 'anonymous' }>): Column {
  return principal.kind === 'app' && principal.businessId !== undefined ? 'appOfBusiness' : principal.kind
}

function row(app: Right, appOfBusiness: Right, merchant: Right, terminal: Right, developer: Right, operator: Right) {
  return { app, appOfBusiness, merchant, terminal, developer, operator }
}
