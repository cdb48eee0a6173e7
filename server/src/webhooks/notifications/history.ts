import type { Static } from 'typebox'
import { given } from '../../core/given.ts'
import { parseLimit, parseSpan } from '../../core/page.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import {
  type Attempts,
  findAttempts,
  findHistory,
  findHistoryOfEvent,
  type HistoryEntry,
  type HistoryRows,
  listHistory,
  listIds,
} from './history-store.ts'
import type { DeliveryQuery } from './schema.ts'
import { deliveryNotFound, type HistoryOf, scopeOf } from './scope.ts'

const DEFAULT_LIMIT = 10

/** As the query of a request has it: instants and numbers are still text. `after` is the last row of the previous page. */
export type HistoryQuery = Omit<Static<typeof DeliveryQuery>, 'eventType'> & { readonly eventType?: string }

/** A page of the notifications of the last 30 days, newest first. Source: interface, What the service does 4; decisions 7. */
export async function listDeliveries(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { of, principal, query }: { of: HistoryOf; principal: Principal; query: HistoryQuery },
): Promise<HistoryRows | Rejection> {
  const limit = parseLimit(query.limit, DEFAULT_LIMIT)
  if (isRejection(limit)) return limit
  const span = parseSpan(query)
  if (isRejection(span)) return span
  const { hookId, eventType, resourceId, status, after } = query
  const filter = { ...scopeOf(of, principal, clock.now()), ...span, ...given({ hookId, eventType }) }
  const page = given({ limit, before: after })
  return db.transaction(async ({ sql }) => {
    // A page filters by status and shows the status, so all its statements need one snapshot.
    await sql`set transaction isolation level repeatable read`
    return listHistory(sql, { ...filter, ...given({ resourceId, status }) }, page)
  })
}

/** One notification that the caller may see. */
export interface Asked {
  readonly of: HistoryOf
  readonly principal: Principal
  readonly notificationId: string
}

/** One notification with its latest attempts. Rejects with DELIVERY_NOT_FOUND, also for another tenant's notification. */
export async function getDelivery(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { of, principal, notificationId }: Asked,
): Promise<{ entry: HistoryEntry; attempts: Attempts } | Rejection> {
  const entry = await findHistory(db.sql, notificationId, scopeOf(of, principal, clock.now()))
  if (entry === null) return deliveryNotFound()
  return { entry, attempts: await findAttempts(db.sql, notificationId) }
}

/** The notifications of one event of an app, for each hook. Rejects with DELIVERY_NOT_FOUND, also for a TEST. */
export async function getDeliveriesOfEvent(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { appId, principal, notificationId }: { appId: string; principal: Principal; notificationId: string },
): Promise<readonly [HistoryEntry, ...HistoryEntry[]] | Rejection> {
  const scope = scopeOf({ appId }, principal, clock.now())
  const entry = await findHistory(db.sql, notificationId, scope)
  if (entry === null || entry.isTest) return deliveryNotFound()
  const [first = entry, ...others] = await findHistoryOfEvent(db.sql, notificationId, scope)
  return [first, ...others]
}

export interface Neighbours {
  readonly older?: string
  readonly newer?: string
}

/** The deliveries of the hook right before and after a delivery. */
export async function findNeighbours(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { of, principal, notificationId, hookId }: Asked & { readonly hookId: string },
): Promise<Neighbours> {
  const filter = { ...scopeOf(of, principal, clock.now()), hookId }
  return db.transaction(async ({ sql }) => {
    await sql`set transaction isolation level repeatable read`
    const { entries } = await listHistory(sql, filter, { limit: 1, before: notificationId })
    const { found } = await listIds(sql, filter, { limit: 1, after: notificationId })
    return given({ older: entries[0]?.notificationId, newer: found[0]?.notificationId })
  })
}
