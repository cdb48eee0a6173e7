import type { Revocations } from '../../access/tokens/revocations.ts'
import type { CurrentBrand } from '../../platform/brand/current.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import type { Ports } from '../../ports.ts'
import { operatorPayoutPages } from '../payouts/ops.ts'
import { cancelPages, endPages } from '../subscriptions/cancel.ts'
import { disputePages } from '../subscriptions/disputes.ts'
import { invoiceFilePage, invoicesPage } from '../subscriptions/invoices.ts'
import { subscriptionPages } from '../subscriptions/list.ts'
import { subscriptionPage } from '../subscriptions/one.ts'
import { refundPages } from '../subscriptions/refund.ts'
import { operatorTaxPages } from '../tax/ops.ts'
import { appEndingPages, appPages } from './apps.ts'
import { auditPage } from './audit.ts'
import { brandPages } from './brand.ts'
import { catchUpPages } from './catch-up.ts'
import { endpointsPage } from './endpoints.ts'
import { homePage } from './home.ts'
import { merchantSetupPages } from './merchant-setup.ts'
import { merchantPages } from './merchants.ts'
import { chargePollPage, moneyPage, retryRowPage } from './money.ts'
import { moneyListPages, upcomingPage } from './money-lists.ts'
import { notePages } from './notes.ts'
import { OPS_SIDE } from './ops-page.ts'
import { organizationAppsPages, organizationPages } from './organizations.ts'
import { owedRefundPages } from './owed-refunds.ts'
import { reportPages } from './reports.ts'
import { reviewPages } from './reviews.ts'
import { seeAsPages } from './see-as.ts'
import { type SystemReadings, signingKeyPages, systemPage, testMailPage } from './system.ts'
import { closeStorePages, terminalPages } from './terminals.ts'

export function operatorPages(
  ports: Ports & {
    readonly revocations: Revocations
    readonly currentBrand: CurrentBrand
    readonly system: SystemReadings
  },
): AnyPage[] {
  return [
    homePage(ports),
    ...reviewPages(ports),
    ...organizationPages(ports),
    ...organizationAppsPages(ports),
    ...appPages(ports),
    ...appEndingPages(ports),
    ...catchUpPages(ports),
    ...merchantSetupPages(ports),
    ...merchantPages(ports),
    ...closeStorePages(ports),
    ...[...subscriptionPages(OPS_SIDE), subscriptionPage(OPS_SIDE, ports), ...endPages(OPS_SIDE, ports)],
    ...[...refundPages(OPS_SIDE, ports), ...cancelPages(OPS_SIDE, ports)],
    ...[invoicesPage(OPS_SIDE), invoiceFilePage(OPS_SIDE), ...disputePages(OPS_SIDE, ports)],
    ...notePages(ports),
    ...seeAsPages(ports),
    ...terminalPages(ports),
    moneyPage(ports),
    chargePollPage(ports),
    ...owedRefundPages(ports),
    retryRowPage(ports),
    ...moneyListPages(ports),
    upcomingPage(ports),
    ...reportPages(ports),
    endpointsPage(ports),
    ...operatorTaxPages(ports),
    ...operatorPayoutPages(ports),
    auditPage(),
    systemPage(ports.system),
    testMailPage(ports),
    ...signingKeyPages(ports),
    ...brandPages(ports),
  ]
}
