const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** After a longer outage, billing of the backlog waits for the operator. */
export const OUTAGE_MS = DAY_MS

export const CATCH_UP_STATES = ['WAITING', 'RELEASED', 'SPREAD', 'WAIVED'] as const
export type CatchUpState = (typeof CATCH_UP_STATES)[number]

/** The charges that became due while no process billed, with the operator's decision. */
export interface CatchUp {
  readonly outageFrom: Date
  readonly outageUntil: Date
  readonly state: CatchUpState
  /** Without a decision the backlog is billed from then on. */
  readonly goesOnAt: Date
  readonly decidedAt?: Date
  /** Only for SPREAD. */
  readonly spreadDays?: number
}

/** Due subscriptions whose next action lies in `(after, until]` wait. */
export interface HeldBacklog {
  readonly after: Date
  readonly until: Date
}

/**
 * The part of the backlog that waits at `now`, or null. WAITING holds the whole backlog until `goesOnAt`. SPREAD replays
 * the outage over the chosen days, so a daily subscription that missed 35 periods is charged 5 times a day for a week.
 */
export function heldBacklog(catchUp: CatchUp | null, now: Date): HeldBacklog | null {
  if (catchUp === null) return null
  const { state, outageFrom, outageUntil: until, goesOnAt, decidedAt, spreadDays = 1 } = catchUp
  if (state === 'WAITING') return now < goesOnAt ? { after: new Date(0), until } : null
  if (state !== 'SPREAD' || decidedAt === undefined) return null
  const share = (now.getTime() - decidedAt.getTime()) / (spreadDays * DAY_MS)
  if (share >= 1) return null
  return {
    after: new Date(outageFrom.getTime() + Math.max(0, share) * (until.getTime() - outageFrom.getTime())),
    until,
  }
}

/** Whether the operator can still decide: the state is WAITING, and `goesOnAt` has not passed. */
export function isUndecided({ state, goesOnAt }: CatchUp, now: Date): boolean {
  return state === 'WAITING' && now < goesOnAt
}

/** `hours` after the end of the outage. */
export function catchUpAfter(outage: { readonly from: Date; readonly until: Date }, hours: number): CatchUp {
  const { from: outageFrom, until: outageUntil } = outage
  return { outageFrom, outageUntil, state: 'WAITING', goesOnAt: new Date(outageUntil.getTime() + hours * HOUR_MS) }
}
