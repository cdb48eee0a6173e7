import type { Sql } from '../../platform/db/db.ts'

/** Something that must never be, in a row that can be found by its id. */
export interface Violation {
  readonly id: string
  readonly problem: string
}

export interface Bounds {
  /** At most so many violations: a sample is enough to begin with. */
  readonly limit: number
  /** Real time. */
  readonly now: Date
  /** How long something may be due before it counts as forgotten. */
  readonly overdueMs: number
}

/** One invariant of the books: a reading statement that finds what breaks it. */
export interface Checker {
  /** What it holds, in one sentence. */
  readonly holds: string
  find(sql: Sql, bounds: Bounds): Promise<readonly Violation[]>
}
