import { findHeldApps } from '../../catalog/apps/store.ts'
import { startOfDay } from '../../core/calendar.ts'
import type { CatchUp } from '../../core/catch-up.ts'
import type { Sql } from '../../platform/db/db.ts'
import { forecastCharges } from '../billing/forecast.ts'
import { loadStates } from '../billing/load.ts'
import { listNextActions } from '../subscriptions/store.ts'

/** A forecast of this many subscriptions takes about a second. */
const MOST = 2_000

/** The charges of one app, day and currency. */
export interface DryRunRow {
  readonly appId: string
  /** Midnight UTC of the day on which the charges became due. */
  readonly day: Date
  readonly currency: string
  readonly charges: number
  /** Minor units. */
  readonly amount: number
}

export interface DryRun {
  readonly rows: readonly DryRunRow[]
  /** There are more subscriptions than were forecast. */
  readonly isCut: boolean
}

/** The charges that releasing the backlog makes, if each succeeds. Writes nothing. */
export async function dryRun(sql: Sql, { outageFrom, outageUntil }: CatchUp): Promise<DryRun> {
  const until = new Date(outageUntil.getTime() + 1)
  const waiting = await listNextActions(sql, { until, limit: MOST + 1 })
  // Apps that the operator disabled are not charged.
  const held = await findHeldApps(sql, [...new Set(waiting.map(({ appId }) => appId))])
  const charged = waiting.slice(0, MOST).filter(({ appId }) => !held.has(appId))
  const states = await loadStates(sql, charged)
  const charges = await forecastCharges(sql, states, { now: outageFrom, until: () => until })
  const rows = new Map<string, DryRunRow>()
  for (const { subscription } of states) {
    const { appId, currency, subscriptionId } = subscription
    for (const { at, amount } of charges.get(subscriptionId) ?? []) {
      const day = startOfDay(at)
      const key = `${day.toISOString()} ${appId} ${currency}`
      const row = rows.get(key) ?? { appId, day, currency, charges: 0, amount: 0 }
      rows.set(key, { ...row, charges: row.charges + 1, amount: row.amount + amount })
    }
  }
  const sorted = [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  return { rows: sorted, isCut: waiting.length > MOST }
}
