import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { BusinessRecord } from '../../core/business-record.ts'
import type { Plan } from '../../core/plan.ts'
import type { Buyer, PurchaseScreen } from '../../money/billing/purchase.ts'
import type { PageCall } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { AppFace } from '../../platform/web/components/card.ts'
import type { Ports } from '../../ports.ts'

export type TillPorts = Pick<Ports, 'db' | 'clock' | 'newId'>

/** What every page of a purchase shows, and who stands before it. */
export interface Till extends PurchaseScreen {
  readonly path: string
  readonly by: Buyer
  readonly business: BusinessRecord
  readonly plan: Plan
  readonly app: AppFace
}

/**
 * What all of them are alike in. `billing/buyer.ts` is the rule of who may, which no row of the table of rights could say:
 * hence `public`.
 */
export const ABOUT = {
  params: Type.Object({ purchaseId: Uuid }),
  operation: 'public',
  signIn: 'optional',
} as const
type Params = Static<typeof ABOUT.params>
export type TillCall<Q = unknown, F = unknown> = PageCall<Params, Q, F>

/** Where the screen is, without the secret that opens it. */
export function pathOf({ purchaseId }: Params): string {
  return `/purchases/${purchaseId.toLowerCase()}`
}
