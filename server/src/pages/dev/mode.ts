import { Type } from 'typebox'
import type { MerchantType } from '../../core/business.ts'
import { addressOf, filter } from '../../platform/web/components/table.ts'
import type { Html } from '../../platform/web/html.ts'

/** Live merchants or test merchants. No list shows both. */
export type Mode = 'live' | 'test'

export const modeField = { mode: Type.Optional(Type.Enum(['live', 'test'])) }

export const merchantTypeOf = (mode: Mode): MerchantType => (mode === 'test' ? 'TEST_MERCHANT' : 'MERCHANT')

/** Leads to the same list of the other merchants. */
export function modeSwitch(path: string, mode: Mode): Html {
  return filter('Live or test merchants', [
    { text: 'Live', href: path, isCurrent: mode === 'live' },
    { text: 'Test', href: addressOf(path, { mode: 'test' }), isCurrent: mode === 'test' },
  ])
}

/** The parameter of an address. Live is the default and stays unnamed. */
export const keptMode = (mode: Mode): { readonly mode?: Mode } => (mode === 'test' ? { mode } : {})
