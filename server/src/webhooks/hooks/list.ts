import type { Hook } from '../../core/hook.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import { columns, FIRST_ID, type HookBounds, LAST_ID } from './store.ts'

export interface HookFilter extends HookBounds {
  /** The wire's businessId: a merchant, or the app's own organization for app-wide hooks. */
  readonly listensTo?: string
  readonly active?: boolean
}

interface Page {
  readonly limit: number
  readonly after?: string
}

/** In the order of creation. Reads one page per app, however many hooks an app has. Reads `apps`. */
export async function listHooks(sql: Sql, filter: HookFilter, page: Page): Promise<Hook[]> {
  // Looks up each hook by its key. PostgreSQL may keep the plan of a join from a time when the table was small, and read all hooks.
  const rows = await sql<RowOf<Hook>[]>`
    with found as materialized (${whichOf(filter)(sql, filter, page)})
    select ${columns(sql)} from (select f.hook_id from found as f order by f.hook_id limit ${page.limit}) as f
    cross join lateral (select h.* from hooks as h where h.hook_id = f.hook_id limit 1) as h
    order by h.hook_id`
  return rows.map(row => present(row))
}

function whichOf({ appId, organizationId, businessId, listensTo, active }: HookFilter) {
  if (businessId !== undefined || listensTo !== undefined) return ofOneMerchant
  return [appId, organizationId, active].every(asked => asked === undefined) ? ofAll : ofApps
}

/**
 * Reads all hooks of the merchant, because they are few, in the order of the index by merchant. With another order or none, PostgreSQL may choose
 * another index and read the hooks of all other merchants.
 */
const ofOneMerchant = (sql: Sql, { businessId, listensTo, active, ...bounds }: HookFilter, { after }: Page) => {
  const own = businessId ?? listensTo ?? null
  return sql`
    select h.hook_id from (${apps(sql, bounds)}) as a
    cross join lateral (
      (select h.hook_id, h.active from hooks as h
      where h.app_id = a.app_id and h.business_id = ${own} and ${listensTo === undefined || listensTo === own}
      order by h.fingerprint)
      union all
      (select h.hook_id, h.active from hooks as h
      where h.app_id = a.app_id and h.business_id is null and ${businessId === undefined} and a.organization_id = ${own}
      order by h.fingerprint)) as h
    where true ${active === undefined ? sql`` : sql`and h.active = ${active}`}
      ${after === undefined ? sql`` : sql`and h.hook_id > ${after}`}`
}

/**
 * For each app, one page of active hooks and one page of inactive hooks, because the index has a part for each. The row comparison and the
 * order use every column of the index, so PostgreSQL always chooses this index.
 */
const ofApps = (sql: Sql, { active, ...bounds }: HookFilter, { limit, after = FIRST_ID }: Page) => sql`
  select h.hook_id from (${apps(sql, bounds)}) as a
  cross join unnest(${active === undefined ? ['true', 'false'] : [String(active)]}::text[]::boolean[]) as x (active)
  cross join lateral (
    select h.hook_id from hooks as h
    where (h.active, h.app_id, h.hook_id) > (x.active, a.app_id, ${after}::uuid)
      and (h.active, h.app_id, h.hook_id) <= (x.active, a.app_id, ${LAST_ID}::uuid)
    order by h.active, h.app_id, h.hook_id
    limit ${limit}) as h`

const ofAll = (sql: Sql, _: HookFilter, { limit, after = FIRST_ID }: Page) => sql`
  select h.hook_id from hooks as h where h.hook_id > ${after} order by h.hook_id limit ${limit}`

const apps = (sql: Sql, { appId, organizationId }: HookBounds) => sql`
  select a.app_id, a.organization_id from apps as a
  where true ${appId === undefined ? sql`` : sql`and a.app_id = ${appId}`}
    ${organizationId === undefined ? sql`` : sql`and a.organization_id = ${organizationId}`}`

/** Hooks by id, of all apps. */
export async function findHooks(sql: Sql, hookIds: readonly string[]): Promise<Map<string, Hook>> {
  const rows = await sql<RowOf<Hook>[]>`
    select ${columns(sql)} from hooks as h where h.hook_id = any(${hookIds as string[]}::uuid[])`
  return new Map(rows.map(row => [row.hookId, present(row)]))
}
