import autocannon from 'autocannon'
import { type ApiRequest, headersOf } from './api.ts'
import { monotonicMs } from './monotonic.ts'

export interface Load {
  readonly baseUrl: string
  /** Each connection sends its next request when the previous one was answered. */
  readonly connections: number
  readonly seconds: number
  /** The loop ends early after this number of requests. */
  readonly requests?: number
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly tookMs: number
}

/** No answer takes this long, unless the service hangs. */
const ANSWER_WITHIN_SECONDS = 30

/**
 * A closed loop by autocannon. It measures the maximum rate of the service. Its latencies are those of a saturated service. Requests that are
 * unanswered at the end are aborted and not reported. Returns the seconds until the last answer.
 */
export async function closedLoop(
  { baseUrl, connections, seconds, requests, signal }: Load,
  next: () => ApiRequest,
  { answered, failed }: { answered(answer: Answer): void; failed(word: string): void },
): Promise<number> {
  const fromMs = monotonicMs()
  let lastAtMs = fromMs
  const options: autocannon.Options = {
    url: baseUrl,
    connections,
    duration: seconds,
    ...(requests === undefined ? {} : { amount: requests }),
    timeout: ANSWER_WITHIN_SECONDS,
    requests: [
      {
        setupRequest: (request, context) => {
          const sent = next()
          const { method, path, json, form } = sent
          const body = json ?? form
          Object.assign(context, { sentAtMs: monotonicMs() })
          return { ...request, method, path, headers: headersOf(sent), ...(body === undefined ? {} : { body }) }
        },
        onResponse: (status, text, context) => {
          lastAtMs = monotonicMs()
          answered({ status, text, tookMs: lastAtMs - (context as { sentAtMs: number }).sentAtMs })
        },
      },
    ],
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const run = autocannon(options, error => (error == null ? resolve() : reject(error)))
  // A timeout is one of these errors.
  run.on('reqError', error => failed(wordOf(error)))
  const stop = () => run.stop()
  signal.addEventListener('abort', stop, { once: true })
  await promise
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  return (lastAtMs - fromMs) / 1_000
}

/** A code such as ECONNRESET or UND_ERR_HEADERS_TIMEOUT. */
export function wordOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
}
