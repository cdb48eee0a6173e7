import { acknowledged, afterAttempt, type GivenUpReason, reasonWord } from '../../core/delivery.ts'
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

/** A finished POST and the next step of its delivery. */
export interface FinishedAttempt extends Pick<QueuedRow, 'notificationId' | 'hookId' | 'priority' | 'recordedAt'> {
  readonly attemptId: string
  /** Counted from 1. */
  readonly attempt: number
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly httpStatus?: number
  readonly reason?: string
  readonly answer: string
  readonly finishedAt: Date
  readonly acknowledged: boolean
  readonly next: { status: 'DELIVERED' } | { status: 'ERRORED'; reason: GivenUpReason } | { dueAt: Date }
}

/** Makes one attempt and decides the next step. Saves nothing. */
export async function makeAttempt(
  { clock, newId, post, random, version }: AttemptPorts,
  delivery: QueuedRow & { readonly body: string },
  endpoint: Endpoint,
): Promise<{ outcome: PostOutcome; finished: FinishedAttempt }> {
  const attemptedAt = clock.now()
  const attemptId = newId()
  const { notificationId, hookId, priority, recordedAt, body } = delivery
  const request = { notificationId, hookId, body, ...endpoint, requestId: attemptId, now: attemptedAt, version }
  const outcome = await post(deliveryRequest(request))
  const finishedAt = clock.now()
  const reason = reasonWord(outcome)
  const finished = {
    ...{ notificationId, hookId, priority, recordedAt, attemptId, attemptedAt, finishedAt },
    attempt: delivery.attempts + 1,
    durationMs: outcome.durationMs,
    ...(reason === undefined ? {} : { reason }),
    ...(outcome.kind === 'answered' ? { httpStatus: outcome.httpStatus } : {}),
    answer: outcome.kind === 'answered' ? outcome.answer : '',
    acknowledged: acknowledged(outcome),
    // Decisions 7: steps are counted from the end of an attempt.
    next: nextOf(afterAttempt(delivery, outcome, finishedAt, random())),
  }
  return { outcome, finished }
}

function nextOf(step: ReturnType<typeof afterAttempt>): FinishedAttempt['next'] {
  switch (step.next) {
    case 'delivered':
      return { status: 'DELIVERED' }
    case 'errored':
      return { status: 'ERRORED', reason: step.reason }
    case 'retry':
      return { dueAt: step.dueAt }
  }
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
