import { assert } from '../../core/assert.ts'
import type { Sql } from './db.ts'

/** By what a statement is made and sent. */
export interface Followed {
  readonly driver: Sql
  /** An answer is expected from now on. `go` is told by which driver it is sent, and what to call when its answer is there. */
  ask(go: (driver: Sql, answered: () => void) => void, refuse: (error: unknown) => void): void
}

/** A tag that sends each statement by the driver of that moment. */
export function follow(current: () => Followed): Sql {
  return new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _self, statement) => {
      const by = current()
      return followed(Reflect.apply(by.driver as never, undefined, statement), by)
    },
    get: (_target, name) => Reflect.get(current().driver, name),
  })
}

/** What the driver makes of a statement: a promise with all that it needs to send it. */
interface Query extends Promise<unknown> {
  readonly strings: readonly string[]
  args: readonly unknown[]
  parameters: readonly unknown[]
  string: string
  signature: string
  resolve: (rows: unknown) => void
}

function followed(made: unknown, by: Followed): unknown {
  if (!(made instanceof Promise)) return made
  if (!(Statement.prototype instanceof Promise)) beKnownTo(Object.getPrototypeOf(made))
  return new Statement(made as Query, by)
}

/**
 * It is sent when somebody waits for it, and from then on its answer is expected. A part of one never is. It stands for the driver's own
 * promise, which knows nothing of it.
 */
class Statement implements PromiseLike<unknown> {
  /** As the driver names them. */
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  #query: Query | undefined
  readonly #by: Followed
  #answer: Promise<unknown> | undefined

  constructor(query: Query, by: Followed) {
    this.strings = query.strings
    this.args = query.args
    this.#query = query
    this.#by = by
  }

  // biome-ignore lint/suspicious/noThenProperty: who waits for it, waits for its answer.
  then<Then = unknown, Else = never>(
    onAnswer?: ((rows: unknown) => Then | PromiseLike<Then>) | null,
    onFailure?: ((error: unknown) => Else | PromiseLike<Else>) | null,
  ): Promise<Then | Else> {
    return this.#send().then(onAnswer, onFailure)
  }

  /** Sends it now. */
  execute(): this {
    this.#send()
    return this
  }

  catch(onFailure: (error: unknown) => unknown): Promise<unknown> {
    return this.#send().catch(onFailure)
  }

  finally(onEnd: () => void): Promise<unknown> {
    return this.#send().finally(onEnd)
  }

  #send(): Promise<unknown> {
    const query = this.#query
    this.#query = undefined
    if (query) this.#answer = answerTo(query, this.#by)
    assert(this.#answer, 'a statement without its answer')
    return this.#answer
  }
}

/**
 * The driver tells by the prototype that one is a part of another statement, whose text and values it takes. What its own statements can do
 * besides, such as `cursor`, none of ours does.
 */
function beKnownTo(queries: object): void {
  const refuse = () => {
    throw new Error('A statement can be waited for or be a part of another: for more, ask the driver.')
  }
  const names = Object.getOwnPropertyNames(queries).filter(name => !Object.hasOwn(Statement.prototype, name))
  for (const name of names) Object.defineProperty(Statement.prototype, name, { get: refuse })
  Object.setPrototypeOf(Statement.prototype, queries)
}

function answerTo(made: Query, by: Followed): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const go = (driver: Sql, answered: () => void) => {
    // The pool may have been left while it waited for its turn.
    const query = driver === by.driver ? made : Reflect.apply(driver, undefined, [made.strings, ...made.args])
    handOver(query, { resolve, reject, answered })
  }
  by.ask(go, reject)
  return promise
}

interface Answer {
  resolve(rows: unknown): void
  reject(error: unknown): void
  answered(): void
}

/**
 * The driver's promise is left with nothing of what was asked and answered. V8 makes a function that is written where it is assigned to
 * a property among the old objects, as the driver does with two for each statement; and what an old object can reach is kept until the
 * slow collector comes, dead as it is. Values and rows of all statements were, 8 MB a second beside a backlog of retries, and each such
 * collection stops everything for tens of milliseconds.
 */
function handOver(query: Query, { resolve, reject, answered }: Answer): void {
  const settle = query.resolve
  const hand = (rows: unknown) => {
    query.resolve = settle
    query.args = query.parameters = []
    query.string = query.signature = ''
    resolve(rows)
    settle(undefined)
  }
  query.resolve = hand
  query.then(answered, error => {
    answered()
    reject(error)
  })
}

/** For what is called once, by somebody who keeps the function for longer, as the driver does with the work of a transaction (see `handOver`). */
export function callOnce<Given, Result>(call: (given: Given) => Result): (given: Given) => Result {
  let toCall: typeof call | undefined = call
  return given => {
    const called = toCall
    toCall = undefined
    assert(called, 'it was called before')
    return called(given)
  }
}
