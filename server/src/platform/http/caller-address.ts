import ipaddr from 'ipaddr.js'
import { type AllowedNetworks, isWithin } from '../egress/addresses.ts'

/**
 * Whose word is taken about where a request came from (`X-Forwarded-For`): that of the operator's own proxies, and of nobody
 * else, or a guesser would be somebody else each time. Without it all who come through a proxy would be slowed down as one.
 */
export function trustIn(proxies: AllowedNetworks): false | ((address: string) => boolean) {
  if (proxies.length === 0) return false
  return address => ipaddr.isValid(address) && isWithin(proxies, ipaddr.process(address).toString())
}

/**
 * The networks that a caller's address is throttled by, the smallest first. One IPv6 host has all addresses of a /64 (RFC 4291, 2.5.4),
 * and one site often has all networks of a /48 (RFC 6177).
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  if (!ipaddr.isValid(address)) return [address]
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return [parsed.toString()]
  const prefix = (parts: number) => parsed.parts.slice(0, parts).map(part => part.toString(16))
  return [`${prefix(4).join(':')}::/64`, `${prefix(3).join(':')}::/48`]
}
