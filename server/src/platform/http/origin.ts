import type { IncomingHttpHeaders } from 'node:http'

/** The addresses that people open pages at. */
export interface Served {
  readonly baseUrl: string
  readonly billingUrl: string
}

/** Over TLS, as browsers see it: a proxy in front of us may end it. */
export function isSecure({ baseUrl }: Served): boolean {
  return baseUrl.startsWith('https:')
}

/**
 * Whether a posted form comes from a page of ours, as far as the browser says. Browsers say so in one header or both, and no
 * page can make them lie; who sends neither is no browser, and the form's token decides alone.
 */
export function isFromOurPage(headers: IncomingHttpHeaders, served: Served): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  if (originsOf(served).includes(origin)) return true
  // Without TLS a machine is tried out under names that no setting knows (localhost); the request itself tells which.
  return !isSecure(served) && URL.parse(origin)?.host === host && origin.startsWith('http:')
}

function originsOf({ baseUrl, billingUrl }: Served): string[] {
  return [new URL(baseUrl).origin, new URL(billingUrl).origin]
}
