import { UUID } from './id.ts'
import { type Rejection, rejectField } from './rejection.ts'

/** A parsed `q`: the id of one resource, or words that each begin a word of the resource's name, e-mail or package name. */
export type Search = { readonly id: string } | { readonly words: readonly string[] }

export const MAX_SEARCH_LENGTH = 200
const MAX_WORDS = 10

const ASCII_PUNCTUATION_OR_SPACE = /[\s!-/:-@[-`{-~]+/

/** Parses `q` of a query. Punctuation separates words, as in the function `search_words` of the database. */
export function parseSearch(q: string): Search | Rejection {
  const id = q.trim().replace(/^urn:[at]id:/i, '')
  if (UUID.test(id)) return { id: id.toLowerCase() }
  const words = q.split(ASCII_PUNCTUATION_OR_SPACE).filter(word => word !== '')
  if (words.length === 0) return rejectField('q', 'must contain a letter or a digit')
  return { words: words.slice(0, MAX_WORDS) }
}
