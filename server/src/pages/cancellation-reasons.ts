import type { CancellationReason } from '../core/subscription.ts'
import { english } from '../platform/web/say.ts'

/** The choices of a merchant, as the developer reads them too. */
export const REASON_WORDS: Readonly<Record<CancellationReason['reason'], string>> = {
  TOO_EXPENSIVE: english('Too expensive'),
  NOT_USED: english('Not used enough'),
  MISSING_FEATURE: english('Something is missing'),
  TECHNICAL_PROBLEMS: english('Technical problems'),
  OTHER: english('Another reason'),
}
