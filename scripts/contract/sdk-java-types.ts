import type { Document, Operation, Schema } from './sdk-types.ts'

type Schemas = Readonly<Record<string, Schema>>
interface Field {
  readonly type: string
  /** The function that reads the value from JSON. */
  readonly read: string
  /** A class or an enum inside the class of the field. */
  readonly nested?: string
}

const KEYWORDS = (
  'abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for ' +
  'goto if implements import instanceof int interface long native new null package private protected public return short static strictfp super ' +
  'switch synchronized this throw throws transient true try void volatile while'
).split(' ')
const BOXED: Readonly<Record<string, string>> = { long: 'Long', double: 'Double', boolean: 'Boolean' }

/** The Java classes of schemas. A class of `requests` also has setters; `pages` names the field that holds the items of a page of results. */
export function typesOf(schemas: Schemas, requests: ReadonlySet<string>, pages: ReadonlyMap<string, string>) {
  const model = (name: string, schema: Schema) => {
    const isRequest = requests.has(name)
    return `${describe(schema, name)}public ${classOf(name, schema, isRequest, pages.get(name))}`
  }

  function classOf(name: string, schema: Schema, isRequest: boolean, items?: string): string {
    const { properties = {}, required = [] } = schema
    const fields = Object.entries(properties).map(([wire, of]) => ({
      wire,
      name: identifier(wire),
      isRequired: required.includes(wire),
      ...fieldOf(wire, of, isRequest, name),
    }))
    const page = fields.find(({ wire }) => wire === items)
    const item = page?.type.replace(/^List<(.*)>$/, page.nested === undefined ? '$1' : `${name}.$1`)
    const parent = item === undefined ? 'Model' : `Page<${item}>`
    const lines = [
      ...(isRequest ? [`public ${name}() {}`] : []),
      `public ${name}(Map<String, ?> fields) { super(fields); }`,
      ...(item === undefined ? [] : [`@Override public List<${item}> items() { return ${items}(); }`]),
      ...fields.map(getter),
      ...(isRequest ? fields.map(field => setter(name, field)) : []),
      ...fields.flatMap(({ nested }) => (nested === undefined ? [] : [nested])),
    ]
    return `final class ${name} extends ${parent} {\n${indent(lines)}}\n`
  }

  /** `owner` is the class of the field: a class inside it has another name. */
  function fieldOf(wire: string, schema: Schema, isRequest: boolean, owner?: string): Field {
    const nestedName = `${capital(wire)}${capital(wire) === owner ? 'Value' : ''}`
    if (schema.$ref !== undefined) {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
      if (name === 'Timestamp') return INSTANT
      const target = schemas[name]
      if (target?.properties || target?.anyOf) return { type: name, read: `object(${name}::new)` }
      return fieldOf(wire, target ?? {}, isRequest, owner)
    }
    if (schema.format === 'date-time') return INSTANT
    if (schema.enum) {
      return { type: nestedName, read: `${nestedName}::of`, nested: enumOf(nestedName, schema.enum) }
    }
    if (schema.type === 'array') {
      const { type, read, nested } = fieldOf(singular(wire), schema.items ?? {}, isRequest, owner)
      return { type: `List<${BOXED[type] ?? type}>`, read, ...(nested !== undefined && { nested }) }
    }
    if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0) {
      const nested = `${describe(schema)}public static ${classOf(nestedName, schema, isRequest)}`
      return { type: nestedName, read: `object(${nestedName}::new)`, nested }
    }
    return SCALARS[String(schema.type)] ?? { type: 'Object', read: 'Model::asIs' }
  }

  function union(name: string, { anyOf = [], description }: Schema): string {
    const members = anyOf.map(({ $ref = '' }) => $ref.slice($ref.lastIndexOf('/') + 1))
    const lines = members.map(member => {
      const others = members.filter(other => other !== member)
      const mark = schemas[member]?.required?.find(field => others.every(other => !schemas[other]?.properties?.[field]))
      if (mark === undefined) throw new Error(`${name}: no required field tells ${member} from ${others.join()}`)
      return `/** The ${member}, if this is one. */\npublic Optional<${member}> as${member}() { return has("${mark}") ? Optional.of(new ${member}(toMap())) : Optional.empty(); }`
    })
    const either = members.map(member => `{@link ${member}}`).join(' or ')
    return `/** ${description ?? `Either ${either}.`} */\npublic final class ${name} extends Model {\n${indent([`public ${name}(Map<String, ?> fields) { super(fields); }`, ...lines])}}\n`
  }

  function query(name: string, summary: string, parameters: NonNullable<Operation['parameters']>): string {
    const fields = parameters.map(({ name: wire, schema }) => ({
      wire,
      name: identifier(wire),
      ...fieldOf(wire, schema, true),
    }))
    const lines = [
      ...fields.map(field => setter(name, field)),
      ...fields.flatMap(({ nested }) => (nested === undefined ? [] : [nested])),
    ]
    return `/** Optional parameters of the operation "${summary}". */\npublic final class ${name} extends Query {\n${indent(lines)}}\n`
  }

  return { model, union, query }
}

const INSTANT: Field = { type: 'Instant', read: 'Model::asInstant' }
const SCALARS: Readonly<Record<string, Field>> = {
  string: { type: 'String', read: 'Model::asText' },
  integer: { type: 'long', read: 'Model::asLong' },
  number: { type: 'double', read: 'Model::asDouble' },
  boolean: { type: 'boolean', read: 'Model::asBoolean' },
  object: { type: 'Map<String, Object>', read: 'Model::asMap' },
}

interface Named extends Field {
  readonly wire: string
  readonly name: string
  readonly isRequired: boolean
}

function getter({ wire, name, type, read, isRequired }: Named): string {
  if (type.startsWith('List<')) return `public ${type} ${name}() { return list("${wire}", ${read}); }`
  if (isRequired) return `public ${type} ${name}() { return required("${wire}", ${read}); }`
  return `public Optional<${BOXED[type] ?? type}> ${name}() { return optional("${wire}", ${read}); }`
}

function setter(owner: string, { wire, name, type }: Pick<Named, 'wire' | 'name' | 'type'>): string {
  return `public ${owner} ${name}(${type} ${name}) { set("${wire}", ${name}); return this; }`
}

function enumOf(name: string, values: readonly unknown[]): string {
  const constants = values.map(value => [constantOf(String(value)), JSON.stringify(value)] as const)
  const isPlain = constants.every(([constant, value]) => value === `"${constant}"`)
  const known = constants.map(([constant, value]) => (isPlain ? constant : `${constant}(${value})`)).join(', ')
  const wire = `
  private final String value;
  ${name}(String value) { this.value = value; }
  @Override public String value() { return value; }`
  return `public enum ${name} implements Value {
  ${known},
  /** A value that is newer than this SDK. */
  UNRECOGNIZED${isPlain ? '' : '("UNRECOGNIZED")'};
${isPlain ? '' : wire}
  static ${name} of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
}
`
}

/** The schemas that requests hold, directly or inside another. */
export function requestSchemas({ components, paths }: Document): Set<string> {
  const found = new Set<string>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') visit(inner)
      else if (inner.startsWith('#/components/schemas/')) {
        const name = inner.slice(inner.lastIndexOf('/') + 1)
        if (found.has(name)) continue
        found.add(name)
        visit(components.schemas[name])
      }
    }
  }
  for (const item of Object.values(paths)) for (const { requestBody } of Object.values(item)) visit(requestBody)
  return found
}

function describe({ description }: Schema, name?: string): string {
  const text = description ?? (name === undefined ? undefined : words(name))
  return text === undefined
    ? ''
    : `/** ${text.replaceAll('*/', '* /').replaceAll('&', '&amp;').replaceAll('<', '&lt;')} */\n`
}

/** `PlanChangePreview` → `Plan change preview.` */
function words(name: string): string {
  return `${name.replace(/(?<=.)[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}.`
}

/** The name of one item of a list. */
function singular(name: string): string {
  if (name === 'list') return 'item'
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name
}

function identifier(wire: string): string {
  const name = wire.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return KEYWORDS.includes(name) ? `${name}_` : name
}

function constantOf(value: string): string {
  return value
    .replace(/(?<=[a-z])[A-Z]/g, letter => `_${letter}`)
    .replace(/\W/g, '_')
    .toUpperCase()
}

function capital(name: string): string {
  return identifier(name)
    .replace(/^./, letter => letter.toUpperCase())
    .replace(/_$/, '')
}

function indent(parts: readonly string[]): string {
  return parts.map(part => `${part.trimEnd().replace(/^(?=.)/gm, '  ')}\n`).join('')
}
