import type { Dispatcher } from 'undici'
import { type FailureReason, isHungUp, isOurs, reasonOf } from './failure.ts'

export type PostOutcome = Answered | Failed

/** The status and all headers arrived in time. The rest of the body no longer matters. */
export interface Answered {
  readonly kind: 'answered'
  readonly httpStatus: number
  /** The first bytes of the body as text, without NUL, which PostgreSQL text cannot store. */
  readonly answer: string
  /** The header as received. */
  readonly retryAfter?: string
  /** From the call to the headers. */
  readonly durationMs: number
}

export interface Failed {
  readonly kind: 'failed'
  readonly reason: FailureReason
  readonly durationMs: number
  /** This process was paused past the deadline or could not open a connection, so the other side's state is unknown. */
  readonly stalled?: true
}

export interface ExchangeLimits {
  /** From now to the headers of the answer. */
  readonly timeoutMs: number
  /** Bytes of the body to record. */
  readonly keepBytes: number
}

/**
 * Time for the body after the headers. The limit decides only how much of the body is recorded and whether the connection is reused. The outcome
 * waits for the body, because a caller that got the outcome earlier would begin the next request while the connection is still in use.
 */
const READ_BODY_WITHIN_MS = 1_000
/** Bytes to read and discard to keep a connection. An error page fits; for more, a new connection is cheaper. */
const READ_BODY_BYTES = 32 * 1024

/** A timer that fires this late was delayed by our own work or by an overloaded machine. */
const STALLED_MS = 500

/** One request and its response, as undici reports them. `outcome` resolves by the deadline. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<PostOutcome>
  readonly #settle: (outcome: PostOutcome) => void
  readonly #startedAt = performance.now()
  readonly #keepBytes: number
  readonly #timeoutMs: number
  #again: (() => void) | undefined
  #timer: NodeJS.Timeout
  #settled = false
  #controller: Dispatcher.DispatchController | undefined
  #head: Omit<Answered, 'kind' | 'answer'> | undefined
  #kept: Buffer[] = []
  #seenBytes = 0

  constructor({ timeoutMs, keepBytes }: ExchangeLimits) {
    const { promise, resolve } = Promise.withResolvers<PostOutcome>()
    this.outcome = promise
    this.#settle = resolve
    this.#keepBytes = keepBytes
    this.#timeoutMs = timeoutMs
    this.#timer = setTimeout(() => this.#meetDeadline(), timeoutMs)
  }

  /** `again` repeats the request if the connection closes before any byte of a response. Called at most once. */
  repeatIfHungUp(again: () => void): void {
    this.#again = again
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Too late while waiting for a connection. An abort would close the connection, which the next in line can use.
    if (this.#settled) throw new Error('the deadline passed before the request was sent')
    this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    httpStatus: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#again = undefined
    // 102 and 103 are interim responses.
    if (httpStatus < 200) return
    const retryAfter = [headers['retry-after']].flat()[0]
    this.#head = { httpStatus, ...(retryAfter === undefined ? {} : { retryAfter }), durationMs: this.#elapsedMs() }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#expire(), READ_BODY_WITHIN_MS)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#keepBytes - this.#seenBytes
    if (room > 0) this.#kept.push(chunk.subarray(0, room))
    this.#seenBytes += chunk.length
    if (this.#seenBytes <= READ_BODY_BYTES) return
    this.#conclude()
    controller.abort(new Error('the answer is longer than anyone reads'))
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    this.#conclude()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const again = this.#again
    this.#again = undefined
    if (again !== undefined && !this.#settled && isHungUp(error)) again()
    else {
      clearTimeout(this.#timer)
      this.#conclude(reasonOf(error), isOurs(error) ? { stalled: true } : {})
    }
  }

  /** Node runs timers before sockets, so data that arrived while this process was paused is read before the deadline applies. */
  #meetDeadline(): void {
    if (this.#elapsedMs() - this.#timeoutMs < STALLED_MS) this.#expire()
    else {
      setImmediate(() => {
        if (!this.#settled && this.#head === undefined) this.#expire({ stalled: true })
      })
    }
  }

  #expire(why: Pick<Failed, 'stalled'> = {}): void {
    this.#conclude('timeout', why)
    this.#controller?.abort(new Error('the deadline passed'))
  }

  /** The first call decides. An answer whose headers came stands, also when its body broke off. */
  #conclude(reason: FailureReason = 'protocol', why: Pick<Failed, 'stalled'> = {}): void {
    if (this.#settled) return
    this.#settled = true
    if (this.#head === undefined) this.#settle({ kind: 'failed', reason, durationMs: this.#elapsedMs(), ...why })
    else this.#settle({ kind: 'answered', ...this.#head, answer: toText(this.#kept) })
    this.#kept = []
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

function toText(bytes: Buffer[]): string {
  return Buffer.concat(bytes).toString('utf8').replaceAll('\0', '\ufffd')
}
