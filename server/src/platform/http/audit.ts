import type { Principal } from '../../core/principal.ts'
import type { Operation } from '../../core/rights.ts'
import type { Db } from '../db/db.ts'
import { together } from '../db/together.ts'

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
        // Sent first, and so said before anything is changed; waiting for it would cost a way to the database.
        const [, result] = await together([auditor.attribute(tx, act), work(tx)])
        return result
      }),
  }
}
