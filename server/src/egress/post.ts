import { Agent } from 'undici'
import { assert } from '../core/assert.ts'
import type { AllowedNetworks } from './addresses.ts'
import { createConnector } from './connector.ts'
import { Exchange, type PostOutcome } from './exchange.ts'
import { createResolve, type Resolve, shareQuestions } from './resolve.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** From the call to the headers of the answer: waiting for a connection, name, connecting, TLS and all. */
  readonly timeoutMs?: number
  /** How much of the answer's body is kept. */
  readonly keepBytes?: number
}

/** Sends one POST and tells what became of it. Never rejects for anything that the world does. */
export type Post = (request: PostRequest) => Promise<PostOutcome>

export interface PostOptions {
  readonly allowedNetworks: AllowedNetworks
  readonly connectionsPerOrigin?: number
  readonly resolve?: Resolve
  /** PEM. Trusted instead of the well-known authorities. */
  readonly trustedCertificates?: string
}

/** Interface, Delivery 2: "acknowledge with HTTP 200 within 2 seconds". */
const ANSWER_WITHIN_MS = 2_000
/** Decisions 7: the answer "is read to 1 KiB for the record". */
const KEEP_BYTES = 1_024
/** All that one hook can have under way, in all lanes, with a few to spare for others of its origin. */
const CONNECTIONS_PER_ORIGIN = 64
/** A dial that outlives the request it was made for holds one of the origin's connections. */
const DIAL_WITHIN_MS = 2_000
const HEADERS_AT_MOST_BYTES = 16 * 1024
/** So that a name which moved to another address is asked for again, also by a connection that is never idle. */
const REQUESTS_PER_CONNECTION = 1_000

export interface Egress {
  readonly post: Post
  close(): Promise<void>
  /** For gauges: connections that were opened since the start. Fewer than posts, as long as they are used again. */
  state(): { readonly connectionsOpened: number }
}

/** The only way out of the house. `close` waits for what is under way, which is bounded by the deadlines. */
export function createPost(options: PostOptions): Egress {
  const {
    allowedNetworks,
    connectionsPerOrigin = CONNECTIONS_PER_ORIGIN,
    resolve = createResolve(),
    trustedCertificates,
  } = options
  const agent = new Agent({
    connect: createConnector({
      allowedNetworks,
      resolve: shareQuestions(resolve),
      timeoutMs: DIAL_WITHIN_MS,
      ...(trustedCertificates === undefined ? {} : { trustedCertificates }),
    }),
    connections: connectionsPerOrigin,
    allowH2: false,
    pipelining: 1,
    maxRequestsPerClient: REQUESTS_PER_CONNECTION,
    maxHeaderSize: HEADERS_AT_MOST_BYTES,
    // An exchange keeps its own time, over all phases at once.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  let connectionsOpened = 0
  agent.on('connect', () => connectionsOpened++)
  const underWay = new Set<Promise<PostOutcome>>()
  let closed = false

  async function post(request: PostRequest): Promise<PostOutcome> {
    assert(!closed, 'post: after close')
    const outcome = send(agent, request)
    underWay.add(outcome)
    return outcome.finally(() => underWay.delete(outcome))
  }

  async function close(): Promise<void> {
    closed = true
    await Promise.all(underWay)
    await agent.destroy()
  }

  return { post, close, state: () => ({ connectionsOpened }) }
}

function send(agent: Agent, request: PostRequest): Promise<PostOutcome> {
  const { url, headers, body, timeoutMs = ANSWER_WITHIN_MS, keepBytes = KEEP_BYTES } = request
  const exchange = new Exchange({ timeoutMs, keepBytes })
  try {
    const { origin, pathname, search } = new URL(url)
    agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, exchange)
  } catch (error) {
    exchange.onResponseError(null, error instanceof Error ? error : new Error(String(error)))
  }
  return exchange.outcome
}
