/** What this reads of a JSON Schema. */
interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, object>>
  readonly items?: object | readonly object[]
  readonly anyOf?: readonly object[]
  readonly allOf?: readonly object[]
  readonly patternProperties?: unknown
  readonly additionalProperties?: unknown
}

/**
 * A body without the members that its schema does not name, at any depth: clients may send more than we know (decisions 1), and
 * no use case is handed what its route never asked for, an id of somebody else's say. What a schema leaves open stays as it came.
 */
export function known(schema: object, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema as Schema
    return isOne(items) ? value.map(item => known(items, item)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const named = namedBy(schema)
  if (named === undefined) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const of = named.get(name)
    return of === undefined ? [] : [[name, known(of, member)]]
  })
  return Object.fromEntries(members)
}

/** Of all forms that it may have. Undefined: any of them is open. */
function namedBy(schema: object): Map<string, object> | undefined {
  const { properties = {}, anyOf = [], allOf = [], patternProperties, additionalProperties } = schema as Schema
  const forms = [...anyOf, ...allOf]
  const own = Object.entries(properties)
  if (forms.length === 0 && own.length === 0) return undefined
  if (patternProperties !== undefined || typeof additionalProperties === 'object') return undefined
  const named = new Map(own)
  for (const form of forms) {
    const { type = 'object' } = form as Schema
    if (type !== 'object') continue
    const ofForm = namedBy(form)
    if (ofForm === undefined) return undefined
    for (const [name, member] of ofForm) named.set(name, either(named.get(name), member))
  }
  return named
}

function either(one: object | undefined, other: object): object {
  return one === undefined ? other : { anyOf: [one, other] }
}

function isOne(items: Schema['items']): items is object {
  return items !== undefined && !Array.isArray(items)
}
