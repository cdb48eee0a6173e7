import type { CancellationReason } from '../core/subscription.ts'

/** The choices of a merchant, as the developer reads them too. */
export const REASON_WORDS: Readonly<Record<CancellationReason['reason'], string>> = {
  TOO_EXPENSIVE: 'Too expensive',
  NOT_USED: 'Not used enough',
  MISSING_FEATURE: 'Something is missing',
  TECHNICAL_PROBLEMS: 'Technical problems',
  OTHER: 'Another reason',
}
