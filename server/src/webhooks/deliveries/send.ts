import { acknowledged, afterAttempt, type NextStep, reasonWord } from '../../core/delivery.ts'
import type { Answered, PostOutcome } from '../../platform/egress/exchange.ts'
import type { Ports } from '../../ports.ts'
import type { Sendable } from './prepare.ts'
import { deliveryRequest } from './request.ts'
import type { FinishedAttempt } from './save.ts'

export interface SendPorts extends Pick<Ports, 'clock' | 'newId' | 'post'> {
  /** In [0, 1). */
  readonly random: () => number
  /** Of this service. */
  readonly version: string
}

/** An attempt of 3 s with its save, and 5 s of skew between clocks, end within it. */
const NEEDED_LEASE_MS = 12_000

/** One POST and what follows from it, not yet saved. Null when too little of the lease is left to make it. */
export async function send(
  { clock, newId, post, random, version }: SendPorts,
  delivery: Sendable,
): Promise<{ outcome: PostOutcome; finished: FinishedAttempt } | null> {
  const attemptedAt = clock.now()
  if (delivery.leasedUntil.getTime() - attemptedAt.getTime() < NEEDED_LEASE_MS) return null
  const attemptId = newId()
  const outcome = await post(deliveryRequest({ ...delivery, requestId: attemptId, now: attemptedAt, version }))
  const finishedAt = clock.now()
  const reason = reasonWord(outcome)
  const finished = {
    notificationId: delivery.notificationId,
    hookId: delivery.hookId,
    leaseId: delivery.leaseId,
    recordedAt: delivery.recordedAt,
    stoodAside: delivery.stoodAside,
    attemptId,
    attempt: delivery.attempts + 1,
    attemptedAt,
    durationMs: outcome.durationMs,
    ...(reason === undefined ? {} : { reason }),
    ...answerOf(outcome),
    ...(outcome.kind === 'failed' && outcome.stalled ? { stalled: outcome.stalled } : {}),
    finishedAt,
    acknowledged: acknowledged(outcome),
    // Decisions 7: steps are counted from the end of an attempt.
    next: toNext(afterAttempt(delivery, outcome, finishedAt, random())),
  }
  return { outcome, finished }
}

function answerOf(outcome: PostOutcome): { httpStatus?: number; answer: string } {
  return outcome.kind === 'answered' ? pick(outcome) : { answer: '' }
}

function pick({ httpStatus, answer }: Answered) {
  return { httpStatus, answer }
}

function toNext(step: NextStep): FinishedAttempt['next'] {
  switch (step.next) {
    case 'delivered':
      return { status: 'DELIVERED' }
    case 'errored':
      return { status: 'ERRORED', reason: step.reason }
    case 'retry':
      return { dueAt: step.dueAt }
  }
}
