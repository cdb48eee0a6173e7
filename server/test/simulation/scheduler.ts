import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Random } from './random.ts'

/** A process from its start to its crash. */
export interface Life {
  name: string
  isDead: boolean
  /** Steps of the start are not scheduled. */
  isStarting: boolean
  /** The process stands still, as without processor time. */
  isPaused?: boolean
}

/** A request, or a run of a background job. */
export interface Task {
  readonly name: string
  readonly life: Life
  state: 'running' | 'done' | 'lost'
  result: unknown
  /** The task never ends, and may wait for a timer. */
  readonly isBackground: boolean
  /** Paused, with its locks held. */
  isPaused: boolean
}

interface Step {
  readonly id: number
  readonly label: string
  readonly task: Task
  /** The connection: steps of a connection go in sequence. */
  readonly connection: object
  /** May wait for a lock. */
  readonly locks: boolean
  readonly work: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  settled?: { readonly value: unknown } | { readonly error: unknown }
}

/** The state of a step. */
export interface Way {
  readonly connection?: object
  readonly locks?: boolean
}

/**
 * Runs one step at a time. Every await of a process (a statement, a commit, a gateway call) is a step that waits until it is chosen at
 * random. A step that waits for a row lock stays in flight while others continue. Results are delivered in the order of the steps, so a
 * run repeats exactly. If possible only one step waits for a lock, because PostgreSQL may choose either of two.
 */
export interface Scheduler {
  step<T>(life: Life, label: string, work: () => Promise<T>, way?: Way): Promise<T>
  spawn(life: Life, name: string, work: () => Promise<unknown>, options?: { isBackground?: boolean }): Task
  /** Runs one step of one task. False: no step is possible. */
  turn(random: Random): Promise<boolean>
  /** Ends a life between two steps. */
  kill(life: Life): void
  running(): readonly Task[]
  /** The steps so far, in order. */
  readonly trace: string[]
}

/** Longer than most statements. A longer statement is checked for locks, each time after twice the time. */
const LOOK_FOR_LOCKS_MS = 4
const STUCK_MS = 30_000
const MOST_TURNS = 2_000
/** A task may also wait for a timer of a few milliseconds. */
const MOST_QUICK_TURNS = 500

export function createScheduler({ countBlocked }: { countBlocked(): Promise<number> }): Scheduler {
  const current = new AsyncLocalStorage<Task>()
  const tasks = new Set<Task>()
  const trace: string[] = []
  let pending: Step[] = []
  let inFlight: Step[] = []
  let steps = 0
  let onSettled = () => {}
  /** Connections with possible locks, whose transactions must go on. */
  const holders = new WeakSet<object>()

  function start(step: Step): void {
    pending = pending.filter(other => other !== step)
    inFlight.push(step)
    if (step.locks) holders.add(step.connection)
    trace.push(`${step.task.life.name} ${step.task.name}: ${step.label}`)
    const settle = (settled: NonNullable<Step['settled']>) => {
      step.settled = settled
      onSettled()
    }
    current.run(step.task, step.work).then(
      value => settle({ value }),
      error => settle({ error }),
    )
  }

  /** Waits until each step in flight has settled, or waits for a lock of a paused task. */
  async function settle(): Promise<void> {
    // Adds up waits instead of reading a clock: a process that was stopped meanwhile has not waited.
    let waitedMs = 0
    for (let patienceMs = LOOK_FOR_LOCKS_MS; ; patienceMs *= 2) {
      const unsettled = () => inFlight.filter(step => step.settled === undefined).length
      if (unsettled() === 0) return
      const isSettled = await new Promise<boolean>(resolve => {
        const timer = setTimeout(() => resolve(false), patienceMs)
        onSettled = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
      if (!isSettled && unsettled() > 0 && (await countBlocked()) === unsettled()) return
      if (!isSettled) waitedMs += patienceMs
      assert.ok(waitedMs < STUCK_MS, `no end of: ${inFlight.map(({ label }) => label)}`)
    }
  }

  /** Waits until every task waits for a step or is done. */
  async function rest(): Promise<void> {
    await nextTurn()
    await nextTurn()
    for (let turns = 0; ; turns++) {
      const waiting = new Set([...pending, ...inFlight].map(({ task }) => task))
      const lively = [...tasks].find(task => !task.isBackground && !waiting.has(task))
      if (lively === undefined) return
      assert.ok(turns < MOST_TURNS, `${lively.name} waits for something that is not on the schedule`)
      await (turns < MOST_QUICK_TURNS ? nextTurn() : wait(1))
    }
  }

  async function handOver(step: Step): Promise<void> {
    inFlight = inFlight.filter(other => other !== step)
    const { settled } = step
    assert.ok(settled)
    if ('error' in settled) step.reject(settled.error)
    else step.resolve(settled.value)
    await rest()
  }

  /** Earlier steps of the connection are answered. */
  function isNext({ id, connection }: Step): boolean {
    return ![...pending, ...inFlight].some(other => other.connection === connection && other.id < id)
  }

  /** Steps that may be sent now. */
  function readySteps(): Step[] {
    const ready = pending.filter(step => !step.task.isPaused && !step.task.life.isPaused && isNext(step))
    if (inFlight.length === 0) return ready
    const harmless = ready.filter(({ locks, connection }) => !locks || holders.has(connection))
    // The lock holder may be paused.
    return harmless.length > 0 || [...tasks].some(({ isPaused, life }) => isPaused || life.isPaused) ? harmless : ready
  }

  return {
    trace,
    running: () => [...tasks],
    step<T>(life: Life, label: string, work: () => Promise<T>, way: Way = {}): Promise<T> {
      if (life.isStarting) return work()
      if (life.isDead) return new Promise(() => {})
      const task = current.getStore()
      assert.ok(task, `nobody's step: ${label}`)
      return new Promise<unknown>((resolve, reject) => {
        const { connection = {}, locks = false } = way
        pending.push({ id: steps++, label, task, connection, locks, work, resolve, reject })
      }) as Promise<T>
    },
    spawn(life, name, work, { isBackground = false } = {}) {
      const task: Task = { name, life, state: 'running', result: undefined, isBackground, isPaused: false }
      tasks.add(task)
      const end = (result: unknown) => {
        if (task.state === 'lost') return
        Object.assign(task, { state: 'done', result })
        tasks.delete(task)
      }
      current.run(task, work).then(end, end)
      return task
    },
    async turn(random) {
      await rest()
      const settled = inFlight.find(step => step.settled !== undefined)
      if (settled !== undefined) {
        await handOver(settled)
        return true
      }
      const ready = readySteps()
      if (ready.length === 0) return false
      start(random.pick(ready))
      await settle()
      inFlight.sort((a, b) => a.id - b.id)
      return true
    },
    kill(life) {
      life.isDead = true
      pending = pending.filter(({ task }) => task.life !== life)
      inFlight = inFlight.filter(({ task }) => task.life !== life)
      for (const task of tasks) {
        if (task.life !== life) continue
        task.state = 'lost'
        tasks.delete(task)
      }
    },
  }
}
