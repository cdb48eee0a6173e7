import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import type { NewId } from '../core/id.ts'

/** Of one id. */
const BYTES = 16
/** Asking the system for 16 bytes costs more than all else of an id; for 4 KiB it costs twice that. */
const IDS_AHEAD = 256
/**
 * The tolerated clock error of a process. A larger step back means that the clock was wrong before: keeping the wrong time would place all
 * later rows in a day that may have no partition. Less than the ten seconds that a reader of the history allows between an id and its
 * instant.
 */
const BACK_AT_MOST_MS = 5_000

/** Makes ids for one process: each is later than the one before, also within a millisecond, unless the clock was far ahead. */
export function openIds(clock: () => number = Date.now): NewId {
  const ahead = new Uint8Array(BYTES * IDS_AHEAD)
  let next = ahead.length
  let lastMs = 0
  let seq = 0
  return () => {
    if (next === ahead.length) {
      randomFillSync(ahead)
      next = 0
    }
    const random = ahead.subarray(next, next + BYTES)
    next += BYTES
    const nowMs = clock()
    if (nowMs > lastMs || nowMs < lastMs - BACK_AT_MOST_MS) {
      lastMs = nowMs
      // The upper half is left to count in: a millisecond has no two thousand million ids.
      seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
    } else seq++
    return v7({ random, msecs: lastMs, seq })
  }
}
