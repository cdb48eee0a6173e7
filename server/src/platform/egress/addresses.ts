import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Networks that may be dialled although they are not public. From `TILLHOOK_ALLOWED_NETWORKS`. */
export type AllowedNetworks = readonly Network[]

/** The first address of a network and the length of its prefix. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** All public unicast of IPv6. What is outside is special or not assigned, `::a.b.c.d` among it. RFC 4291, 2.4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure's platform answers every machine in it here, with its agents' settings and keys, at an address that is public by its range. */
const PLATFORM_OF_AZURE = '168.63.129.16'
/** RFC 5214, 6.1: an interface of `[02]00:5efe` and an IPv4 address, behind any prefix, tunnels to that address. */
const ISATAP = { first: [0x0000, 0x0200], second: 0x5efe }

/** May we connect to this address? Only a public one, or one of a network that the operator named. */
export function mayDial(ip: string, allowed: AllowedNetworks): boolean {
  return isPublicAddress(ip) || isWithin(allowed, ip)
}

export function isWithin(networks: readonly Network[], ip: string): boolean {
  return networks.some(network => contains(network, ip))
}

/**
 * True for public unicast only. Ranges that carry an IPv4 address within an IPv6 one (mapped, NAT64, 6to4, Teredo) are
 * refused wholly, and so are ISATAP's interfaces: whether they reach something private depends on the network that we stand
 * in. What is no address in its plain spelling is not public, so that nobody else can read it otherwise.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0) return false
  const address = ipaddr.parse(ip)
  if (address instanceof ipaddr.IPv6 && (!address.match(GLOBAL_UNICAST) || isIsatap(address))) return false
  return address.range() === 'unicast' && ip !== PLATFORM_OF_AZURE
}

/** Reads CIDRs parted by commas or blanks; a bare address is a network of one. Throws an Error naming a wrong one. */
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
