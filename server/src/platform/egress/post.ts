import { assert } from '../../core/assert.ts'
import { createUnderWay } from '../under-way.ts'
import type { AllowedNetworks } from './addresses.ts'
import { createConnector } from './connector.ts'
import { Exchange, type PostOutcome } from './exchange.ts'
import { createPools, type Pools, type PoolsState } from './pools.ts'
import { createResolve, type Resolve, shareQuestions } from './resolve.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** Requests of one sharer reuse only this sharer's connections. The id of a hook. */
  readonly sharer?: string
  /** From the call to the headers of the answer, including the wait for a connection, the name look-up, the dial and TLS. */
  readonly timeoutMs?: number
  /** How much of the answer's body is kept. */
  readonly keepBytes?: number
}

/** Sends one POST and reports its outcome. Never rejects because of the other side or the network. */
export type Post = (request: PostRequest) => Promise<PostOutcome>

export interface PostOptions {
  readonly allowedNetworks: AllowedNetworks
  /** Connections of one sharer to one origin; and in total. */
  readonly connectionsPerPool?: number
  readonly connectionsAtMost?: number
  readonly resolve?: Resolve
  /** PEM. Trusted instead of the well-known authorities. */
  readonly trustedCertificates?: string
}

/** Interface, Delivery 2: "acknowledge with HTTP 200 within 2 seconds". */
const ANSWER_WITHIN_MS = 2_000
/** Decisions 7: the answer "is read to 1 KiB for the record". */
const KEEP_BYTES = 1_024
/** A hook's maximum of concurrent attempts, plus spare connections for dials that outlive their requests. */
const CONNECTIONS_PER_POOL = 64
/** Twice the attempts that can be under way in a process, so that idle connections stay open beside a full load of attempts. */
const CONNECTIONS_AT_MOST = 2_048
const DIAL_WITHIN_MS = 2_000
const HEADERS_AT_MOST_BYTES = 16 * 1024
/**
 * Longer than undici's default of 4 s: a hook with one event every 5 s would open a connection for each. A shorter `Keep-Alive` of the listener wins.
 * A listener that hangs up earlier costs its next request a second attempt.
 */
const IDLE_MS = 60_000
/** Ensures that a busy connection follows a name to its new address. */
const REQUESTS_PER_CONNECTION = 1_000

export interface Egress {
  readonly post: Post
  close(): Promise<void>
  /** For gauges. */
  state(): PoolsState
}

/** The only way by which Tillhook calls addresses that developers chose. `close` waits for open requests, which end by their deadlines. */
export function createPost(options: PostOptions): Egress {
  const {
    allowedNetworks,
    connectionsPerPool = CONNECTIONS_PER_POOL,
    connectionsAtMost = CONNECTIONS_AT_MOST,
    resolve = createResolve(),
    trustedCertificates,
  } = options
  const pools = createPools({
    atMost: connectionsAtMost,
    ofEach: {
      connect: createConnector({
        allowedNetworks,
        resolve: shareQuestions(resolve),
        timeoutMs: DIAL_WITHIN_MS,
        ...(trustedCertificates === undefined ? {} : { trustedCertificates }),
      }),
      connections: connectionsPerPool,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxRequestsPerClient: REQUESTS_PER_CONNECTION,
      maxHeaderSize: HEADERS_AT_MOST_BYTES,
      // An exchange keeps its own time, over all phases at once.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
  })
  const underWay = createUnderWay()
  let closed = false

  async function post(request: PostRequest): Promise<PostOutcome> {
    assert(!closed, 'post: after close')
    return underWay.add(send(pools, request))
  }

  async function close(): Promise<void> {
    closed = true
    await underWay.allEnded()
    await pools.destroy()
  }

  return { post, close, state: pools.state }
}

/**
 * The listener may have closed a reused connection a moment ago, which says nothing about the health of the listener. If a reused connection
 * closes before any byte of a response, the request is sent once more, on a new connection and within the same time.
 */
function send(pools: Pools, request: PostRequest): Promise<PostOutcome> {
  const { url, headers, body, sharer = '', timeoutMs = ANSWER_WITHIN_MS, keepBytes = KEEP_BYTES } = request
  const exchange = new Exchange({ timeoutMs, keepBytes })
  try {
    const { origin, pathname, search } = new URL(url)
    const options = { origin, path: pathname + search, method: 'POST', headers, body } as const
    const pool = pools.of(sharer, origin)
    if (pool.stats.free > 0) exchange.repeatIfHungUp(() => pools.anew(sharer, origin, pool).dispatch(options, exchange))
    pool.dispatch(options, exchange)
  } catch (error) {
    exchange.onResponseError(null, error instanceof Error ? error : new Error(String(error)))
  }
  return exchange.outcome
}
