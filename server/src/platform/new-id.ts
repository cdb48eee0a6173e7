import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import type { NewId } from '../core/id.ts'

/** Of one id. */
const BYTES = 16
/** Reading 16 random bytes from the system costs more than the rest of an id, and reading 4 KiB costs only twice as much. */
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
      // The upper half is left for counting: no process makes two thousand million ids in a millisecond.
      seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
    } else seq++
    return v7({ random, msecs: lastMs, seq })
  }
}
