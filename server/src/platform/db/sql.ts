import type postgres from 'postgres'
import type { Db, Sql, Tx } from './db.ts'

/** A row as the core has it: absent where the column is null. */
export type Present<Row> = { readonly [K in keyof Row as null extends Row[K] ? never : K]: Row[K] } & {
  readonly [K in keyof Row as null extends Row[K] ? K : never]?: Exclude<Row[K], null>
}

/** Drops the nulls of a row: SQL has null for what is not there, our types have nothing. */
export function present<Row extends object>(row: Row): Present<Row> {
  // Column by column: lists of pairs took seven times as long, and renewals read some 60 columns each.
  const kept: { [K in keyof Row]?: Row[K] } = {}
  for (const column in row) if (row[column] !== null) kept[column] = row[column]
  return kept as unknown as Present<Row>
}

type Type<T> = postgres.PostgresType<readonly (T | null)[]>

/**
 * The array types that our statements use, by PostgreSQL's fixed numbers. The driver could ask the server for all of them on
 * each new connection, but a connection that is lost while it does so ends the process.
 * Source: porsager/postgres#1192.
 */
export const ARRAY_TYPES = {
  booleans: arrayType(1000, text => text === 't'),
  integers: arrayType(1007, Number),
  texts: arrayType(1009, text => text),
  bigints: arrayType(1016, Number),
  dates: arrayType(1182, text => new Date(text)),
  timestamps: arrayType(1185, text => new Date(text)),
  uuids: arrayType(2951, text => text),
} as const

function arrayType<T>(oid: number, parse: (text: string) => T): Type<T> {
  return {
    to: oid,
    from: [oid],
    serialize: (values: readonly unknown[]) => `{${values.map(literalOf).join(',')}}`,
    parse: (literal: string) => parseArray(literal, parse),
  }
}

function literalOf(value: unknown): string {
  if (value === null) return 'null'
  const text = value instanceof Date ? value.toISOString() : String(value)
  // Most have nothing to escape, and looking is cheaper than replacing nothing.
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return isEscapedAsJson(text) ? JSON.stringify(text) : `"${text.replace(EACH_TO_ESCAPE, '\\$&')}"`
}

const EACH_TO_ESCAPE = /["\\]/g

/**
 * JSON puts a backslash before the same two, in half of the time: the body of each notification goes this way. What it also escapes is
 * written in another way there.
 */
function isEscapedAsJson(text: string): boolean {
  return !CONTROLS.test(text) && text.isWellFormed()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
const CONTROLS = /[\0-\x1f]/

/** Of one dimension. Quoted: with a backslash before what would end it; unquoted: as it is, or NULL. */
function parseArray<T>(literal: string, parse: (text: string) => T): (T | null)[] {
  const items = literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs)
  return [...items].map(([plain, quoted]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
    return plain === 'NULL' ? null : parse(plain)
  })
}

/**
 * A part of a statement that is put together from many: text, and the values that travel apart from it. The driver's own
 * fragments do the same, and each costs as much as a statement of its own; a page is read by a statement of some twenty.
 */
export class Part {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** Parts among the values become text of this one. */
export function part(strings: TemplateStringsArray, ...values: readonly unknown[]): Part {
  const texts: string[] = []
  const kept: unknown[] = []
  let text = strings[0] ?? ''
  values.forEach((value, index) => {
    const after = strings[index + 1] ?? ''
    if (value instanceof Part) {
      const [first = '', ...others] = value.strings
      text += first
      for (const other of others) {
        texts.push(text)
        text = other
      }
      kept.push(...value.values)
      text += after
    } else {
      texts.push(text)
      kept.push(value)
      text = after
    }
  })
  texts.push(text)
  return new Part(texts, kept)
}

/** Sends what was put together, as if it had been written as one template. */
export function send<Rows extends readonly postgres.MaybeRow[]>(sql: Sql, { strings, values }: Part) {
  return sql<Rows>(templateOf(strings), ...(values as postgres.ParameterOrFragment<never>[]))
}

/** One for each text: the driver remembers every template that it was ever given. */
const templates = new Map<string, TemplateStringsArray>()

function templateOf(strings: readonly string[]): TemplateStringsArray {
  const text = strings.join('\0')
  const known = templates.get(text)
  if (known) return known
  const template = Object.assign([...strings], { raw: strings })
  templates.set(text, template)
  return template
}

interface PlannedOptions {
  /** Whether a commit waits for the disk. */
  readonly durability?: 'on' | 'off'
  /**
   * `anew` plans each statement for what the tables hold now. Not where rows are inserted that refer to others: PostgreSQL would plan
   * the check of each reference anew for each row, which took four times as long. `once` plans for any values, at the first
   * use of a connection: for statements that have one good plan, however much the tables hold. No row is then sorted that an
   * index could have given in order.
   */
  readonly plans?: 'kept' | 'anew' | 'once'
}

/**
 * A transaction on tables that are empty at one moment and hold 100,000 rows at the next, where a few rows of many are always
 * asked for by name. PostgreSQL keeps the plan of the first moment, and counts on what it knew of a table a minute ago: it then reads
 * whole tables, or an index of another order, for each row. So the ways to read everything are barred.
 */
export function plannedTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { durability = 'on', plans = 'kept' }: PlannedOptions = {},
): Promise<T> {
  return db.transaction(async tx => {
    const [, result] = await pipeline([demandPlans(tx.sql, { durability, plans }), work(tx)])
    return result
  })
}

/** For the rest of a transaction. A function of its own: a statement is sent when it is waited for, and this one must be sent before those of the work. */
export async function demandPlans(sql: Sql, { durability = 'on', plans = 'kept' }: PlannedOptions): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true),
      set_config('enable_sort', 'off', true),
      set_config('enable_incremental_sort', ${plans === 'once' ? 'off' : 'on'}, true),
      set_config('plan_cache_mode', ${PLAN_CACHE_MODES[plans]}, true),
      set_config('synchronous_commit', ${durability}, true)`
}

/**
 * For the rest of somebody else's transaction: a row that is asked for by its key, or the first in the order of an index, is found by that index.
 * Planned while the table was all but empty, another index that names fewer columns, and a sort, look as cheap: it would then read
 * thousands of rows for each one. As `demandPlans`, a function of its own.
 */
export async function keepToIndexes(sql: Sql): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`
}

/** Where a transaction goes on with other work. The durability that was demanded stays. */
export async function endDemands(sql: Sql): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'on', true), set_config('enable_hashjoin', 'on', true),
      set_config('enable_mergejoin', 'on', true), set_config('enable_material', 'on', true),
      set_config('enable_sort', 'on', true), set_config('enable_incremental_sort', 'on', true),
      set_config('plan_cache_mode', 'auto', true)`
}

const PLAN_CACHE_MODES = { kept: 'auto', anew: 'force_custom_plan', once: 'force_generic_plan' } as const

/** Said of every statement after the one that failed: it is never the cause. */
const TRANSACTION_ABORTED = '25P02'

/**
 * Several pieces of work in one transaction at once: their statements travel together. Unlike `Promise.all` it waits for all
 * of them before it fails, so that nothing is sent any more when the transaction rolls back.
 */
export async function pipeline<T extends readonly unknown[]>(
  work: {
    readonly [K in keyof T]: PromiseLike<T[K]>
  },
): Promise<T> {
  const settled = await Promise.allSettled(work)
  const failed = settled.filter(result => result.status === 'rejected').map(({ reason }) => reason)
  if (failed.length > 0) throw failed.find(reason => reason?.code !== TRANSACTION_ABORTED) ?? failed[0]
  return settled.map(result => (result.status === 'fulfilled' ? result.value : undefined)) as unknown as T
}

/** More would only make the statements smaller: one is being answered while the next is on its way. */
const STATEMENTS_AT_ONCE = 2

/**
 * Single things, read or done, many by one statement: those that are asked for in one turn of the event loop, and while two
 * statements are under way, go together by the next. A lone one waits for nobody. Each is read after it was asked for.
 * Things of one key are one thing; of rows the key is their id.
 */
export function gather<Row, Thing = string>(
  doAll: (things: readonly Thing[]) => Promise<ReadonlyMap<string, Row>>,
  keyOf: (thing: Thing) => string = String,
  statementsAtOnce = STATEMENTS_AT_ONCE,
): (thing: Thing) => Promise<Row | undefined> {
  let waiting = new Map<string, PromiseWithResolvers<Row | undefined> & { thing: Thing }>()
  let underWay = 0

  const send = async () => {
    const asked = waiting
    waiting = new Map()
    try {
      const rows = await doAll([...asked.values()].map(({ thing }) => thing))
      for (const [key, { resolve }] of asked) resolve(rows.get(key))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
    underWay--
    sendSoon()
  }
  const sendSoon = () => {
    if (waiting.size === 0 || underWay === statementsAtOnce) return
    underWay++
    setImmediate(send)
  }

  return thing => {
    const key = keyOf(thing)
    const known = waiting.get(key)
    if (known) return known.promise
    const asked = { ...Promise.withResolvers<Row | undefined>(), thing }
    waiting.set(key, asked)
    if (waiting.size === 1) sendSoon()
    return asked.promise
  }
}
