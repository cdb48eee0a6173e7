import { Compile } from 'typebox/schema'
import type { OpenApi, Operation, Parameter, Ref, Response, Schema } from '../../src/runtime/openapi/openapi.ts'
import { isOpen } from '../../src/runtime/openapi/security.ts'

/** An operation of the document with all references resolved. */
export interface Described {
  readonly name: string
  /** In capitals. */
  readonly method: string
  /** With parameter names in braces. */
  readonly path: string
  readonly isForPublic: boolean
  readonly parameters: readonly Parameter[]
  readonly body?: { readonly type: string; readonly schema: Schema }
  /** By status. */
  readonly answers: ReadonlyMap<number, DescribedAnswer>
}

export interface DescribedAnswer {
  /** Null: no body. */
  readonly type: string | null
  readonly headers: readonly string[]
  fits(body: unknown): boolean
}

export interface Described31 {
  readonly operations: readonly Described[]
  isError(body: unknown): boolean
}

/** Everything that a client can know from the document. */
export function readDocument(document: OpenApi): Described31 {
  const follow = <T>(node: T): T => {
    if (Array.isArray(node)) return node.map(follow) as T
    if (typeof node !== 'object' || node === null) return node
    if ('$ref' in node) return follow(find(document, String(node.$ref))) as T
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, follow(value)])) as T
  }
  const error = Compile(follow(document.components.schemas.ApiError) as object)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(method.toUpperCase(), path, follow(operation))),
  )
  return { operations, isError: body => error.Check(body) }
}

function describe(method: string, path: string, operation: Operation): Described {
  const [body] = Object.entries(operation.requestBody?.content ?? {})
  return {
    name: operation.operationId,
    method,
    path,
    isForPublic: isOpen(operation.security),
    parameters: operation.parameters.filter(isFollowed),
    ...(body && { body: { type: body[0], schema: body[1].schema } }),
    answers: new Map(
      Object.entries(operation.responses).map(([status, response]) => [Number(status), answerOf(response as Response)]),
    ),
  }
}

function answerOf({ content = {}, headers = {} }: Response): DescribedAnswer {
  const [only] = Object.entries(content)
  const names = Object.keys(headers)
  if (only === undefined) return { type: null, headers: names, fits: body => body === undefined }
  const [type, { schema }] = only
  const compiled = Compile(schema as object)
  return { type, headers: names, fits: body => compiled.Check(body) }
}

function isFollowed(one: Parameter | Ref): one is Parameter {
  return !('$ref' in one)
}

function find(document: OpenApi, $ref: string): unknown {
  const keys = $ref.split('/').slice(1)
  return keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document)
}
