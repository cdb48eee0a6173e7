import { CLOCKS_APART_MS } from '../../core/delivery.ts'
import type { Claimed } from './claim.ts'

/**
 * What a claim reads where the whole queue takes long to read: a transaction that stays open keeps every row that was ever queued since,
 * and a claim reads over the dead ones of each hook to find the first that lives. A narrow claim asks for hooks known here alone, and
 * begins with their first attempts where the last one ended.
 */
export interface Narrow {
  /** From when on to read which hooks; undefined: everything, as it takes no time or was not read for long. */
  choose(nowMs: number): ReadonlyMap<string, Date> | undefined
  /** Something of these was left in the queue, and is due since then at the earliest. */
  left(hookIds: readonly string[], now: Date): void
  /** What claims have passed over until now may be claimed, as the one before it was tried. */
  released(releases: readonly Release[]): void
  /** What waits of these may be due for long, and was passed over by claims until now. */
  changed(hookIds: readonly string[]): void
  /** A claim has read, from `now` back, and so have all before it. */
  learn(claimed: readonly Pick<Claimed, 'hookId' | 'lane' | 'recordedAt'>[], read: Read): void
  /** The database gave a claim up, as it took too long. */
  gaveUp(read: Omit<Read, 'isFilled'>): void
}

export interface Release {
  readonly hookId: string
  readonly dueAt: Date
}

export interface Read {
  /** Of the service, at its beginning. */
  readonly now: Date
  /** What it was told to read; undefined: everything. */
  readonly from: ReadonlyMap<string, Date> | undefined
  /** Whether it may have left first attempts of this hook that are due, or did not ask for any. */
  readonly isFilled: (hookId: string) => boolean
  /** On the clock of `choose`. */
  readonly beganAtMs: number
  readonly endedAtMs: number
}

/** Far above what an index takes, with 10,000 hooks. Twice in a row: once may be a machine that stood still. */
const SLOW_MS = 100
const SLOW_IN_A_ROW = 2
/** So many times longer than everything took to read it is not read again: what a crash left, or is of another hook, waits for that. */
const REST_PER_READ = 10
const REST_AT_MOST_MS = 10_000
/** Where it is given up again, or was slow before: nothing is claimed while it is tried. */
const REST_AFTER_GIVEN_UP_AT_MOST_MS = 60_000
/** A transaction that records may commit 5 s later than another. Everything else waits for the rest. */
const LATE_MS = CLOCKS_APART_MS + 5_000
/** Of which nothing is known to be due, but for what is sent again. Each narrow claim looks for all of them; forgotten from the oldest on. */
const REMEMBERED = 1_000
/** Of which something is due, until a claim has read that far: more than an installation is expected to have. Each is some 200 bytes. */
const DUE_AT_MOST = 10_000

export function createNarrow(): Narrow {
  /** From when on to read on: hooks of which a claim has left nothing, */
  const read = new Map<string, number>()
  /** and those of which more is due. */
  const due = new Map<string, number>()
  /** From when on something was told of since the claim began that reads now: it may have missed that. */
  const meanwhile = new Map<string, number>()
  let slowInARow = 0
  let everythingAtMs = Number.NEGATIVE_INFINITY

  function restFromEverything({ beganAtMs, endedAtMs }: Pick<Read, 'beganAtMs' | 'endedAtMs'>, atMostMs: number): void {
    everythingAtMs = endedAtMs + Math.min(REST_PER_READ * (endedAtMs - beganAtMs), atMostMs)
  }

  const readTo = (hookId: string) => due.get(hookId) ?? read.get(hookId)

  function isRead(hookId: string, atMs: number): void {
    due.delete(hookId)
    // Set anew, so that those heard of last are remembered longest.
    read.delete(hookId)
    setWithin(REMEMBERED, read, hookId, atMs)
  }

  function isDue(hookId: string, atMs: number): void {
    read.delete(hookId)
    setWithin(DUE_AT_MOST, due, hookId, atMs)
  }

  function isDueSince(hookId: string, atMs: number): void {
    isDue(hookId, Math.min(readTo(hookId) ?? atMs, atMs))
    setWithin(DUE_AT_MOST, meanwhile, hookId, Math.min(meanwhile.get(hookId) ?? atMs, atMs))
  }

  return {
    choose: nowMs => {
      meanwhile.clear()
      if (slowInARow < SLOW_IN_A_ROW || nowMs >= everythingAtMs) return undefined
      return new Map([...read, ...due].map(([hookId, atMs]) => [hookId, new Date(atMs - LATE_MS)]))
    },
    left: (hookIds, now) => {
      for (const hookId of hookIds) isDueSince(hookId, now.getTime())
    },
    released: releases => {
      for (const { hookId, dueAt } of releases) isDueSince(hookId, dueAt.getTime())
    },
    changed: hookIds => {
      for (const hookId of hookIds) isDueSince(hookId, 0)
    },
    learn: (claimed, { now, from, isFilled, beganAtMs, endedAtMs }) => {
      if (from === undefined) {
        slowInARow = endedAtMs - beganAtMs < SLOW_MS ? 0 : slowInARow + 1
        restFromEverything({ beganAtMs, endedAtMs }, REST_AT_MOST_MS)
      }
      const byHook = Map.groupBy(
        claimed.filter(({ lane }) => lane === 'FIRST'),
        ({ hookId }) => hookId,
      )
      const asked = from?.keys() ?? [...read.keys(), ...due.keys()]
      // Those of which only retries were taken too: more of these may be due, and each narrow claim is to find them.
      for (const hookId of new Set([...asked, ...claimed.map(({ hookId }) => hookId)])) {
        const taken = byHook.get(hookId) ?? []
        if (!isFilled(hookId) || (taken.length === 0 && readTo(hookId) === undefined)) {
          isRead(hookId, now.getTime())
        } else if (taken.length > 0) {
          // They came in the order of when they were due, which is never before they were recorded.
          isDue(hookId, Math.max(...taken.map(({ recordedAt }) => recordedAt.getTime())))
        }
      }
      for (const [hookId, atMs] of meanwhile) isDueSince(hookId, Math.min(atMs, now.getTime()))
      meanwhile.clear()
    },
    gaveUp: ({ now, from, ...times }) => {
      if (from === undefined) {
        restFromEverything(times, slowInARow < SLOW_IN_A_ROW ? REST_AT_MOST_MS : REST_AFTER_GIVEN_UP_AT_MOST_MS)
        // At once: the next one would take as long, and take nothing either.
        slowInARow = SLOW_IN_A_ROW
        return
      }
      // Those that are read from their beginning are what takes long. Each next narrow claim would be given up for them.
      for (const [hookId, atMs] of due) if (atMs === 0 && meanwhile.get(hookId) !== 0) due.set(hookId, now.getTime())
    },
  }
}

function setWithin<Value>(atMost: number, all: Map<string, Value>, hookId: string, value: Value): void {
  all.set(hookId, value)
  const [oldest] = all.keys()
  if (all.size > atMost && oldest !== undefined) all.delete(oldest)
}
