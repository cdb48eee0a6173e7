import type { Db, Sql, Tx } from '../../src/platform/db/db.ts'
import type { Life, Scheduler } from './scheduler.ts'

/** Rewrites a statement, for negative controls. */
export type Rewrite = (text: string) => string

export interface ScheduledDbOptions {
  readonly life: Life
  readonly scheduler: Scheduler
  readonly rewrite?: Rewrite
  /** A deadlock, which the order of locks should prevent. */
  onDeadlock(): void
}

/** The database of one life: each begin, statement, commit and rollback is a step. Steps of a transaction keep their order. */
export function scheduledDb(db: Db, options: ScheduledDbOptions): Db {
  return { sql: scheduledSql(db.sql, options), transaction: work => scheduledTransaction(db, options, work) }
}

async function scheduledTransaction<T>(db: Db, options: ScheduledDbOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { life, scheduler } = options
  const begun = Promise.withResolvers<Tx>()
  const ending = Promise.withResolvers<() => Promise<T>>()
  const connection = {}
  let ended: Promise<T> | undefined
  let attempts = 0
  const tx = await scheduler.step(life, 'begin', async () => {
    ended = db.transaction(async tx => {
      if (attempts++ > 0) options.onDeadlock()
      begun.resolve(tx)
      return (await ending.promise)()
    })
    ended.catch(begun.reject)
    return await begun.promise
  })
  const wrapped: Tx = {
    sql: scheduledSql(tx.sql, options, connection),
    transaction: inner => inner(wrapped),
    afterCommit: action => tx.afterCommit(action),
  }
  const end = (label: string, last: () => Promise<T>) =>
    scheduler.step(
      life,
      label,
      () => {
        ending.resolve(last)
        return ended as Promise<T>
      },
      { connection },
    )
  let result: T
  try {
    result = await work(wrapped)
  } catch (error) {
    return await end('roll back', () => Promise.reject(error))
  }
  return await end('commit', async () => result)
}

function scheduledSql(sql: Sql, options: ScheduledDbOptions, connection?: object): Sql {
  const scheduled = (made: unknown) => (isQuery(made) ? onSchedule(made, options, connection) : made)
  return new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _self, args) =>
      scheduled(Reflect.apply(sql as never, undefined, rewritten(args, options.rewrite))),
    get: (_target, name) => {
      const value = Reflect.get(sql, name)
      return name === 'unsafe' ? (...args: never[]) => scheduled(Reflect.apply(value, sql, args)) : value
    },
  })
}

interface Query extends Promise<unknown> {
  readonly strings: readonly string[]
  execute(): unknown
}

function isQuery(made: unknown): made is Query {
  return made instanceof Promise && 'execute' in made
}

/** An awaited query waits for its turn before it is sent. A part of another query is never awaited. */
function onSchedule(query: Query, { life, scheduler }: ScheduledDbOptions, connection?: object): Query {
  const proto = Object.getPrototypeOf(query) as Promise<unknown>
  let sent: Promise<unknown> | undefined
  const send = () => {
    sent ??= scheduler.step(
      life,
      labelOf(query.strings),
      () => new Promise((resolve, reject) => void proto.then.call(query, resolve, reject)),
      { locks: LOCKS.test(query.strings.join('?')), ...(connection && { connection }) },
    )
    return sent
  }
  return Object.assign(query, {
    // biome-ignore lint/suspicious/noThenProperty: the driver's queries are thenables, and this is where they are sent.
    then: (ok: never, failed: never) => send().then(ok, failed),
    catch: (failed: never) => send().catch(failed),
    finally: (action: never) => send().finally(action),
    execute: () => {
      send().catch(() => {})
      return query
    },
  })
}

/** Locks or writes rows. */
const LOCKS = /\b(for (no key )?update|for (key )?share|insert into|update|delete from)\b/

const LABEL_LENGTH = 60

function labelOf(strings: readonly string[]): string {
  return strings.join('?').replace(/\s+/g, ' ').trim().slice(0, LABEL_LENGTH)
}

/** Cached by text: the driver identifies statements by their strings. */
const rewrites = new WeakMap<Rewrite, Map<string, TemplateStringsArray>>()

function rewritten(args: unknown[], rewrite: Rewrite | undefined): unknown[] {
  const [strings, ...values] = args
  if (rewrite === undefined || !Array.isArray(strings) || !('raw' in strings)) return args
  const text = strings.join('\0')
  const known = rewrites.get(rewrite) ?? new Map<string, TemplateStringsArray>()
  rewrites.set(rewrite, known)
  let template = known.get(text)
  if (template === undefined) {
    const changed = strings.map(rewrite)
    template = Object.assign(changed, { raw: changed })
    known.set(text, template)
  }
  return [template, ...values]
}
