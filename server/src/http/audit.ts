import type { Principal } from '../core/principal.ts'
import type { Operation } from '../core/rights.ts'
import type { Db } from '../db/db.ts'

/** Filled by `audit` in app.ts: http knows that what a request changes is recorded, not how. */
export interface Auditor {
  /** Says whose act the rest of the transaction is: each row that it changes is recorded with it. */
  attribute(tx: Db, act: Act): Promise<void>
}

/** Who does what. */
export interface Act {
  readonly principal: Principal
  readonly operation: Operation
  readonly method: string
  /** The route's, with the names of its parameters. */
  readonly path: string
  readonly requestId: string
}

/** A database whose transactions are all parts of one act. A statement outside of them is nobody's, and unrecorded. */
export function attributed(db: Db, auditor: Auditor, act: Act): Db {
  return {
    get sql() {
      return db.sql
    },
    transaction: work =>
      db.transaction(async tx => {
        await auditor.attribute(tx, act)
        return work(tx)
      }),
  }
}
