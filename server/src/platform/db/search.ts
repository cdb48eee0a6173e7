import type postgres from 'postgres'
import type { Search } from '../../core/search.ts'
import type { Sql } from './db.ts'

/** A condition: the row has the id, or each word begins one of the row's `words`, an expression that a GIN index stores. */
export function matching(sql: Sql, search: Search, row: { readonly id: string; readonly words: postgres.Fragment }) {
  if ('id' in search) return sql`${sql(row.id)} = ${search.id}`
  // The words contain no quote and no backslash: core/search.ts splits at punctuation.
  const prefixes = search.words.map(word => `'${word}':*`).join(' & ')
  return sql`${row.words} @@ to_tsquery('simple', ${prefixes})`
}
