export const DISPUTE_STATUSES = ['OPEN', 'LOST', 'WON'] as const

/** OPEN: the bank has not decided. LOST: the bank took the money. WON: the money stayed or was returned, which is final. */
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** Whether a reported status moves a dispute on. A lost dispute may be won after all; a won dispute is never lost again. */
export function movesOn(known: DisputeStatus, reported: DisputeStatus): boolean {
  return RANK[reported] > RANK[known]
}

const RANK: Readonly<Record<DisputeStatus, number>> = { OPEN: 0, LOST: 1, WON: 2 }
