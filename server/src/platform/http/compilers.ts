import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { forSerializer } from './serialization.ts'

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type BuildValidator = NonNullable<Factories['buildValidator']>
type Validate = ((value: unknown) => unknown) & { errors?: unknown }

/** One for all servers of a process: it remembers the checks that it made. */
const validators = AjvCompiler()

/**
 * Fastify's own compilers; but each check and each serializer is made when a request first needs it. To make all of them takes
 * the better part of a second of each start, and some 50 MiB, most of which a process never uses.
 */
export const COMPILERS: Factories = {
  buildValidator: ((externalSchemas: never, options: never) => {
    const compile = validators(externalSchemas, options) as (route: never) => Validate
    return (route: never) => {
      let made: Validate | undefined
      const validate: Validate = value => {
        made ??= compile(route)
        const isRight = made(value)
        // Where Fastify looks for them.
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

/** Writes JSON as answers of this schema are written, for a route that puts its answer together from what was written before. */
export function writerOf(schema: TSchema): (value: unknown) => string {
  let write: ((value: unknown) => string) | undefined
  return value => {
    write ??= SerializerSelector()({}, {})({ schema: forSerializer(schema) } as never) as (value: unknown) => string
    return write(value)
  }
}
