import type postgres from 'postgres'
import type { Sql } from './db.ts'

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
