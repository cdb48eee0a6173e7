import type { EndReason, PaymentStatus, Phase, SubscriptionStatus } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, send } from '../../platform/db/part.ts'

/** What the wire shows of a subscription. `At`: an instant, as it is held where the subscription comes from. */
export interface Shown<At> {
  readonly subscriptionId: string
  readonly appId: string
  readonly businessId: string
  readonly planId: string
  readonly bundleId: string
  readonly storeId?: string | null
  readonly deviceId?: string | null
  readonly amount: number
  readonly pendingPlanId?: string | null
  readonly pendingAmount?: number | null
  readonly phase: Phase
  readonly status: SubscriptionStatus
  readonly paymentStatus: PaymentStatus
  readonly startAt: At
  readonly trialEndAt?: At | null
  readonly currentPeriodStart: At
  readonly currentPeriodEnd: At
  readonly nextRetryAt?: At | null
  readonly cancelAt?: At | null
  readonly endedAt?: At | null
  readonly endReason?: EndReason | null
  readonly createdAt: At
  readonly updatedAt: At
}

/** Instants are as PostgreSQL writes them, in UTC: whoever only shows them need not compute with them. */
export interface ShownSubscription extends Shown<string> {
  /** Of the row, as it was read: another one each time that it is written. */
  readonly version: string
}

/** By id; one that is not there is not in the answer. */
export async function findShown(
  sql: Sql,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, ShownSubscription>> {
  const [row] = await send<{ shown: string | null }[]>(
    sql,
    part`
      select string_agg(${SHOWN.printed}, ${BETWEEN_ROWS}) as shown from (
        select ${SHOWN.stored} from subscriptions
        where subscription_id = any(${subscriptionIds as string[]}::uuid[])) as asked`,
  )
  return new Map(shownOf(row?.shown ?? null).map(one => [one.subscriptionId, one]))
}

/** What is read of a row. */
export interface Columns {
  /** Of the table. */
  readonly stored: Part
  /** The same, of a table made of `stored`. */
  readonly named: Part
  /** One cell, of a table made of `stored`. */
  readonly printed: Part
}

const NAMES = part`
  subscription_id, app_id, business_id, plan_id, bundle_id, store_id, device_id, amount, phase, status, payment_status,
  start_at, trial_end_at, current_period_start, current_period_end, next_retry_at, cancel_at, ended_at, end_reason,
  created_at, updated_at, pending_plan_id, pending_amount`

/**
 * The driver takes longer over a cell than over what is in it: all rows travel in one. They are ids, instants, words and
 * numbers, and none of them has a bar or a line break in it; what is not there leaves its place empty. PostgreSQL looks up
 * how to print a type each time another one comes: those of one type stand together.
 */
export const SHOWN: Columns = {
  stored: part`${NAMES}, xmin as version`,
  named: part`${NAMES}, version`,
  printed: part`
    format(
      '%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s',
      subscription_id, app_id, business_id, plan_id, bundle_id, store_id, device_id, pending_plan_id,
      start_at, current_period_start, current_period_end, created_at, updated_at, trial_end_at, next_retry_at, cancel_at,
      ended_at, phase, status, payment_status, end_reason, amount, pending_amount, version)`,
}

/** Which rows, and which version of each: `printed` is an id and a version. */
export const VERSIONS: Columns = {
  stored: part`subscription_id, created_at, xmin as version`,
  named: part`subscription_id, created_at, version`,
  printed: part`format('%s|%s', subscription_id, version)`,
}

export const BETWEEN_ROWS = part`E'\\n'`

type Cells = readonly [
  ...[subscriptionId: string, appId: string, businessId: string, planId: string, bundleId: string],
  ...[storeId: string, deviceId: string, pendingPlanId: string],
  ...[startAt: string, currentPeriodStart: string, currentPeriodEnd: string, createdAt: string, updatedAt: string],
  ...[trialEndAt: string, nextRetryAt: string, cancelAt: string, endedAt: string],
  ...[
    phase: Phase,
    status: SubscriptionStatus,
    paymentStatus: PaymentStatus,
    endReason: EndReason | '',
    amount: string,
    pendingAmount: string,
    version: string,
  ],
]

/** The rows of one cell, which is null where there are none. */
export function shownOf(cell: string | null): ShownSubscription[] {
  return cell === null ? [] : cell.split('\n').map(rowOf)
}

function rowOf(row: string): ShownSubscription {
  const cells = row.split('|') as readonly string[] as Cells
  return {
    subscriptionId: cells[0],
    appId: cells[1],
    businessId: cells[2],
    planId: cells[3],
    bundleId: cells[4],
    storeId: cells[5] || null,
    deviceId: cells[6] || null,
    pendingPlanId: cells[7] || null,
    startAt: cells[8],
    currentPeriodStart: cells[9],
    currentPeriodEnd: cells[10],
    createdAt: cells[11],
    updatedAt: cells[12],
    trialEndAt: cells[13] || null,
    nextRetryAt: cells[14] || null,
    cancelAt: cells[15] || null,
    endedAt: cells[16] || null,
    phase: cells[17],
    status: cells[18],
    paymentStatus: cells[19],
    endReason: cells[20] || null,
    amount: Number(cells[21]),
    pendingAmount: cells[22] ? Number(cells[22]) : null,
    version: cells[23],
  }
}

/** A version of a row: its id, and the version. */
export function versionsOf(cell: string | null): string[] {
  return cell === null ? [] : cell.split('\n')
}

export const versionOf = ({ subscriptionId, version }: ShownSubscription) => `${subscriptionId}|${version}`

/** Of which row a version is. */
export const idOfVersion = (version: string) => version.slice(0, ID_LENGTH)

/** Of a UUID as text. */
const ID_LENGTH = 36
