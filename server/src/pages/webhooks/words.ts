import type { DeliveryStatus, GivenUpReason } from '../../core/delivery.ts'
import { EVENT_TYPES, type EventType, ORDER_EVENT_TYPES } from '../../core/event.ts'
import { EVENT_MEANINGS } from '../../core/event-meanings.ts'
import type { Hook } from '../../core/hook.ts'
import { type HookHealth, stateOf } from '../../core/hook-health.ts'
import type { FailureReason } from '../../platform/egress/failure.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
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

const BY_REASON: Readonly<Record<FailureReason | 'redirect', string>> = {
  timeout:
    'An endpoint has 2 seconds, DNS and TLS included. Answer 200 as soon as the event is stored, and do the work afterwards.',
  refused:
    'Nothing listens at this address and port. Check that the listener runs and that no firewall rejects the connection.',
  dns: 'The host name has no address. Check the spelling and the DNS record.',
  tls: 'The certificate is expired, is for another name, or its chain is incomplete. Check it with an online TLS test.',
  private_address:
    'The address is not public. For a listener on your computer use `tillhook listen`; an operator may allow networks with TILLHOOK_ALLOWED_NETWORKS.',
  redirect: 'Redirects are not followed. Enter the final URL in the settings of the endpoint.',
  reset: 'The connection was closed before an answer. The listener or a proxy before it may have crashed or restarted.',
  protocol: 'The answer was not HTTP. Check that the port belongs to the web server, not to another service.',
}

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'The listener did not understand the request. Verify the raw bytes of the body before you parse them.',
  401: 'The listener rejected the signature. Check that it uses the secret of this endpoint and the raw bytes of the body.',
  403: 'The listener or a firewall rejected the request. Check the secret, and that the firewall lets POST requests in.',
  404: 'Nothing is at this path. Check the URL of the endpoint.',
  405: 'The path exists but takes no POST. Check the route of the listener.',
  410: 'The listener says that it is gone. After 24 hours of 410 the endpoint is disabled.',
  413: 'The listener limits the size of a body to less than a notification has.',
  429: 'The listener limits the rate. The next attempt honours Retry-After up to twice the normal wait.',
}

/** Advice for a failed attempt. */
export function hintOf({ httpStatus, reason }: Attempt): string | undefined {
  if (httpStatus === 200) return undefined
  if (reason !== undefined) return BY_REASON[reason as keyof typeof BY_REASON]
  if (httpStatus === undefined) return undefined
  const known = BY_STATUS[httpStatus]
  if (known !== undefined) return known
  if (httpStatus < 300) return 'Only HTTP 200 acknowledges a delivery. Answer 200.'
  return httpStatus >= 500
    ? 'The listener failed. Its log at the time of the attempt has the reason; search for the Service-Request-Id.'
    : 'The listener rejected the request. Its answer below may say why.'
}

interface Group {
  readonly name: string
  readonly types: readonly EventType[]
}

const isAboutMoney = (type: EventType) => /_(PAYMENT|REFUND|DISPUTE)_/.test(type)
const isOfOrder = (type: EventType) => ORDER_EVENT_TYPES.some(one => one === type)

/** All event types by what they are about. */
export const EVENT_GROUPS: readonly Group[] = [
  { name: 'Subscriptions', types: EVENT_TYPES.filter(type => !isAboutMoney(type) && !isOfOrder(type)) },
  { name: 'Payments', types: EVENT_TYPES.filter(isAboutMoney) },
  { name: 'Orders', types: EVENT_TYPES.filter(isOfOrder) },
]

/** A sentence about an event type, without the part for readers of the body. */
export function meaningOf(type: EventType): string {
  return EVENT_MEANINGS[type].replace(/ The second link leads to the invoice\.$/, '')
}

/** Check boxes of all event types by group, each with a sentence. */
export function eventChoices(chosen: readonly string[], problem: string | undefined): Html {
  return html`<fieldset ${{ class: 'field choices', id: 'eventTypes', 'aria-describedby': problem && 'eventTypes-problem' }}>
<legend class="label">Events</legend>
${problem && html`<p class="problem" id="eventTypes-problem"><span class="unseen">Problem: </span>${problem}</p>`}
${EVENT_GROUPS.map(
  ({ name, types }) => html`<h2 class="fine">${name}</h2>
${types.map(
  type =>
    html`<label class="choice"><input ${{ type: 'checkbox', name: 'eventTypes', value: type, checked: chosen.includes(type) }}><span><code>${breakable(type)}</code></span><small>${meaningOf(type)}</small></label>`,
)}`,
)}
</fieldset>`
}
