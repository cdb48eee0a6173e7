/** Longer than any address of a page of ours with its query: an app's context takes at most 7,000 of it. */
const MAX_PATH = 8_000

/**
 * A path of this service, to go on to after something else; null for whatever a browser could take for another site's address:
 * `//evil.example`, `/\evil.example`, `https:…`, a tab or a line end inside, which browsers drop.
 */
export function ownPath(text: string | undefined): string | null {
  if (text === undefined || text.length > MAX_PATH) return null
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null
  const url = URL.parse(text, 'http://own.invalid')
  if (url === null || url.host !== 'own.invalid') return null
  // Once more: dots are resolved by now, as in /.//evil.example.
  const path = `${url.pathname}${url.search}`
  return path.startsWith('//') ? null : path
}
