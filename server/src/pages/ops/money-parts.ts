import { filter } from '../../platform/web/components/table.ts'
import type { Html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'

const path = OPERATOR_PATHS.money

/** The addresses of the pages about money. */
export const MONEY_PATHS = {
  open: path,
  pastDue: `${path}/past-due`,
  disputes: `${path}/disputes`,
  upcoming: `${path}/upcoming`,
  missed: '/ops/catch-up',
} as const

const TEXTS: Readonly<Record<keyof typeof MONEY_PATHS, string>> = {
  open: 'Open payments',
  pastDue: 'Past due',
  disputes: 'Disputes',
  upcoming: 'Upcoming',
  missed: 'Missed charges',
}

/** The links between the pages about money. */
export function moneyParts(current: keyof typeof MONEY_PATHS): Html {
  const parts = Object.keys(TEXTS) as (keyof typeof TEXTS)[]
  return filter(
    'Pages about money',
    parts.map(part => ({ text: TEXTS[part], href: MONEY_PATHS[part], isCurrent: part === current })),
  )
}
