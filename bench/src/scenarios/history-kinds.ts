import { addDays } from '../../../server/src/core/calendar.ts'
import { firstIdAt } from '../../../server/src/core/id.ts'
import type { Sql } from '../../../server/src/platform/db/db.ts'
import type { HistoryFilter } from '../../../server/src/webhooks/notifications/scope.ts'
import { app, business, DEAD_HOOK, hook, RARE, START } from './history-fill.ts'

/** The largest page size. */
export const LIMIT = 100
const NEVER = 'APPLICATION_SUBSCRIPTION_TRANSFERRED'

/** One way to ask for a page. */
export interface Kind {
  readonly name: string
  /** Without `since`, which the caller adds. */
  readonly filter: Omit<HistoryFilter, 'since'>
  /** The last row of the previous page. */
  readonly before?: string
}

/** Every combination of owner, filter and position (the beginning, or fifteen days back). */
export async function kindsOf(sql: Sql, until: Date): Promise<Kind[]> {
  const middle = addDays(until, -15)
  const filters = Object.entries(filtersOf(await someResource(sql), middle))
  return Object.entries(SCOPES).flatMap(([of, scope]) =>
    filters.flatMap(([by, filter]) => [
      { name: `${of}, ${by}`, filter: { ...scope, ...filter } },
      { name: `${of}, ${by}, deep`, filter: { ...scope, ...filter }, before: firstIdAt(middle) },
    ]),
  )
}

const SCOPES: Record<string, Pick<HistoryFilter, 'appId' | 'businessId'>> = {
  'the largest app': { appId: app(0) },
  'an app beside a long queue': { appId: app(3) },
  'an app with a long queue': { appId: app(1) },
  'the largest merchant': { businessId: business(0) },
  'a middling merchant': { businessId: business(500) },
  'the largest app and merchant': { appId: app(0), businessId: business(0) },
}

async function someResource(sql: Sql): Promise<string> {
  const [some] = await sql<{ resourceId: string }[]>`
    select resource_id as "resourceId" from notifications where app_id = ${app(0)} and business_id = ${business(0)} limit 1`
  return some?.resourceId ?? ''
}

function filtersOf(resourceId: string, middle: Date): Record<string, Partial<HistoryFilter>> {
  const span = { startAt: addDays(middle, -1), endAt: middle }
  return {
    'no filter': {},
    'a day in the middle': span,
    'a hook': { hookId: hook(0, 0) },
    'a type': { eventType: START },
    'a rare type': { eventType: RARE },
    'a type that never was': { eventType: NEVER },
    'a resource': { resourceId },
    SCHEDULED: { status: 'SCHEDULED' },
    ERRORED_RETRYING: { status: 'ERRORED_RETRYING' },
    DELIVERED: { status: 'DELIVERED' },
    ERRORED: { status: 'ERRORED' },
    'a hook and a rare type': { hookId: hook(0, 0), eventType: RARE },
    'a hook and ERRORED': { hookId: hook(0, 0), status: 'ERRORED' },
    'a dead hook and DELIVERED': { hookId: DEAD_HOOK, status: 'DELIVERED' },
    'a rare type and SCHEDULED': { eventType: RARE, status: 'SCHEDULED' },
    'a rare type and DELIVERED': { eventType: RARE, status: 'DELIVERED' },
    'a rare type and ERRORED': { eventType: RARE, status: 'ERRORED' },
    'a resource and ERRORED': { resourceId, status: 'ERRORED' },
    'a day, a hook, a type, DELIVERED': { ...span, hookId: hook(0, 0), eventType: START, status: 'DELIVERED' },
    'a day, a rare type, ERRORED': { ...span, eventType: RARE, status: 'ERRORED' },
    'a hook, a type, SCHEDULED': { hookId: hook(0, 0), eventType: START, status: 'SCHEDULED' },
  }
}
