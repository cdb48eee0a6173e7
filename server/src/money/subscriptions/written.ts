import type { Sql } from '../../platform/db/db.ts'
import { type KeptTexts, keepTexts } from './kept-texts.ts'
import { type PagePlace, type ReadPage, readPage, readVersions, type SubscriptionFilter } from './pages.ts'
import { subscriptionJson } from './schema.ts'
import { idOfVersion, type ShownSubscription, versionOf } from './shown.ts'

/** A subscription as it stands on a page. */
export interface WrittenSubscription {
  readonly subscriptionId: string
  readonly json: string
}

/** Some 20,000 rows of 700 characters. */
const KEPT_CHARACTERS = 16_000_000

/**
 * Reads pages of subscriptions that are written already. To print a row, in PostgreSQL and here, is most of the work of a page, and a
 * row says the same until it is written again: nothing in its JSON is of another table, or of the time. So its JSON is kept by the version of the row.
 * Which rows are on a page, in which version, PostgreSQL is asked for every page: nobody is shown a row that was not just read for them,
 * nor an older state of it. The version is the number of the transaction that wrote it (`xmin`), which is never
 * that of another one as long as the server runs. Where a row is not kept, the page is read whole, of one moment.
 */
export function writtenPages(kept: KeptTexts = keepTexts(KEPT_CHARACTERS)) {
  let life = ''
  /** Of the last page all rows were kept: it is worth while to ask for no more than versions. */
  let areKept = false

  const ofThisLife = (page: ReadPage<unknown>) => {
    if (page.life === life) return
    life = page.life
    kept.forgetAll()
  }
  const write = (row: ShownSubscription): WrittenSubscription => {
    const { subscriptionId } = row
    const version = versionOf(row)
    const known = kept.find(version)
    if (known !== undefined) return { subscriptionId, json: known }
    areKept = false
    const json = subscriptionJson(row)
    kept.keep(version, json)
    return { subscriptionId, json }
  }
  const readKept = async (sql: Sql, filter: SubscriptionFilter, place: PagePlace) => {
    const page = await readVersions(sql, filter, place)
    ofThisLife(page)
    const rows: WrittenSubscription[] = []
    for (const version of page.rows) {
      const json = kept.find(version)
      if (json === undefined) return null
      rows.push({ subscriptionId: idOfVersion(version), json })
    }
    return { ...page, rows }
  }
  return async (sql: Sql, filter: SubscriptionFilter, place: PagePlace): Promise<ReadPage<WrittenSubscription>> => {
    const known = areKept ? await readKept(sql, filter, place) : null
    if (known) return known
    const page = await readPage(sql, filter, place)
    ofThisLife(page)
    if (page.rows.length > 0) areKept = true
    return { ...page, rows: page.rows.map(write) }
  }
}
