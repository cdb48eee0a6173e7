import type { Clock } from '../../core/clock.ts'

/** A token bucket for each caller, in this process. */
export interface RateLimiter {
  /** Takes one token. 0: go ahead; else the whole seconds after which there is one again. */
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

  /** A full bucket is no other than none. Two for each one made, so that idle ones leave faster than others come. */
  const forgetIdle = (nowMs: number) => {
    for (let tries = 0; tries < 2; tries++) {
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
