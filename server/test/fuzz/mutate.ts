import type { Schema } from '../../src/runtime/openapi/openapi.ts'
import type { Random } from './random.ts'
import { anyValue, Raw, STRINGS } from './values.ts'

type Tree = Record<string, unknown>

/** A body with something else in a few of its places. */
export function mutate(body: unknown, schema: Schema, random: Random): unknown {
  let changed = body
  for (let times = random.pick([1, 1, 1, 1, 2, 3, 5]); times > 0; times--) changed = change(changed, schema, random)
  return changed
}

function change(value: unknown, schema: Schema, random: Random): unknown {
  if (Array.isArray(value)) return changeItems(value, schema, random)
  if (typeof value !== 'object' || value === null || value instanceof Raw) return anyValue(random, schema)
  const tree = value as Tree
  const names = Object.keys(tree)
  const what = random.below(20)
  if (what === 0) return anyValue(random, schema)
  if (what === 1) return { ...tree, [random.pick(STRINGS)]: anyValue(random) }
  const known = Object.keys(schema.properties ?? {})
  const name = what < 6 && known.length > 0 ? random.pick(known) : names.length > 0 ? random.pick(names) : 'x'
  const of = schema.properties?.[name] ?? {}
  if (what < 4) return Object.fromEntries(Object.entries(tree).filter(([key]) => key !== name))
  const isDeeper = typeof tree[name] === 'object' && random.chance(0.8)
  return { ...tree, [name]: isDeeper ? change(tree[name], of, random) : anyValue(random, of) }
}

function changeItems(items: readonly unknown[], schema: Schema, random: Random): unknown {
  const of = schema.items ?? {}
  const [what, at] = [random.below(6), random.below(Math.max(1, items.length))]
  if (what === 0) return anyValue(random, schema)
  if (what === 1) return items.length > 0 ? [...items, ...Array(random.pick([1, 2, 50, 300])).fill(items[at])] : [null]
  if (what === 2) return items.filter((_, index) => index !== at)
  return items.map((item, index) => (index === at ? change(item, of, random) : item))
}
