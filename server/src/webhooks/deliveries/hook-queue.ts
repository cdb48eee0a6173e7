import { type AttemptOutcome, acknowledged } from '../../core/delivery.ts'
import { afterSign, type HealthSign, type HookHealth, SLOW_MS } from '../../core/hook-health.ts'
import type { HookConfig, QueuedRow } from './load.ts'
import { shardOf } from './shards.ts'

/** The in-memory part of a hook's queue: the next deliveries, the slots in use, the breaker. Belongs to the owner of the hook's shard. */
export class HookQueue {
  readonly hookId: string
  readonly shard: number
  config: HookConfig | undefined
  health: HookHealth | undefined
  /** First attempts up to this `seq` have been read. */
  cursor = 0
  /** The database may hold first attempts beyond the cursor. */
  mayHaveMore = true
  /** A statement is reading first attempts beyond the cursor. Until the statement returns, a newer row must not move the cursor past unread rows. */
  isLoading = false
  /** When to read retries and replays: the due time of the earliest one that is not in memory. */
  againAt = 0
  /** Counts resets. Rows read before a reset are outdated. */
  generation = 0
  /** The last attempt was acknowledged quickly. */
  isQuick = false
  readonly #first: QueuedRow[] = []
  readonly #again: QueuedRow[] = []
  /** In memory, under way, or not saved yet. */
  readonly #known = new Set<string>()
  /** Resources with a first attempt under way. */
  readonly #busy = new Set<string>()
  readonly #maxSlots: number
  #slots: number
  #underWay = 0
  #againUnderWay = 0
  #isProbing = false

  constructor(hookId: string, maxSlots: number) {
    this.hookId = hookId
    this.shard = shardOf(hookId)
    this.#maxSlots = maxSlots
    this.#slots = Math.min(FIRST_SLOTS, maxSlots)
  }

  get queued(): number {
    return this.#first.length + this.#again.length
  }

  get isIdle(): boolean {
    return this.#known.size === 0 && !this.mayHaveMore && this.againAt === Number.POSITIVE_INFINITY
  }

  get oldest(): QueuedRow | undefined {
    return this.#first[0]
  }

  /** Adds a delivery. False: an earlier first attempt of the resource is not in memory, so the cursor went back to that attempt. */
  add(row: QueuedRow): boolean {
    if (this.#known.has(row.notificationId)) return true
    if (row.priority !== 'FIRST') {
      this.#remember(this.#again, row)
      return true
    }
    if (row.previousId !== undefined && !this.#known.has(row.previousId)) {
      this.rewind(row.previousSeq ?? 1)
      return false
    }
    this.#remember(this.#first, row)
    const isLast = (this.#first.at(-2)?.seq ?? 0) < row.seq
    if (!isLast) this.#first.sort((a, b) => a.seq - b.seq)
    return true
  }

  /** Moves the cursor back: a delivery at this `seq` may be unread. */
  rewind(seq: number): void {
    this.cursor = Math.min(this.cursor, seq - 1)
    this.mayHaveMore = true
  }

  /** The breaker is open. */
  isPaused(now: Date): boolean {
    return this.config !== undefined && this.health?.openUntil !== undefined && now < this.health.openUntil
  }

  /** Everything in memory that is not under way is read again. */
  reset(): void {
    this.generation++
    for (const { notificationId } of [...this.#first.splice(0), ...this.#again.splice(0)]) {
      this.#known.delete(notificationId)
    }
    this.config = undefined
    this.rewind(1)
    this.againAt = 0
  }

  /** The next delivery that may begin, taken out of the queue. */
  next(kind: 'first' | 'again', now: number): QueuedRow | undefined {
    const open = this.health?.openUntil
    if (!this.config?.active || (open !== undefined && (now < open.getTime() || this.#isProbing))) return undefined
    if (this.#underWay >= this.#slots) return undefined
    if (kind === 'again' && this.#againUnderWay >= Math.max(1, this.#slots / 2)) return undefined
    const row = kind === 'first' ? this.#nextFirst() : this.#again.shift()
    if (row === undefined) return undefined
    this.#underWay++
    if (kind === 'again') this.#againUnderWay++
    else this.#busy.add(row.resourceId)
    this.#isProbing = open !== undefined
    return row
  }

  /** Frees the attempt's slot and lets the next delivery of the resource begin. */
  ended(row: QueuedRow): void {
    this.#underWay--
    if (row.priority === 'FIRST') this.#busy.delete(row.resourceId)
    else this.#againUnderWay--
    this.#isProbing = false
  }

  /** Updates the breaker and the number of slots after an attempt. */
  learn(outcome: AttemptOutcome, sign: Omit<HealthSign, 'isProbe'>): void {
    if (outcome.kind === 'failed' && outcome.stalled) return
    const wasOpen = this.health?.openUntil
    const isProbe = wasOpen !== undefined && wasOpen <= sign.at
    this.health = afterSign(this.health, { ...sign, isProbe })
    this.#slots = Math.min(this.#maxSlots, Math.max(1, nextSlots(this.#slots, outcome, sign.durationMs)))
    this.isQuick =
      sign.acknowledged && sign.durationMs < QUICK_MS && this.#slots >= Math.min(FIRST_SLOTS, this.#maxSlots)
    if (this.health?.openUntil !== undefined && wasOpen === undefined)
      this.#slots = Math.min(FIRST_SLOTS, this.#maxSlots)
  }

  /** Forgets a delivery whose attempt is saved, here or by another process. */
  forget({ notificationId }: Pick<QueuedRow, 'notificationId'>): void {
    this.#known.delete(notificationId)
  }

  #remember(queue: QueuedRow[], row: QueuedRow): void {
    queue.push(row)
    this.#known.add(row.notificationId)
  }

  /** Decisions 7: "first attempts go out in the order things happened", for each resource. */
  #nextFirst(): QueuedRow | undefined {
    const at = this.#first.findIndex(({ resourceId }) => !this.#busy.has(resourceId))
    return at < 0 ? undefined : this.#first.splice(at, 1)[0]
  }
}

/** The limit of a new hook: a hundred hanging hooks leave slots for others. The owner reads more deliveries of a queue that has fewer in memory. */
export const FIRST_SLOTS = 8
/** The highest limit of a hook: a slow endpoint gets no flood when its breaker closes. */
export const MAX_SLOTS_PER_HOOK = 32
/** A quarter of the time that an endpoint has. */
const QUICK_MS = 500

/**
 * The slots of a hook after an attempt: more while the endpoint answers quickly, fewer when it is slow, half after a timeout or "too
 * many requests".
 */
function nextSlots(slots: number, outcome: AttemptOutcome, durationMs: number): number {
  if (outcome.kind === 'failed') return outcome.reason === 'timeout' ? slots / 2 : slots
  if (outcome.httpStatus === 429 || outcome.httpStatus === 503) return slots / 2
  if (durationMs >= SLOW_MS) return slots * 0.8
  if (!acknowledged(outcome)) return slots
  if (slots < FIRST_SLOTS) return slots + 1
  return durationMs < QUICK_MS ? slots + 1 / slots : Math.max(FIRST_SLOTS, slots * 0.8)
}
