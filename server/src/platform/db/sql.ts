import type postgres from 'postgres'
import type { Db, Sql, Tx } from './db.ts'

/** A row in which null columns are absent, as the core's types require. */
export type Present<Row> = { readonly [K in keyof Row as null extends Row[K] ? never : K]: Row[K] } & {
  readonly [K in keyof Row as null extends Row[K] ? K : never]?: Exclude<Row[K], null>
}

/** The row of a record: an absent field is a null column. */
export type RowOf<Fields> = {
  [K in keyof Fields]-?: undefined extends Fields[K] ? Exclude<Fields[K], undefined> | null : Fields[K]
}

/** Removes the null columns of a row. */
export function present<Row extends object>(row: Row): Present<Row> {
  // Column by column: lists of pairs took seven times as long, and renewals read some 60 columns each.
  const kept: { [K in keyof Row]?: Row[K] } = {}
  for (const column in row) if (row[column] !== null) kept[column] = row[column]
  return kept as unknown as Present<Row>
}

type Type<T> = postgres.PostgresType<readonly (T | null)[]>

/**
 * The array types of our statements, by PostgreSQL's fixed numbers. The driver can query all types on each new connection, but a
 * connection that is lost during the query ends the process. Source: porsager/postgres#1192.
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
  // Most texts need no escape, and `includes` is cheaper than `replace`.
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return isEscapedAsJson(text) ? JSON.stringify(text) : `"${text.replace(EACH_TO_ESCAPE, '\\$&')}"`
}

const EACH_TO_ESCAPE = /["\\]/g

/**
 * JSON escapes the same two characters in half the time, and every notification body passes here. Text with other characters that JSON
 * escapes takes the slow path.
 */
function isEscapedAsJson(text: string): boolean {
  return !CONTROLS.test(text) && text.isWellFormed()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
const CONTROLS = /[\0-\x1f]/

/** Parses an array with one dimension. A quoted value has backslash escapes; an unquoted value is plain text or NULL. */
function parseArray<T>(literal: string, parse: (text: string) => T): (T | null)[] {
  const items = literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs)
  return [...items].map(([plain, quoted]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
    return plain === 'NULL' ? null : parse(plain)
  })
}

/**
 * A part of a composed statement: its text and its parameters. A fragment of the driver costs as much as a statement, and a page of results
 * composes about twenty parts.
 */
export class Part {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** Values that are parts become text of this part. */
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

/** Sends assembled parts as if one template had contained them. */
export function send<Rows extends readonly postgres.MaybeRow[]>(sql: Sql, { strings, values }: Part) {
  return sql<Rows>(templateOf(strings), ...(values as postgres.ParameterOrFragment<never>[]))
}

/** One array per text, because the driver remembers every template array for ever. */
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
   * `anew` plans each statement for the current size of the tables. Inserts with foreign keys must not use `anew`: PostgreSQL would plan the
   * check of each key for each row, which took four times as long. `once` makes one generic plan per connection, for statements whose plan
   * suits tables of every size, and reads rows in index order instead of sorting them.
   */
  readonly plans?: 'kept' | 'anew' | 'once'
}

/**
 * A transaction on tables that may grow from empty to 100,000 rows within a minute, and whose statements find few rows by key. PostgreSQL
 * keeps plans that it made for the empty tables, and would read whole tables, or an index in another order, for each row. Planner options
 * therefore disable sequential scans, hash joins and sorts.
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

/**
 * Sets planner options for the rest of the transaction. A function of its own: the driver sends a statement when it is awaited, and this
 * statement must precede those of the work.
 */
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
 * For the rest of the caller's transaction, finds rows by key or by index order. A plan made for an almost empty table may prefer a sort
 * or a narrower index and later read thousands of rows per lookup. A separate function for the same reason as `demandPlans`.
 */
export async function keepToIndexes(sql: Sql): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`
}

/** Resets the planner options for the transaction's remaining work. The durability setting stays. */
export async function endDemands(sql: Sql): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'on', true), set_config('enable_hashjoin', 'on', true),
      set_config('enable_mergejoin', 'on', true), set_config('enable_material', 'on', true),
      set_config('enable_sort', 'on', true), set_config('enable_incremental_sort', 'on', true),
      set_config('plan_cache_mode', 'auto', true)`
}

const PLAN_CACHE_MODES = { kept: 'auto', anew: 'force_custom_plan', once: 'force_generic_plan' } as const

/** PostgreSQL reports this error for every statement after the failed one. Another error is the cause. */
const TRANSACTION_ABORTED = '25P02'

/**
 * Runs several pieces of work in one transaction at once, so their statements share round trips. Unlike `Promise.all`, waits for all
 * pieces before failing, so no statement is sent after the rollback.
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

/** While PostgreSQL runs one statement, the next one is on its way. More concurrent statements would only make each batch smaller. */
const STATEMENTS_AT_ONCE = 2

/**
 * Batches single lookups or writes: requests within one turn of the event loop, or while two statements are under way, share the next
 * statement. A lone request does not wait. Each read begins after its request. Requests with equal keys are answered by one row.
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
