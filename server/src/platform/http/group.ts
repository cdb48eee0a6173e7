import { assert } from '../../core/assert.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Db } from '../db/db.ts'
import { gather } from '../db/sql.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { Idempotency, KeyedRequest } from './ports.ts'
import type { Answer, AnyRoute, Call } from './route.ts'
import type { WireAnswer } from './send.ts'

/** Answers a request of a route with `handleGroup`, together with the concurrent requests of that route. */
export type Grouping = (route: AnyRoute, request: GroupedRequest) => Promise<WireAnswer | Rejection>

interface GroupedRequest {
  readonly call: Call<unknown, unknown, unknown>
  /** Null: sent without an idempotency key. */
  readonly keyed: KeyedRequest | null
  readonly write: (result: Answer | Rejection) => WireAnswer
}

/** Bounds the locks and the length of a transaction. Larger groups cost the same per request. */
const MAX_GROUP = 100

/** One group commits while the next one is written. */
const GROUPS_AT_ONCE = 2

/**
 * Group commit: requests that arrive while two groups are under way are the next group, written in one transaction. A lone request does
 * not wait.
 */
export function createGrouping(idempotency: Idempotency): Grouping {
  type Submitted = GroupedRequest & { readonly place: string }
  const groups = new Map<AnyRoute, (request: Submitted) => Promise<Settled | undefined>>()
  let submitted = 0
  const groupOf = (route: AnyRoute) => {
    const runAll = async (requests: readonly Submitted[]) => {
      const settled = await runInGroups(idempotency, requests, (db, group) => handleGroup(route, db, group))
      return new Map(requests.map(({ place }, index) => [place, settled[index] as Settled]))
    }
    return gather(runAll, ({ place }) => place, GROUPS_AT_ONCE)
  }
  return async (route, request) => {
    const submit = groups.get(route) ?? groupOf(route)
    groups.set(route, submit)
    // Two requests with one key are two requests: the key does not name the request.
    const settled = await submit({ ...request, place: String(submitted++) })
    assert(settled, 'a grouped request without its answer')
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
}

async function handleGroup(route: AnyRoute, db: Db, requests: readonly GroupedRequest[]): Promise<WireAnswer[]> {
  assert(route.handleGroup, 'only routes with handleGroup are grouped')
  const calls = requests.map(({ call }) => call)
  const results = await route.handleGroup(db, calls)
  return requests.map(({ write }, index) => {
    const result = results[index]
    assert(result, 'handleGroup returns one result per call')
    return write(result)
  })
}

type Settled = PromiseSettledResult<WireAnswer | Rejection>

/**
 * Writes units in order, a group in one transaction. If a group fails, each of its units runs again in a transaction of its own, so an
 * error belongs to its unit alone. While the database is unavailable every unit fails.
 */
export async function runInGroups<Unit extends { readonly keyed: KeyedRequest | null }>(
  idempotency: Idempotency,
  units: readonly Unit[],
  work: (db: Db, units: readonly Unit[]) => Promise<readonly WireAnswer[]>,
): Promise<Settled[]> {
  const run = (group: readonly Unit[]) =>
    idempotency.onceEach(
      group.map(({ keyed }) => keyed),
      (db, asked) =>
        work(
          db,
          asked.flatMap(index => group[index] ?? []),
        ),
    )
  const settle = async (group: readonly Unit[]): Promise<Settled[]> => {
    try {
      const values = await run(group)
      return values.map(value => ({ status: 'fulfilled', value }))
    } catch (error) {
      const reason: unknown = error
      if (group.length === 1 || isDatabaseUnavailable(error)) return group.map(() => ({ status: 'rejected', reason }))
      const settled: Settled[] = []
      for (const unit of group) settled.push(...(await settle([unit])))
      return settled
    }
  }
  const settled: Settled[] = []
  for (let first = 0; first < units.length; first += MAX_GROUP) {
    settled.push(...(await settle(units.slice(first, first + MAX_GROUP))))
  }
  return settled
}
