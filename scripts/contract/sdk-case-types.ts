/** A response by script. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or text as it stands. */
  readonly body?: unknown
  /** Ends the connection without a response. */
  readonly hangUp?: true
}

export interface CallCase {
  readonly name: string
  /** `app`: the client signs assertions. `token`: the client sends the token `t0`. */
  readonly as: 'app' | 'token'
  readonly retries?: number
  readonly call: {
    readonly operation: string
    readonly params?: Readonly<Record<string, unknown>>
    readonly body?: unknown
    readonly idempotencyKey?: string
    /** Walks all pages. */
    readonly each?: true
  }
  /** The responses to all requests but those for tokens, in order. */
  readonly replies: readonly Reply[]
  /** The responses to the first requests for tokens. Afterwards the tokens t1, t2, … are issued. */
  readonly tokenReplies?: readonly Reply[]
  readonly expiresIn?: number
  /** The server's clock; an assertion that is a minute off is rejected. */
  readonly serverSecondsAhead?: number
  readonly expect: {
    /** Without the requests for tokens. `path` is decoded segment by segment. */
    readonly requests: readonly {
      readonly method: string
      readonly path: readonly string[]
      readonly query?: Readonly<Record<string, string>>
      readonly token: string
      readonly body?: unknown
    }[]
    /** By default 1 for an app. */
    readonly tokenRequests?: number
    /** `generated`: one key on all requests. Text: that key. Absent: no request has a key. */
    readonly idempotencyKey?: string
    /** The least pause after the first request. */
    readonly pauseSeconds?: number
    readonly outcome: Outcome
  }
}

/** The outcome of a call: a result (null without a body), the items of a walk, an error, or no response. */
export interface Outcome {
  readonly result?: unknown
  readonly items?: readonly unknown[]
  readonly error?: {
    readonly status: number
    readonly code: string
    readonly requestId: string | null
    readonly fields: readonly unknown[]
  }
  readonly noResponse?: true
}
