import type { Sql } from '../db/db.ts'
import { errorText } from '../db/quarantine.ts'

/** What kinds of rows can stand aside: each names the loop that handles it. */
export type SetAsideKind = 'delivery' | 'redelivery'

export interface Failure {
  readonly kind: SetAsideKind
  readonly rowId: string
  readonly error: unknown
  readonly now: Date
}

/** A row whose handling threw stands aside: 1 minute, then twice as long each time, an hour at most. */
export async function recordFailure(sql: Sql, { kind, rowId, error, now }: Failure): Promise<void> {
  await recordFailures(sql, { kind, now, failures: [{ rowId, error }] })
}

/** The same for any number of rows, by one statement. */
export async function recordFailures(
  sql: Sql,
  { kind, now, failures }: { kind: SetAsideKind; now: Date; failures: readonly { rowId: string; error: unknown }[] },
): Promise<void> {
  if (failures.length === 0) return
  const errors = new Map(failures.map(({ rowId, error }) => [rowId, errorText(error)]))
  await sql`
    insert into set_aside as s (kind, row_id, failures, last_error, blocked_until)
    select ${kind}, x.row_id, 1, x.error, ${now}::timestamptz + interval '1 minute'
    from unnest(${[...errors.keys()]}::uuid[], ${[...errors.values()]}::text[]) as x (row_id, error)
    on conflict (kind, row_id) do update set
      failures = s.failures + 1,
      last_error = excluded.last_error,
      blocked_until = ${now}::timestamptz + least(interval '1 minute' * 2 ^ least(s.failures, 6), interval '1 hour')`
}

/** Which rows of a kind may not be handled now. */
export async function blockedIds(sql: Sql, { kind, now }: { kind: SetAsideKind; now: Date }): Promise<string[]> {
  const rows = await sql<{ rowId: string }[]>`
    select row_id as "rowId" from set_aside where kind = ${kind} and blocked_until > ${now}`
  return rows.map(row => row.rowId)
}

/** The rows were handled after all, or are gone: their failures are forgotten. */
export async function clearFailures(sql: Sql, kind: SetAsideKind, rowIds: readonly string[]): Promise<void> {
  if (rowIds.length === 0) return
  await sql`delete from set_aside where kind = ${kind} and row_id = any(${rowIds as string[]}::uuid[])`
}

/** At most so many that were to be tried again before then, and neither were nor failed. Returns how many. */
export async function deleteUntried(sql: Sql, before: Date, limit: number): Promise<number> {
  const deleted = await sql`
    delete from set_aside where (kind, row_id) in (
      select s.kind, s.row_id from set_aside as s where s.blocked_until <= ${before} limit ${limit}
      for update skip locked)`
  return deleted.count
}
