import { isIP } from 'node:net'
import { type AllowedNetworks, mayDial } from './addresses.ts'

export interface DeliveryUrlRules {
  readonly allowedNetworks: AllowedNetworks
  readonly requireHttps: boolean
}

/** Decisions 7: "http(s), no credentials, ≤ 2048 characters". */
const MAX_URL_LENGTH = 2_048

/**
 * The developer's explanation of why this text is not a delivery URL, or null. Names are checked at every dial, because their addresses
 * change.
 */
export function rejectDeliveryUrl(text: string, { allowedNetworks, requireHttps }: DeliveryUrlRules): string | null {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`
  // The URL parser repairs blanks, backslashes and missing slashes; later readers of the text may not.
  const url = /^https?:\/\/[^\s\\/][^\s\\]*$/i.test(text) ? URL.parse(text) : null
  if (url === null) return 'must be an absolute http or https URL'
  if (requireHttps && url.protocol !== 'https:') return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password'
  if (url.port === '0') return 'must not have the port 0'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isLoopback(host) && !loopbackAllowed(allowedNetworks)) return NO_LOOPBACK
  if (isIP(host) !== 0 && !mayDial(host, allowedNetworks)) {
    return 'must not point to an address that is not public; the operator allows networks with TILLHOOK_ALLOWED_NETWORKS'
  }
  return null
}

const NO_LOOPBACK =
  'must not point to localhost, which is not public: forward webhooks to your machine with `tillhook listen`, or let the operator set TILLHOOK_ALLOWED_NETWORKS=127.0.0.0/8,::1/128'

/** RFC 6761, 6.3: `localhost` and all names below it are loopback. */
function isLoopback(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host) || /^127\./.test(host) || host === '::1'
}

function loopbackAllowed(allowed: AllowedNetworks): boolean {
  return mayDial('127.0.0.1', allowed) || mayDial('::1', allowed)
}
