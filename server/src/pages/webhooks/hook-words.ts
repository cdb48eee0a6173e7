import type { EventType } from '../../core/event.ts'
import type { Hook } from '../../core/hook.ts'
import { type HookHealth, stateOf } from '../../core/hook-health.ts'
import { badge, type Tone } from '../../platform/web/components/card.ts'
import { moment } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { failureWords } from './delivery-words.ts'

/** How a hook stands: in a word, and in sentences for who wants to know more. */
export interface Standing {
  readonly word: string
  readonly tone: Tone
  readonly sentences: readonly Html[]
}

const WHY_STOPPED: Readonly<Record<NonNullable<Hook['disabledReason']>, Html>> = {
  gone: html`We have stopped it: for a day it answered 410 Gone.`,
  failing: html`We have stopped it: for three days every attempt failed.`,
}

/** `health` of one that is not well. */
export function standingOf(hook: Hook, health: HookHealth | undefined, now: Date): Standing {
  const { active, disabledReason } = hook
  if (disabledReason !== undefined) {
    const sentences = [WHY_STOPPED[disabledReason], ...missedSince(hook), ...lastFailure(health)]
    return { word: 'Disabled', tone: 'bad', sentences }
  }
  if (!active) return { word: 'Switched off', tone: 'plain', sentences: missedSince(hook) }
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
      const sentences = [html`One attempt is to show whether it is back: it failed ${failed}`, ...lastFailure(health)]
      return { word: 'Being tried', tone: 'warn', sentences }
    }
  }
}

export function standingBadge({ word, tone }: Standing): Html {
  return badge(word, tone)
}

/** As the names are long, and all of an app begin alike. */
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

/** As much of an address as tells it from others. */
export function shortUrl(url: string): string {
  return url.length > SHOWN_URL ? `${url.slice(0, SHOWN_URL)}…` : url
}

function missedSince({ offSince }: Hook): Html[] {
  return offSince === undefined ? [] : [html`It has missed what happened since ${moment(offSince)}.`]
}

function lastFailure(health: HookHealth | undefined): Html[] {
  const { lastFailure: word, lastFailedAt: at } = health ?? {}
  return word === undefined ? [] : [html`Last failure: ${failureWords(word)}${at && html`, on ${moment(at)}`}.`]
}

function timesInARow(failures: number): string {
  return failures === 1 ? 'once' : `${failures} times in a row`
}
