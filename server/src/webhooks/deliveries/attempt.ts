import { acknowledged, afterAttempt, type NextStep, reasonWord } from '../../core/delivery.ts'
import { given } from '../../core/given.ts'
import { signHmacSha1, signStandardWebhook } from '../../core/signature.ts'
import type { PostOutcome } from '../../platform/egress/exchange.ts'
import type { PostRequest } from '../../platform/egress/post.ts'
import type { Ports } from '../../ports.ts'
import type { Endpoint } from '../hooks/secret.ts'
import type { QueuedRow } from './load.ts'

export interface AttemptPorts extends Pick<Ports, 'clock' | 'newId' | 'post'> {
  /** In [0, 1), for the jitter of retries. */
  readonly random: () => number
  /** The version of this service, for User-Agent. */
  readonly version: string
}

/** One POST, as the history shows it. */
export interface Attempt {
  /** The Service-Request-Id of the attempt. */
  readonly attemptId: string
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly httpStatus?: number
  readonly reason?: string
  readonly answer: string
}

export interface PostedAttempt extends Attempt {
  readonly acknowledged: boolean
  readonly finishedAt: Date
}

/** A finished POST and the next step of its delivery. */
export interface FinishedAttempt
  extends PostedAttempt,
    Pick<QueuedRow, 'notificationId' | 'hookId' | 'priority' | 'recordedAt'> {
  /** Counted from 1. */
  readonly attempt: number
  readonly next: NextStep
}

/** Makes one attempt and decides the next step. Saves nothing. */
export async function makeAttempt(
  ports: AttemptPorts,
  delivery: QueuedRow & { readonly body: string },
  endpoint: Endpoint,
): Promise<{ outcome: PostOutcome; finished: FinishedAttempt }> {
  const { notificationId, hookId, priority, recordedAt, body } = delivery
  const { outcome, posted } = await postOnce(ports, {
    notificationId,
    hookId,
    body,
    ...endpoint,
    version: ports.version,
  })
  // Decisions 7: steps are counted from the end of an attempt.
  const next = afterAttempt(delivery, outcome, posted.finishedAt, ports.random())
  const finished = { ...posted, notificationId, hookId, priority, recordedAt, attempt: delivery.attempts + 1, next }
  return { outcome, finished }
}

/** Signs and posts a body, with a new id and the time of the attempt. */
export async function postOnce(
  { clock, newId, post }: Pick<Ports, 'clock' | 'newId' | 'post'>,
  parts: Omit<RequestParts, 'requestId' | 'now'>,
): Promise<{ outcome: PostOutcome; posted: PostedAttempt }> {
  const attemptedAt = clock.now()
  const attemptId = newId()
  const outcome = await post(deliveryRequest({ ...parts, requestId: attemptId, now: attemptedAt }))
  const { durationMs } = outcome
  const { httpStatus, answer } = outcome.kind === 'answered' ? outcome : { httpStatus: undefined, answer: '' }
  const made = given({ attemptId, attemptedAt, durationMs, httpStatus, reason: reasonWord(outcome), answer })
  return { outcome, posted: { ...made, acknowledged: acknowledged(outcome), finishedAt: clock.now() } }
}

export interface RequestParts extends Endpoint {
  readonly notificationId: string
  readonly hookId: string
  readonly body: string
  /** New for each attempt. */
  readonly requestId: string
  /** When the attempt is made, in real time. */
  readonly now: Date
  readonly version: string
}

/** The POST of one attempt. Interface, Delivery 1 and Webhook authenticity; decisions 7, "Headers beside the signature". */
export function deliveryRequest(parts: RequestParts): PostRequest {
  const { notificationId: id, hookId, deliveryUrl, body, secret, previous = [], requestId, now, version } = parts
  const timestamp = Math.floor(now.getTime() / 1_000)
  const replaced = previous.filter(({ until }) => now < new Date(until)).map(one => one.secret)
  return {
    url: deliveryUrl,
    sharer: hookId,
    body,
    headers: {
      'Content-Type': 'application/json',
      'Service-Webhook-Signature': signHmacSha1(secret, body),
      'Service-Request-Id': requestId,
      'User-Agent': `Tillhook/${version}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandardWebhook([secret, ...replaced], { id, timestamp, body }),
    },
  }
}
