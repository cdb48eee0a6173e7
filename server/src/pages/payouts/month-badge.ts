import { endOfMonth, monthStatus } from '../../core/statement.ts'
import { badge } from '../../platform/web/components/content.ts'
import { dayWords } from '../../platform/web/format.ts'
import type { Html } from '../../platform/web/html.ts'

/** "Closed", or "Open until 1 December 2026". Months of test merchants stay open. */
export function monthBadge(month: string, { live, now }: { readonly live: boolean; readonly now: Date }): Html {
  if (monthStatus(month, { live, now }) === 'CLOSED') return badge('Closed', 'good')
  return badge(live ? `Open until ${dayWords(endOfMonth(month))}` : 'Open')
}
