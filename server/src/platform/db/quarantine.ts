import type { Sql } from './db.ts'

/*
 * A row whose handling threw is quarantined: its columns `failures` and `last_error` say so, and the row is retried after 1 minute, then twice
 * as long each time, an hour at most. Handling the row clears the columns.
 */

const MAX_ERROR_LENGTH = 500

/** The next retry of a failed row, by its column `failures` before this failure. */
export const retryTime = (sql: Sql, now: Date) =>
  sql`${now}::timestamptz + least(interval '1 minute' * 2 ^ least(failures, 6), interval '1 hour')`

/** An error as a value of a `text` column: shortened, without NUL and without halves of surrogate pairs. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, MAX_ERROR_LENGTH).replaceAll('\0', '\ufffd').toWellFormed()
}
