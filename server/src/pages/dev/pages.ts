import type { TokenMemory } from '../../access/tokens/token-memory.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import type { Ports } from '../../ports.ts'
import type { EventStreams } from '../../webhooks/event-streams/streams.ts'
import type { HookTests } from '../../webhooks/notifications/test-hook.ts'
import { developerPayoutPages } from '../payouts/dev.ts'
import { cancelPages } from '../subscriptions/cancel.ts'
import { disputePages } from '../subscriptions/disputes.ts'
import { invoiceFilePage, invoicesPage } from '../subscriptions/invoices.ts'
import { subscriptionPages } from '../subscriptions/list.ts'
import { subscriptionPage } from '../subscriptions/one.ts'
import { refundPages } from '../subscriptions/refund.ts'
import { developerTaxPages } from '../tax/dev.ts'
import { appKeyPages, appPage } from './app-page.ts'
import { appSettingsPages } from './app-settings.ts'
import { appPages } from './apps.ts'
import { changePlanPages } from './change-plan.ts'
import { DEV_SIDE } from './dev-page.ts'
import { endpointPages } from './endpoints.ts'
import { eventPages } from './events.ts'
import { homePage } from './home.ts'
import { merchantPages } from './merchants.ts'
import { organizationPages } from './organization.ts'
import { releasePages } from './release.ts'
import { packagePages } from './release-package.ts'
import { planPages } from './release-plans.ts'
import { sendPages } from './release-steps.ts'
import { requestPages } from './requests.ts'
import { revenuePages } from './revenue.ts'
import { statementPages } from './statements.ts'
import { testDisputePages, testSimulatorPages } from './test-actions.ts'
import { testClockPages } from './test-clock.ts'
import { testMerchantPage } from './test-merchant.ts'
import { testMerchantPages } from './test-merchants.ts'

export function developerPages(
  ports: Ports & HookTests & Pick<TokenMemory, 'revocations'> & { readonly streams: EventStreams },
  { hasSimulator }: { readonly hasSimulator: boolean },
): AnyPage[] {
  return [
    ...[
      homePage(ports),
      ...appPages(ports),
      ...appPage(),
      ...appKeyPages(ports),
      ...appSettingsPages(ports),
      ...endpointPages(ports),
    ],
    ...[
      ...subscriptionPages(DEV_SIDE),
      ...merchantPages(ports),
      invoicesPage(DEV_SIDE),
      ...disputePages(DEV_SIDE, ports),
      invoiceFilePage(DEV_SIDE),
      ...revenuePages(ports),
    ],
    ...[...statementPages(ports), ...requestPages(ports)],
    ...[...packagePages(ports), ...planPages(ports), ...sendPages(ports), ...releasePages(ports)],
    ...eventPages(ports),
    ...[
      ...testMerchantPages(ports),
      ...testMerchantPage(ports, { hasSimulator }),
      ...testClockPages(ports),
      ...changePlanPages(ports),
      ...testDisputePages(ports),
    ],
    ...(hasSimulator ? testSimulatorPages(ports) : []),
    subscriptionPage(DEV_SIDE, ports),
    ...[...refundPages(DEV_SIDE, ports), ...cancelPages(DEV_SIDE, ports)],
    ...developerTaxPages(ports),
    ...organizationPages(ports),
    ...developerPayoutPages(ports),
  ]
}
