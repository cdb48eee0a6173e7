import type { Revocations } from '../../access/tokens/revocations.ts'
import { type AnyPage, page, redirect } from '../../platform/http/page.ts'
import { HOME, homeOf } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { appPages } from './apps.ts'
import { businessPages } from './business.ts'
import { cancelSubscriptionPages } from './cancel-subscription.ts'
import { changePlanPages } from './change-plan.ts'
import { findAppsPages } from './find-apps.ts'
import { saveInvoicesPages } from './invoice-files.ts'
import { listInvoicesPage, showInvoicePages } from './invoices.ts'
import { moveSubscriptionPages } from './move-subscription.ts'
import { changePaymentMethodPages, listPaymentMethodsPage } from './payment-methods.ts'
import { staffPages } from './staff.ts'
import { listSubscriptionsPage, restoreSubscriptionPage, showSubscriptionPage } from './subscriptions.ts'
import { closeLocationPages, terminalPages } from './terminals.ts'

/** The pages of a business's people. */
export function merchantPages(ports: Ports & { readonly revocations: Revocations }): AnyPage[] {
  return [
    page({
      ...{ method: 'GET', path: HOME, name: 'goToOwnPages', operation: 'account.manage', signIn: 'required' },
      duringViewing: 'open',
      handle: async ({ principal }) => redirect(homeOf(principal)),
    }),
    listSubscriptionsPage(ports),
    showSubscriptionPage(ports),
    ...cancelSubscriptionPages(ports),
    restoreSubscriptionPage(ports),
    ...changePlanPages(ports),
    ...moveSubscriptionPages(ports),
    listInvoicesPage(ports),
    ...saveInvoicesPages(ports),
    ...showInvoicePages(ports),
    listPaymentMethodsPage(ports),
    ...changePaymentMethodPages(ports),
    ...findAppsPages(ports),
    ...appPages(ports),
    ...terminalPages(ports),
    ...closeLocationPages(ports),
    ...staffPages(ports),
    ...businessPages(ports),
  ]
}
