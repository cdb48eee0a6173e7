import type { CurrentBrand } from '../../platform/brand/current.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import type { Ports } from '../../ports.ts'
import { operatorPayoutPages } from '../payouts/ops.ts'
import { operatorTaxPages } from '../tax/ops.ts'
import { appEndingPages } from './app-endings.ts'
import { appPages } from './apps.ts'
import { auditPage } from './audit.ts'
import { brandPages } from './brand.ts'
import { catchUpPages } from './catch-up.ts'
import { homePage } from './home.ts'
import { merchantPages } from './merchants.ts'
import { moneyPage } from './money.ts'
import { organizationPages } from './organizations.ts'
import { reviewPages } from './reviews.ts'

/** The operator's pages. */
export function operatorPages(ports: Ports & { readonly currentBrand: CurrentBrand }): AnyPage[] {
  return [
    homePage(ports),
    ...reviewPages(ports),
    ...organizationPages(ports),
    ...appPages(ports),
    ...appEndingPages(ports),
    ...catchUpPages(ports),
    ...merchantPages(ports),
    moneyPage(ports),
    ...operatorTaxPages(ports),
    ...operatorPayoutPages(ports),
    auditPage(),
    ...brandPages(ports),
  ]
}
