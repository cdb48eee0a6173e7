/**
 * Why a delivery is due. Each lane has room of its own, so that what is sent again never stands in the way of what is sent
 * for the first time. In the order in which a claim serves them.
 */
export const LANES = ['FIRST', 'RETRY', 'REPLAY'] as const
export type Lane = (typeof LANES)[number]

/** Of something, for each lane. */
export type PerLane = Readonly<Record<Lane, number>>
