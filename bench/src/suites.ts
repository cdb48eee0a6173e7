import { bareOne, barePage } from './scenarios/bare.ts'
import { billingIdle, billingNotDue, billingOf, readWhileBilling } from './scenarios/billing.ts'
import { billingSlow } from './scenarios/billing-slow.ts'
import { historyPages } from './scenarios/history.ts'
import { readManyPages } from './scenarios/many.ts'
import { oneHook } from './scenarios/one-hook.ts'
import { ordersAt, ordersInBulk, ordersSaturated, ordersWithKeys } from './scenarios/orders.ts'
import { readOne, readPage } from './scenarios/reads.ts'
import {
  besideTransaction,
  fanOutHundred,
  fanOutTen,
  idleToFirst,
  manyHooks,
  manyMerchants,
  recordedAt,
  recordedSaturated,
  restedToFirst,
} from './scenarios/recorded.ts'
import { signatures } from './scenarios/signatures.ts'
import { bareToken, tokens } from './scenarios/tokens.ts'
import { someAre, someFail } from './scenarios/unwell.ts'
import type { Scenario } from './world.ts'

/** The suites by name. Each scenario follows the bare one that it is compared with. */
export const SUITES = {
  api: [signatures, bareToken, tokens, bareOne, readOne, barePage, readPage, readManyPages],
  deliveries: [
    ordersAt(250),
    ordersAt(1_000),
    ordersSaturated,
    ordersWithKeys,
    ordersInBulk(100, 4),
    ordersInBulk(1_000, 2),
    recordedAt(250),
    recordedAt(1_000),
    recordedAt(2_000),
    recordedSaturated,
    oneHook,
    idleToFirst,
    restedToFirst,
    fanOutTen,
    fanOutHundred,
    manyHooks,
    manyMerchants,
    someAre('hangs', 'hang'),
    someAre('answers late', 'answer late'),
    someAre('drips its head', 'drip their headers'),
    someAre('drips its body', 'drip their bodies'),
    someAre('refuses', 'refuse connections'),
    someAre('resets', 'reset connections'),
    someFail,
    besideTransaction,
  ],
  billing: [
    billingIdle,
    billingOf(10_000),
    billingSlow(10_000, 200),
    billingOf(100_000),
    readWhileBilling(100_000),
    billingNotDue(1_000_000),
  ],
  history: [historyPages],
} as const satisfies Record<string, readonly Scenario[]>

export type SuiteName = keyof typeof SUITES

export const SUITE_NAMES = Object.keys(SUITES) as SuiteName[]
