import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyError, FastifySchemaValidationError, FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { AppUrn, DECLARED, DeviceUrn, LINE_PATTERN, TEXT_PATTERN, Timestamp, Uuid } from './wire.ts'

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type BuildValidator = NonNullable<Factories['buildValidator']>
type Validate = ((value: unknown) => unknown) & { errors?: unknown }

/** One compiler for all servers of a process, because the compiler caches its validators. */
const validators = AjvCompiler()

/**
 * Fastify's own compilers, but lazy: each validator and serializer is compiled by its first request. Compiling all would add almost a
 * second to each start and some 50 MiB.
 */
export const COMPILERS: Factories = {
  buildValidator: ((externalSchemas: never, options: never) => {
    const compile = validators(externalSchemas, options) as (route: never) => Validate
    return (route: never) => {
      let made: Validate | undefined
      const validate: Validate = value => {
        made ??= compile(route)
        const isRight = made(value)
        // Fastify reads the errors here.
        validate.errors = made.errors
        return isRight
      }
      return validate
    }
  }) as unknown as BuildValidator,
  buildSerializer(externalSchemas, options) {
    const compile = SerializerSelector()(externalSchemas, options)
    return route => {
      let serialize: ReturnType<typeof compile> | undefined
      return value => {
        serialize ??= compile(route)
        return serialize(value)
      }
    }
  },
}

interface JsonSchema {
  readonly type?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly format?: string
}

/**
 * Prepares a response schema for its serializer: marks strings that never contain characters to escape, so the serializer skips the
 * search. Identifiers and instants are most of a page of 50.
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

/** Validation never changes a value. */
export const AJV_OPTIONS = {
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  allErrors: false,
  verbose: true,
  strictTypes: false,
  strictTuples: false,
  keywords: [DECLARED] as string[],
} as const

const MAX_PATH = 200

/** The invalid part of the request. */
type Context = FastifyError['validationContext']

/** Decisions 1: "Missing, malformed or out-of-range known ones → 400 naming the field." Never repeats a value. */
export function rejectionOfValidation(errors: readonly FastifySchemaValidationError[], context: Context): Rejection {
  const error = errors.at(-1)
  if (error === undefined) return reject('INVALID_REQUEST', 'The request does not match its schema.')
  const path = pathOf(error)
  if ('missingProperty' in error.params) {
    return reject('MISSING_PARAMETER', `${path} is required.`, { fields: [{ path, problem: 'is required' }] })
  }
  const problem = isGivenTwice(error, context) ? 'is given twice' : problemOf(error, errors)
  return path === '' ? reject('INVALID_REQUEST', `The body ${problem}.`) : rejectField(path, problem)
}

/** `/plans/0/amounts/1/value` → `plans[0].amounts[1].value`. */
function pathOf({ instancePath, params }: FastifySchemaValidationError): string {
  const names = instancePath.split('/').slice(1).map(unescapePointer)
  if (typeof params.missingProperty === 'string') names.push(params.missingProperty)
  if (typeof params.additionalProperty === 'string') names.push(params.additionalProperty)
  const path = names.map(name => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('')
  return path.replace(/^\./, '').slice(0, MAX_PATH)
}

/** The query parser makes a list of a repeated parameter, and no query schema accepts a list. */
function isGivenTwice(error: FastifySchemaValidationError, context: Context): boolean {
  return context === 'querystring' && Array.isArray((error as { data?: unknown }).data)
}

function problemOf(error: FastifySchemaValidationError, errors: readonly FastifySchemaValidationError[]): string {
  const allowed = allowedBy(error, errors)
  if (allowed !== null) return `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`
  if (error.keyword === 'anyOf') return 'has none of the accepted forms'
  if (error.keyword === 'additionalProperties') return 'is not a known field'
  if (error.keyword === 'pattern') return problemOfPattern(error)
  const { limit, type } = error.params
  return PROBLEM_OF[error.keyword]?.(error.keyword === 'type' ? String(type) : Number(limit)) ?? 'is not valid'
}

/** The other keywords of our schemas. Ajv's own words are "must NOT have fewer than 1 characters". */
const PROBLEM_OF: Readonly<Record<string, (of: string | number) => string>> = {
  type: type => `must be ${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${type}`,
  minLength: least => (least === 1 ? 'must not be empty' : `must have at least ${least} characters`),
  maxLength: most => `must have at most ${most} characters`,
  minItems: least => (least === 1 ? 'must not be empty' : `must have at least ${least} entries`),
  maxItems: most => `must have at most ${most} entries`,
  minimum: least => `must be at least ${least}`,
  maximum: most => `must be at most ${most}`,
}

/** The words of an enumeration, also where it is written as a union of literals. */
function allowedBy(error: FastifySchemaValidationError, errors: readonly FastifySchemaValidationError[]) {
  if (error.keyword === 'enum' && Array.isArray(error.params.allowedValues)) return error.params.allowedValues
  if (error.keyword !== 'anyOf' && error.keyword !== 'const') return null
  const choices = errors.filter(one => one !== error || one.keyword === 'const')
  return choices.every(one => one.keyword === 'const') ? choices.map(one => one.params.allowedValue) : null
}

/** By the schema's description: a person reads "UUID" better than the expression. The description need not be a noun. */
function problemOfPattern(error: FastifySchemaValidationError): string {
  const { parentSchema = {} } = error as { parentSchema?: { pattern?: unknown; description?: unknown } }
  if (parentSchema.pattern === TEXT_PATTERN) return 'must not contain NUL or half of a surrogate pair'
  if (parentSchema.pattern === LINE_PATTERN) return 'must not contain line breaks, control or text direction characters'
  return parentSchema.description === undefined
    ? 'is not valid'
    : `is not in the expected form: ${parentSchema.description}`
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
