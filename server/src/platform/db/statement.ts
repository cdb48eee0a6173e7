import type { Sql } from './db.ts'

/** Sends the statements of a tag. */
export interface Sender {
  readonly driver: Sql
  /** Asks for a connection and calls `go` with its driver; `go` calls `answered` once the answer is there. */
  ask(go: (driver: Sql, answered: () => void) => void, reject: (error: unknown) => void): void
}

/** A template tag whose statements ask the current sender for a connection when they are awaited. */
export function follow(current: () => Sender): Sql {
  return new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _self, [strings, ...args]) => {
      const sender = current()
      const query = make(sender.driver, strings, args)
      if (query instanceof Promise) sendBy(query as Query, sender)
      return query
    },
    get: (_target, name) => Reflect.get(current().driver, name),
  })
}

/** The driver's lazy promise of a statement: awaiting it calls `handler`. A part of another statement is never awaited. */
interface Query extends Promise<unknown> {
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  handler: (query: Query) => void
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
}

function make(driver: Sql, strings: unknown, args: readonly unknown[]): unknown {
  return Reflect.apply(driver, undefined, [strings, ...args])
}

function sendBy(query: Query, sender: Sender): void {
  const send = query.handler
  query.handler = () => {
    const go = (driver: Sql, answered: () => void) => {
      // The promise's own `then`: a caller may have replaced that of the query, as the simulation does.
      Promise.prototype.then.call(query, answered, answered)
      // The pool may have been replaced while the statement waited for its turn.
      if (driver === sender.driver) send(query)
      else (make(driver, query.strings, query.args) as Query).then(query.resolve, query.reject)
    }
    sender.ask(go, query.reject)
  }
}
