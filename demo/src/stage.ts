import { setTimeout as wait } from 'node:timers/promises'
import { CHAPTERS, type ChapterName, numberOf } from './chapters.ts'
import type { Client } from './client.ts'
import type { Inbox } from './inbox.ts'
import type { SentMail } from './mailbox.ts'
import type { Printer } from './print.ts'

/** Everything that a chapter uses. */
export interface Stage {
  readonly baseUrl: string
  /** Sends the operator key. */
  readonly operator: Client
  readonly inbox: Inbox
  readonly printer: Printer
  readonly waitForMail: (mail: { to: string; holding: RegExp }) => Promise<SentMail>
  readonly signal: AbortSignal
}

export class ChapterFailed extends Error {
  override name = 'ChapterFailed'
}

/** The longest wait for a notification. The rejected first delivery is retried after 4 to 6 s; a busy machine takes longer. */
const NOTIFIED_WITHIN_MS = 60_000
/** The wait after a first notification is missing: the story has failed already. */
const NOTIFIED_AT_LAST_WITHIN_MS = 2_000
const CLOCK_ARRIVES_WITHIN_MS = 60_000
const POLL_MS = 100

/** Plays one chapter and waits for its notifications. The verdict counts the missing notifications. */
export async function play<T>(
  { inbox, printer, signal }: Pick<Stage, 'inbox' | 'printer' | 'signal'>,
  name: ChapterName,
  act: () => Promise<T>,
): Promise<T> {
  printer.chapter(name)
  try {
    const result = await act()
    const { number } = numberOf(name)
    const until = Object.values(CHAPTERS).slice(0, number)
    const expected = until.flatMap(({ eventTypes }) => eventTypes).length
    const before = expected - CHAPTERS[name].eventTypes.length
    const withinMs = (await inbox.waitForAccepted(before, { withinMs: 0, signal }))
      ? NOTIFIED_WITHIN_MS
      : NOTIFIED_AT_LAST_WITHIN_MS
    if (!(await inbox.waitForAccepted(expected, { withinMs, signal }))) {
      printer.problem(`Within ${withinMs / 1000} s, not all that was expected so far has come and been accepted.`)
    }
    return result
  } catch (cause) {
    signal.throwIfAborted()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ChapterFailed(`Chapter ${numberOf(name).number} failed: ${CHAPTERS[name].title}\n${why}`, { cause })
  }
}

/** Advances the merchant's test clock. Returns after billing has caught up. */
export async function passTimeTo({ operator, signal }: Stage, testClockId: string, to: string): Promise<void> {
  const path = `/test-clocks/${testClockId}`
  const giveUpAt = performance.now() + CLOCK_ARRIVES_WITHIN_MS
  let clock = await operator.post<{ status: string; now: string }>(`${path}/advance`, { to })
  while (clock.status !== 'READY') {
    if (performance.now() > giveUpAt) throw new Error(`The test clock is still at ${clock.now} instead of ${to}.`)
    await wait(POLL_MS, undefined, { signal })
    clock = await operator.get(path)
  }
}

/** Fails the chapter if the service answers unexpectedly. */
export function expectToBe(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${what} should be ${expected}, but the service answered ${actual}.`)
}
