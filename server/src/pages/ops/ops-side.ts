import { modeOf } from '../../platform/http/mode.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Side } from '../subscriptions/side.ts'
import { MONEY_PATHS, moneyParts } from './money-parts.ts'
import { framed, opsPage } from './ops-page.ts'

/** Subscriptions and invoices of all apps. */
export const OPS_SIDE: Side = {
  paths: { ...OPERATOR_PATHS, disputes: MONEY_PATHS.disputes },
  aboveDisputes: moneyParts('disputes'),
  page: ({ handle, ...definition }) =>
    opsPage({
      ...definition,
      handle: (call, desk) =>
        handle(call, { ...desk, merchantType: modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT' }),
    }),
  framed: (call, { part, ...frame }, more) =>
    framed(call, { ...frame, part: part === 'disputes' ? 'money' : part }, more),
  nameOf: page => `${page}AsOperator`,
  whose: 'apps',
  developer: 'the developer',
}
