import type { ListedDispute } from '../money/lists/disputes.ts'
import { badge } from '../platform/web/components/content.ts'
import type { Html } from '../platform/web/html.ts'

export const DISPUTE_STATES: Readonly<Record<ListedDispute['status'], readonly [string, 'good' | 'warn' | 'bad']>> = {
  OPEN: ['Open', 'warn'],
  LOST: ['Lost', 'bad'],
  WON: ['Won', 'good'],
}

export function disputeBadge({ status }: Pick<ListedDispute, 'status'>): Html {
  return badge(...DISPUTE_STATES[status])
}
