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

/** Who is counted as one. RFC 4291, 2.5.4: a network of IPv6 has 64 bits for its hosts, and whoever has one has all of them. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
