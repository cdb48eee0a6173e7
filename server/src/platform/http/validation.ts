import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { DECLARED, TEXT_PATTERN } from './wire.ts'

/** Nothing a caller sends is changed by its check: a schema says yes or no. */
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

/** Which part of the request does not fit. */
type Context = FastifyError['validationContext']

/** Decisions 1: "Missing, malformed or out-of-range known ones → 400 naming the field." Never repeats a value. */
export function rejectionOfValidation(errors: readonly FastifySchemaValidationError[], context: Context): Rejection {
  const error = errors.at(-1)
  if (error === undefined) return reject('INVALID_REQUEST', 'The request does not fit its schema.')
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
  const path = names.map(name => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('')
  return path.replace(/^\./, '').slice(0, MAX_PATH)
}

/** The parser of queries makes a list of a name that comes more than once; no schema of a query takes one. */
function isGivenTwice(error: FastifySchemaValidationError, context: Context): boolean {
  return context === 'querystring' && Array.isArray((error as { data?: unknown }).data)
}

function problemOf(error: FastifySchemaValidationError, errors: readonly FastifySchemaValidationError[]): string {
  const allowed = allowedBy(error, errors)
  if (allowed !== null) return `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`
  if (error.keyword === 'anyOf') return 'has none of the accepted forms'
  return error.keyword === 'pattern' ? problemOfPattern(error) : (error.message ?? 'is not valid')
}

/** The words of an enumeration, also where it is written as a union of literals. */
function allowedBy(error: FastifySchemaValidationError, errors: readonly FastifySchemaValidationError[]) {
  if (error.keyword === 'enum' && Array.isArray(error.params.allowedValues)) return error.params.allowedValues
  if (error.keyword !== 'anyOf' && error.keyword !== 'const') return null
  const choices = errors.filter(one => one !== error || one.keyword === 'const')
  return choices.every(one => one.keyword === 'const') ? choices.map(one => one.params.allowedValue) : null
}

/** By the schema's description: a person reads "UUID" better than the expression. */
function problemOfPattern(error: FastifySchemaValidationError): string {
  const { parentSchema = {} } = error as { parentSchema?: { pattern?: unknown; description?: unknown } }
  if (parentSchema.pattern === TEXT_PATTERN) return 'must not contain NUL or half of a surrogate pair'
  return `is not a valid ${parentSchema.description ?? 'value'}`
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
