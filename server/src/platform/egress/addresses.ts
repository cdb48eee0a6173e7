import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Networks that may be dialled although they are not public. From `TILLHOOK_ALLOWED_NETWORKS`. */
export type AllowedNetworks = readonly Network[]

/** The first address of a network and the length of its prefix. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** All public unicast of IPv6. Everything else is special or unassigned, including `::a.b.c.d`. RFC 4291, 2.4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure's platform serves agent settings and keys to every machine at this address, although its range is public. */
const PLATFORM_OF_AZURE = '168.63.129.16'
/** RFC 5214, 6.1: an interface of `[02]00:5efe` and an IPv4 address, behind any prefix, tunnels to that address. */
const ISATAP = { first: [0x0000, 0x0200], second: 0x5efe }

/** True for a public address and for an address in a network that the operator allows. */
export function mayDial(ip: string, allowed: AllowedNetworks): boolean {
  return isPublicAddress(ip) || isWithin(allowed, ip)
}

export function isWithin(networks: readonly Network[], ip: string): boolean {
  return networks.some(network => contains(network, ip))
}

/**
 * True for public unicast only. IPv6 ranges that carry an IPv4 address (mapped, NAT64, 6to4, Teredo) and ISATAP interfaces are rejected as
 * a whole, because the local network decides whether they reach a private address. An address in an unusual spelling is not public.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0) return false
  const address = ipaddr.parse(ip)
  if (address instanceof ipaddr.IPv6 && (!address.match(GLOBAL_UNICAST) || isIsatap(address))) return false
  return address.range() === 'unicast' && ip !== PLATFORM_OF_AZURE
}

/**
 * Parses CIDRs separated by commas or spaces; an address without a prefix is a network of one address. Throws an Error that names an invalid
 * entry.
 */
export function parseNetworks(text: string): AllowedNetworks {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseNetwork)
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ISATAP.first.includes(parts[4] ?? 0) && parts[5] === ISATAP.second
}

function contains([first, prefixLength]: Network, ip: string): boolean {
  if (isIP(ip) === 0) return false
  const address = ipaddr.parse(ip)
  return address.kind() === first.kind() && address.match(first, prefixLength)
}

function parseNetwork(text: string): Network {
  const [address = '', prefix, more] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  const prefixLength = prefix === undefined ? bits : Number(prefix)
  const plain = prefix === undefined || /^\d{1,3}$/.test(prefix)
  if (isIP(address) === 0 || !plain || prefixLength > bits || more !== undefined) {
    throw new Error(`"${text}" is not a network in CIDR notation, such as 10.0.0.0/8 or fd00::/8`)
  }
  return [ipaddr.parse(address), prefixLength]
}
