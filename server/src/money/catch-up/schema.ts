import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { CATCH_UP_STATES } from '../../core/catch-up.ts'
import { AppUrn, appUrn, Timestamp } from '../../platform/http/wire.ts'
import { CATCH_UP_DECISIONS, MAX_SPREAD_DAYS } from './decide.ts'
import type { DryRun } from './dry-run.ts'

export const CatchUpBody = Type.Object({
  decision: Type.Enum([...CATCH_UP_DECISIONS]),
  spreadDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SPREAD_DAYS,
      description: 'The days over which SPREAD spreads the charges. Default: 7',
    }),
  ),
})

export const CatchUpJson = Type.Object({
  outageFrom: Timestamp,
  outageUntil: Timestamp,
  state: Type.Enum([...CATCH_UP_STATES]),
  goesOnAt: { ...Timestamp, description: 'Without a decision the backlog is billed from then on' },
  decidedAt: Type.Optional(Timestamp),
  spreadDays: Type.Optional(Type.Integer()),
})

export const CatchUpAnswer = Type.Object({
  catchUp: Type.Optional({ ...CatchUpJson, description: 'The last outage of more than a day. Absent: no such outage' }),
  dryRun: Type.Array(
    Type.Object({
      appId: AppUrn,
      day: Timestamp,
      currency: Type.String(),
      charges: Type.Integer(),
      amount: Type.Integer(),
    }),
    { description: 'The charges of the backlog by app and day, while it waits' },
  ),
  isCut: Type.Boolean({ description: 'More subscriptions wait than were forecast' }),
})

export function dryRunToJson({ rows, isCut }: DryRun) {
  return { dryRun: rows.map(row => ({ ...row, appId: appUrn(row.appId), day: toTimestamp(row.day) })), isCut }
}
