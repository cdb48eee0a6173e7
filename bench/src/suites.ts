import { bareOne, barePage } from './scenarios/bare.ts'
import { billingIdle, billingNotDue, billingOf, readWhileBilling } from './scenarios/billing.ts'
import { ordersAt, ordersSaturated } from './scenarios/orders.ts'
import { readOne, readPage } from './scenarios/reads.ts'
import { signatures } from './scenarios/signatures.ts'
import { tokens } from './scenarios/tokens.ts'
import type { Scenario } from './world.ts'

/** What can be asked for by name. Each stands beside the bare one that it is compared with. */
export const SUITES = {
  api: [signatures, tokens, bareOne, readOne, barePage, readPage],
  deliveries: [ordersAt(100), ordersAt(250), ordersSaturated],
  billing: [billingIdle, billingOf(10_000), billingOf(100_000), readWhileBilling(100_000), billingNotDue(1_000_000)],
} as const satisfies Record<string, readonly Scenario[]>

export type SuiteName = keyof typeof SUITES

export const SUITE_NAMES = Object.keys(SUITES) as SuiteName[]
