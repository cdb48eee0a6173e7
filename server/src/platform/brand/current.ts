import { type Brand, DEFAULT_BRAND } from '../../core/brand.ts'
import type { Db } from '../db/db.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { findBrand } from './store.ts'

/** The brand of the pages of this process. */
export interface CurrentBrand {
  /** The brand of the last reading. */
  readonly known: Brand
  /** Reads the brand, unless the last reading is young enough. Keeps the known brand while the database is unavailable. */
  refresh(): Promise<Brand>
  /** After a change in this process. */
  forget(): void
}

/** The longest time until another process shows a change. */
const READ_EACH_MS = 2_000

export function createCurrentBrand({ db }: { readonly db: Db }): CurrentBrand {
  let known = DEFAULT_BRAND
  let readAtMs = Number.NEGATIVE_INFINITY
  return {
    get known() {
      return known
    },
    async refresh() {
      // Real time, so that a test's clock does not stop the reading.
      const nowMs = performance.now()
      if (nowMs - readAtMs < READ_EACH_MS) return known
      readAtMs = nowMs
      try {
        known = await findBrand(db.sql)
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
      }
      return known
    },
    forget() {
      readAtMs = Number.NEGATIVE_INFINITY
    },
  }
}

/** For a server whose pages have no database. */
export const defaultBrand: CurrentBrand = {
  known: DEFAULT_BRAND,
  refresh: async () => DEFAULT_BRAND,
  forget: () => {},
}
