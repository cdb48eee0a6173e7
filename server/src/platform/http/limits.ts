import ipaddr from 'ipaddr.js'
import type { Clock } from '../../core/clock.ts'
import { type Principal, principalName } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { type AllowedNetworks, isWithin } from '../egress/addresses.ts'
import type { AnyRoute } from './route.ts'

/** Decisions 1: "429 past an app's rate (in memory, per process; default 100/s, burst 200; a setting)". */
export interface Limits {
  readonly ratePerApp: number
  readonly burstPerApp: number
  /** For a POST without a token, such as /token, and for rejected tokens and signatures: only the address is known. */
  readonly ratePerAddress: number
  readonly burstPerAddress: number
}

type Limited = Pick<AnyRoute, 'method' | 'operation' | 'signed'>

interface Limiter {
  limit(route: Limited, principal: Principal, address: string): Rejection | null
  /** Limits callers with a rejected token or signature. */
  limitStranger(address: string): Rejection | null
}

/** The default burst is two seconds of the rate. */
export function createLimiter(limits: Partial<Limits>, clock: Clock): Limiter {
  const { ratePerApp = 100, ratePerAddress = 20 } = limits
  const { burstPerApp = 2 * ratePerApp, burstPerAddress = 2 * ratePerAddress } = limits
  const apps = createRateLimiter({ perSecond: ratePerApp, burst: burstPerApp }, clock)
  const perAddress = { perSecond: ratePerAddress, burst: burstPerAddress }
  const takeForPost = limitByAddress(perAddress, clock)
  // Counted apart from the POSTs: a caller whose token has expired can still ask for a new one.
  const takeForStranger = limitByAddress(perAddress, clock)

  const take = (route: Limited, principal: Principal, address: string) => {
    if (route.signed) return 0
    if (route.operation === 'public') return route.method === 'POST' ? takeForPost(address) : 0
    return principal.kind === 'operator' ? 0 : apps.take(callerOf(principal))
  }
  return {
    limit(route, principal, address) {
      return rejectionFor(take(route, principal, address))
    },
    limitStranger: address => rejectionFor(takeForStranger(address)),
  }
}

/** How many times the rate of a /64 all networks of its /48 have together. */
const SITE_FACTOR = 4

function limitByAddress(rate: Rate, clock: Clock): (address: string) => number {
  const networks = createRateLimiter(rate, clock)
  const sites = createRateLimiter({ perSecond: SITE_FACTOR * rate.perSecond, burst: SITE_FACTOR * rate.burst }, clock)
  return address => {
    const [network, site] = networksOf(address)
    return networks.take(network) || (site === undefined ? 0 : sites.take(site))
  }
}

function rejectionFor(seconds: number): Rejection | null {
  if (seconds === 0) return null
  return reject('TOO_MANY_REQUESTS', `Slow down, and repeat after ${seconds} s.`, { retryAfterSeconds: seconds })
}

/** An app has one rate across all businesses that its tokens name. */
function callerOf(principal: Principal): string {
  return principal.kind === 'app' ? `app:${principal.appId}` : principalName(principal)
}

/** One token bucket per caller, in this process. */
export interface RateLimiter {
  /** Takes one token. Returns 0, or the whole seconds until the next token. */
  take(key: string): number
}

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

/** About 10 MB of buckets. Past it the caller seen longest ago is forgotten: a flood of callers costs no memory. */
const MAX_BUCKETS = 50_000

export function createRateLimiter(
  { perSecond, burst }: Rate,
  clock: Clock,
  maxBuckets = MAX_BUCKETS,
): RateLimiter & { readonly size: number } {
  /** Longest unseen first: a bucket is put back at the end at each use. */
  const buckets = new Map<string, Bucket>()
  const tokensAt = (bucket: Bucket, nowMs: number) =>
    Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1000)

  /**
   * Removes full buckets, because a full bucket equals a new one. Each new bucket removes up to two, so idle buckets leave faster than new ones
   * arrive.
   */
  const forgetIdle = (nowMs: number) => {
    for (let forgotten = 0; forgotten < 2; forgotten++) {
      const [oldest] = buckets
      if (oldest === undefined) return
      if (buckets.size <= maxBuckets && tokensAt(oldest[1], nowMs) < burst) return
      buckets.delete(oldest[0])
    }
  }

  return {
    take(key) {
      const nowMs = clock.now().getTime()
      const bucket = buckets.get(key)
      const tokens = bucket === undefined ? burst : tokensAt(bucket, nowMs)
      buckets.delete(key)
      const left = tokens >= 1 ? tokens - 1 : tokens
      buckets.set(key, { tokens: left, atMs: nowMs })
      forgetIdle(nowMs)
      return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond))
    },
    get size() {
      return buckets.size
    },
  }
}

/**
 * Trusts `X-Forwarded-For` from the operator's proxies only; otherwise an attacker could claim a new address for each request. Without
 * this setting all clients behind a proxy share one limit.
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
