import type { DeliveryStatus, GivenUpReason } from '../../core/delivery.ts'
import type { EventType } from '../../core/event.ts'
import type { Hook } from '../../core/hook.ts'
import { type HookHealth, stateOf } from '../../core/hook-health.ts'
import type { FailureReason } from '../../platform/egress/failure.ts'
import { badge, type Tone } from '../../platform/web/components/content.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Attempt } from '../../webhooks/deliveries/attempt.ts'
import type { HistoryEntry } from '../../webhooks/notifications/history-store.ts'

/** How a hook stands: in a word, and in sentences for people who want to know more. */
export interface Standing {
  readonly word: string
  readonly tone: Tone
  readonly sentences: readonly Html[]
}

const WHY_STOPPED: Readonly<Record<NonNullable<Hook['disabledReason']>, Html>> = {
  gone: html`Disabled automatically: the endpoint answered 410 Gone for a day.`,
  failing: html`Disabled automatically: every attempt failed for three days.`,
}

/** `health` of an unhealthy hook. */
export function standingOf(hook: Hook, health: HookHealth | undefined, now: Date): Standing {
  const { active, disabledReason } = hook
  if (disabledReason !== undefined) {
    const sentences = [WHY_STOPPED[disabledReason], ...undeliveredSince(hook), ...lastFailure(health)]
    return { word: 'Disabled', tone: 'bad', sentences }
  }
  if (!active) return { word: 'Switched off', tone: 'plain', sentences: undeliveredSince(hook) }
  if (health === undefined) return { word: 'Active', tone: 'good', sentences: [] }
  const failed = html`${timesInARow(health.failures)}${health.failingSince && html`, since ${moment(health.failingSince)}`}.`
  switch (stateOf(health, now)) {
    case 'HEALTHY':
      return { word: 'Active', tone: 'good', sentences: [] }
    case 'SLOW':
      return { word: 'Slow', tone: 'warn', sentences: [html`It answers, but takes over 1.5 seconds.`] }
    case 'FAILING':
      return { word: 'Failing', tone: 'warn', sentences: [html`It failed ${failed}`, ...lastFailure(health)] }
    case 'OPEN': {
      const until = health.openUntil && html` until ${moment(health.openUntil)}`
      const sentences = [html`Nothing is sent${until}: it failed ${failed}`, ...lastFailure(health)]
      return { word: 'Paused', tone: 'bad', sentences }
    }
    case 'HALF_OPEN': {
      const sentences = [
        html`The next attempt tests whether the endpoint has recovered: it failed ${failed}`,
        ...lastFailure(health),
      ]
      return { word: 'Probing', tone: 'warn', sentences }
    }
  }
}

export function standingBadge({ word, tone }: Standing): Html {
  return badge(word, tone)
}

/** Event names are long, and all names of one app begin alike. */
export function shortType(eventType: string): string {
  return eventType.replace(/^APPLICATION_/, '')
}

const SHOWN_TYPES = 2

export function eventWords(eventTypes: readonly EventType[]): string {
  const named = eventTypes.slice(0, SHOWN_TYPES).map(shortType).join(', ')
  const more = eventTypes.length - SHOWN_TYPES
  return more > 0 ? `${named} and ${more} more` : named
}

const SHOWN_URL = 80

/** A shortened URL that still identifies the endpoint. */
export function shortUrl(url: string): string {
  return url.length > SHOWN_URL ? `${url.slice(0, SHOWN_URL)}…` : url
}

function undeliveredSince({ offSince }: Hook): Html[] {
  return offSince === undefined ? [] : [html`No deliveries have been recorded for it since ${moment(offSince)}.`]
}

function lastFailure(health: HookHealth | undefined): Html[] {
  const { lastFailure: word, lastFailedAt: at } = health ?? {}
  return word === undefined ? [] : [html`Last failure: ${failureWords(word)}${at && html`, on ${moment(at)}`}.`]
}

function timesInARow(failures: number): string {
  return failures === 1 ? 'once' : `${failures} times in a row`
}

export const STATUS_WORDS: Readonly<Record<DeliveryStatus, { readonly word: string; readonly tone: Tone }>> = {
  SCHEDULED: { word: 'Queued', tone: 'plain' },
  ERRORED_RETRYING: { word: 'Retrying', tone: 'warn' },
  DELIVERED: { word: 'Delivered', tone: 'good' },
  ERRORED: { word: 'Failed', tone: 'bad' },
}

const WHY_GIVEN_UP: Readonly<Record<GivenUpReason, string>> = {
  attempts_exhausted: 'every attempt failed',
  expired: 'it was not acknowledged within 72 hours',
  hook_deleted: 'the webhook was deleted',
  hook_inactive: 'the webhook was off',
  approval_revoked: 'the merchant revoked its approval',
  test_failed: 'the test was not acknowledged',
  quarantined: 'it could not be sent',
}

/** Reasons of attempts without an answer, or with a redirect. */
const WHY_FAILED: Readonly<Record<FailureReason | 'redirect', string>> = {
  timeout: 'no response within 2 seconds',
  refused: 'the connection was refused',
  dns: 'the host name does not resolve (DNS)',
  tls: 'no secure connection (TLS)',
  private_address: 'the address is not public',
  redirect: 'redirects are not followed',
  reset: 'the connection was reset',
  protocol: 'the response was not valid HTTP',
}

/** A failure in words, by its HTTP status or its reason of egress. */
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
