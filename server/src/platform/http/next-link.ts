import type { Slice } from '../../core/page.ts'

/** The link to the next part of a list: the same filter with another cursor. No link follows the last part. */
export function nextLinks(
  url: string,
  filter: Readonly<Record<string, string>>,
  { limit }: Slice,
  next: string | undefined,
): { href: string; rel: string; method: string }[] {
  if (next === undefined) return []
  const query = new URLSearchParams({ ...filter, limit: String(limit), after: next })
  return [{ href: `${url}?${query}`, rel: 'next', method: 'GET' }]
}
