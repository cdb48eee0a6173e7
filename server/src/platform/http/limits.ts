import type { Clock } from '../../core/clock.ts'
import { type Principal, principalName } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { networksOf } from './caller-address.ts'
import { createRateLimiter, type Rate } from './rate.ts'
import type { AnyRoute } from './route.ts'

/** Decisions 1: "429 past an app's rate (in memory, per process; default 100/s, burst 200; a setting)". */
export interface Limits {
  readonly ratePerApp: number
  readonly burstPerApp: number
  /** For a POST that needs no token, such as /token, and for tokens and signatures that are refused: there the address is all that is known. */
  readonly ratePerAddress: number
  readonly burstPerAddress: number
}

type Limited = Pick<AnyRoute, 'method' | 'operation' | 'signed'>

export interface Limiter {
  limit(route: Limited, principal: Principal, address: string): Rejection | null
  /** Of somebody whose token or signature was refused. */
  limitStranger(address: string): Rejection | null
}

/** Where only a rate is set, its burst is two seconds of it. */
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

/** An app has one rate, whatever businesses its tokens name. */
function callerOf(principal: Principal): string {
  return principal.kind === 'app' ? `app:${principal.appId}` : principalName(principal)
}
