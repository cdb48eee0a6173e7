import type { TSchema } from 'typebox'
import { AppUrn, DeviceUrn, Timestamp, Uuid } from './wire.ts'

interface JsonSchema {
  readonly type?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly format?: string
}

/**
 * The schema of an answer, for its serializer: strings that hold no character that JSON escapes are marked, so that none is
 * looked for. Most of a page of 50 is identifiers, instants and words of ours.
 */
export function forSerializer(answer: TSchema): TSchema {
  return marked(answer as JsonSchema) as TSchema
}

function marked(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema
  if (isPlain(schema)) return { ...schema, type: 'string', format: 'unsafe' }
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, marked(one)])),
    }),
    ...(items && { items: marked(items) }),
  }
}

const PLAIN_PATTERNS: ReadonlySet<string | undefined> = new Set(
  [Uuid, AppUrn, DeviceUrn, Timestamp].map(schema => (schema as JsonSchema).pattern),
)

function isPlain(schema: JsonSchema): boolean {
  return PLAIN_PATTERNS.has(schema.pattern) || schema.enum?.every(isPlainWord) === true
}

const isPlainWord = (value: unknown) => typeof value === 'string' && /^[A-Za-z0-9_.-]+$/.test(value)
