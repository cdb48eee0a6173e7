import type { Clock } from '../../core/clock.ts'
import { type Principal, principalName } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { networkOf } from './caller-address.ts'
import { createRateLimiter } from './rate.ts'
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
  const addresses = createRateLimiter({ perSecond: ratePerAddress, burst: burstPerAddress }, clock)

  // Apart from the POSTs, so that who is told that a token has expired can ask for another one.
  const strangers = createRateLimiter({ perSecond: ratePerAddress, burst: burstPerAddress }, clock)

  const take = (route: Limited, principal: Principal, address: string) => {
    if (route.signed) return 0
    if (route.operation === 'public') return route.method === 'POST' ? addresses.take(networkOf(address)) : 0
    return principal.kind === 'operator' ? 0 : apps.take(callerOf(principal))
  }
  return {
    limit(route, principal, address) {
      return rejectionFor(take(route, principal, address))
    },
    limitStranger: address => rejectionFor(strangers.take(networkOf(address))),
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
