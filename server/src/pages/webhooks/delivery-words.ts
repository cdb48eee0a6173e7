import type { GivenUpReason } from '../../core/delivery.ts'
import type { DeliveryStatus } from '../../core/delivery-status.ts'
import type { FailureReason } from '../../platform/egress/failure.ts'
import { badge, type Tone } from '../../platform/web/components/card.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Attempt, HistoryEntry } from '../../webhooks/notifications/history-store.ts'

export const STATUS_WORDS: Readonly<Record<DeliveryStatus, { readonly word: string; readonly tone: Tone }>> = {
  SCHEDULED: { word: 'Waiting', tone: 'plain' },
  ERRORED_RETRYING: { word: 'To be tried again', tone: 'warn' },
  DELIVERED: { word: 'Delivered', tone: 'good' },
  ERRORED: { word: 'Given up', tone: 'bad' },
}

const WHY_GIVEN_UP: Readonly<Record<GivenUpReason, string>> = {
  attempts_exhausted: 'every attempt failed',
  expired: 'it was not acknowledged within 72 hours',
  hook_deleted: 'the webhook was deleted',
  hook_inactive: 'the webhook was off',
  approval_revoked: 'the merchant took its approval back',
  test_failed: 'the test was not acknowledged',
  quarantined: 'it could not be sent',
}

/** Why an attempt got no answer, or one that is followed nowhere. */
const WHY_FAILED: Readonly<Record<FailureReason | 'redirect', string>> = {
  timeout: 'no answer within 2 seconds',
  refused: 'the connection was refused',
  dns: 'the name has no address (DNS)',
  tls: 'no secure connection (TLS)',
  private_address: 'the address is not public',
  redirect: 'a redirect, which is not followed',
  reset: 'the connection was broken off',
  protocol: 'the answer was not HTTP',
}

/** A status, or a word of the way out. */
export function failureWords(word: string): string {
  if (/^\d+$/.test(word)) return `HTTP ${word}`
  return WHY_FAILED[word as keyof typeof WHY_FAILED] ?? word
}

export function statusBadge({ status, reason }: Pick<HistoryEntry, 'status' | 'reason'>): Html {
  const { word, tone } = STATUS_WORDS[status]
  const why = reason === undefined ? undefined : (WHY_GIVEN_UP[reason as GivenUpReason] ?? reason)
  return html`${badge(word, tone)}${why !== undefined && html` <span class="fine">${why}</span>`}`
}

/** Interface, Delivery 2: only HTTP 200 acknowledges. */
export function attemptBadge({ httpStatus, reason }: Attempt): Html {
  if (httpStatus === 200) return badge('Acknowledged: HTTP 200', 'good')
  const status = httpStatus === undefined ? '' : `HTTP ${httpStatus}`
  const why = reason === undefined ? '' : failureWords(reason)
  return html`${badge('Failed', 'bad')} ${[status, why].filter(part => part !== '').join(': ')}`
}
