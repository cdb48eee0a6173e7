import type { TSchema } from 'typebox'
import { ANSWER_EXAMPLES } from './answer-examples.ts'
import { COMPONENTS } from './components.ts'
import type { Schema } from './openapi.ts'

const NAMES = new Map(Object.entries(COMPONENTS).map(([name, schema]) => [JSON.stringify(schema), name]))

/** A schema as the document has it: what has a name there by that name, the rest written out. */
export function schemaOf(schema: TSchema): Schema {
  return withNames(plain(schema)) as Schema
}

/** The schemas that have a name, with an example where there is one. */
export function namedSchemas(): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(COMPONENTS).map(([name, schema]) => {
      const example = ANSWER_EXAMPLES[name]
      return [name, { ...ofParts(plain(schema)), ...(example !== undefined && { examples: [example] }) }]
    }),
  )
}

function withNames(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNames)
  if (typeof node !== 'object' || node === null) return node
  const name = NAMES.get(JSON.stringify(node))
  return name === undefined ? ofParts(node) : { $ref: `#/components/schemas/${name}` }
}

function ofParts(node: object): Schema {
  const parts: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNames(value)]),
  )
  // TypeBox leaves the type of an enumeration to its values; generators of clients want it said.
  const isText =
    Array.isArray(parts.enum) && parts.type === undefined && parts.enum.every(one => typeof one === 'string')
  return isText ? { type: 'string', ...parts } : parts
}

/** Without what TypeBox notes for itself. */
function plain(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema)) as object
}
