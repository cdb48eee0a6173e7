import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Check, Clean } from 'typebox/value'
import { REJECTION_CODES } from '../../src/core/rejection.ts'
import type { OpenApi, Operation, Parameter, Ref, Response, Schema } from '../../src/runtime/openapi/openapi.ts'
import { COMPONENTS } from '../../src/runtime/openapi/schemas.ts'
import { isOpen } from '../../src/runtime/openapi/security.ts'
import { UNTAGGED } from '../../src/runtime/openapi/tags.ts'

/* Tests contract/openapi.json against OpenAPI 3.1. test/fresh tests that the service serves this document. */

const document = JSON.parse(readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8')) as OpenApi
const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)
  assert.deepEqual(errors ?? [], [])
  assert.ok(valid)
  assert.equal(validator.version, '3.1')
})

test('every reference resolves', () => {
  const wrong: string[] = []
  visit(document, (node, at) => {
    if (typeof node.$ref === 'string' && find(node.$ref) === undefined) wrong.push(`${at}: ${node.$ref}`)
  })
  assert.deepEqual(wrong, [])
})

test('every component has a valid name and is used', () => {
  const used = new Set<string>()
  visit(document, node => {
    if (typeof node.$ref === 'string') used.add(node.$ref)
  })
  for (const kind of ['schemas', 'responses', 'parameters', 'headers'] as const) {
    for (const name of Object.keys(document.components[kind])) {
      assert.match(name, /^[A-Za-z0-9._-]+$/)
      assert.ok(used.has(`#/components/${kind}/${name}`), `${kind}/${name} is used nowhere`)
    }
  }
})

test('every operation has a unique name, a summary, a description and one described tag', () => {
  const names = entries.map(({ operation }) => operation.operationId)
  assert.equal(new Set(names).size, names.length)
  const tags = document.tags.map(tag => tag.name)
  for (const { operation } of entries) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]+$/)
    assert.notEqual(operation.summary, '')
    assert.match(operation.description, /\.$/)
    assert.equal(operation.tags.length, 1)
    assert.ok(operation.tags[0] !== UNTAGGED && tags.includes(operation.tags[0] ?? ''), operation.operationId)
  }
})

test('path parameters match the path and are required', () => {
  for (const { path, method, operation } of entries) {
    assert.match(method, /^(get|put|post|delete|patch)$/)
    const inAddress = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = parametersOf(operation).filter(one => one.in === 'path')
    assert.deepEqual(declared.map(one => one.name).sort(), inAddress.sort(), path)
    assert.ok(declared.every(one => one.required))
    const places = parametersOf(operation).map(one => `${one.in} ${one.name.toLowerCase()}`)
    assert.equal(new Set(places).size, places.length, operation.operationId)
  }
})

test('no two paths differ only by the names of their parameters', () => {
  const shapes = Object.keys(document.paths).map(path => path.replace(/\{\w+\}/g, '{}'))
  assert.equal(new Set(shapes).size, shapes.length)
})

test('every response has a description, the common headers, and from 400 up the error body with its codes', () => {
  for (const { operation } of entries) {
    assert.ok(
      Object.keys(operation.responses).some(status => status.startsWith('2')),
      operation.operationId,
    )
    for (const [status, given] of Object.entries(operation.responses)) {
      const response = resolved<Response>(given)
      assert.match(status, /^[1-5]\d\d$/)
      assert.notEqual(response.description, '')
      assert.ok(response.headers?.['Service-Request-Id'] && response.headers['api-version'])
      if (Number(status) < 400) continue
      const codes = operation['x-codes']?.[status] ?? []
      assert.ok(codes.length > 0 && codes.every(code => (REJECTION_CODES as readonly string[]).includes(code)))
      assert.match(JSON.stringify(response.content), /#\/components\/schemas\/ApiError/)
      if ('$ref' in given) assert.equal(given.description, codes.join(', '))
    }
  }
})

test('an operation that needs a token declares its kinds and 401', () => {
  for (const { operation } of entries) {
    const schemes = operation.security.flatMap(one => Object.keys(one))
    assert.ok(schemes.every(scheme => scheme in document.components.securitySchemes))
    assert.equal(operation.operationId !== 'issueToken' && '401' in operation.responses, !isOpen(operation.security))
  }
})

test('the token of POST /token is optional', () => {
  const { issueToken } = Object.fromEntries(entries.map(({ operation }) => [operation.operationId, operation]))
  assert.deepEqual(issueToken?.security, [{}, { selfSignedToken: [] }])
})

test('every pattern is ECMA-262, and schemas use known keywords only', () => {
  const words = new Set(
    'type properties required items enum anyOf pattern format description examples minLength maxLength minItems maxItems minimum maximum additionalProperties $ref'.split(
      ' ',
    ),
  )
  const schemas: Schema[] = Object.values(document.components.schemas)
  for (const { operation } of entries) {
    schemas.push(...parametersOf(operation).map(one => one.schema))
    const bodies = [operation.requestBody, ...Object.values(operation.responses).map(one => resolved<Response>(one))]
    for (const body of bodies) schemas.push(...Object.values(body?.content ?? {}).map(one => one.schema))
  }
  const check = (schema: Schema): void => {
    for (const word of Object.keys(schema)) assert.ok(words.has(word), word)
    if (schema.pattern !== undefined) new RegExp(schema.pattern, 'u')
    const { properties = {}, items, anyOf = [] } = schema
    for (const name of schema.required ?? []) assert.ok(name in properties, name)
    for (const part of [...Object.values(properties), ...(items ? [items] : []), ...anyOf]) check(part)
  }
  for (const schema of schemas) check(schema)
})

test('every request body has an example, and each example fits its schema', () => {
  const bodies = entries.flatMap(({ operation: { operationId, requestBody } }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema, example }) => ({ operationId, schema, example })),
  )
  assert.ok(bodies.length > 50)
  for (const { operationId, schema, example } of bodies) {
    const component = COMPONENTS[schema.$ref?.split('/').at(-1) ?? '']
    assert.ok(component && Check(component, example), operationId)
  }
  for (const [name, { examples = [] }] of Object.entries(document.components.schemas)) {
    const component = COMPONENTS[name]
    if (component === undefined) continue
    for (const example of examples) {
      assert.ok(Check(component, example), name)
      assert.deepEqual(Clean(component, structuredClone(example)), example, `${name}: the schema lacks a field`)
    }
  }
})

test('every response schema has an example', () => {
  const without = entries.flatMap(({ operation }) =>
    Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, response]) => resolved<Response>(response).content?.['application/json']?.schema)
      .filter(schema => schema !== undefined && operation.operationId !== 'getOpenApi')
      .map(schema => schema?.$ref ?? '')
      .filter($ref => ((find($ref) as Schema | undefined)?.examples ?? []).length === 0)
      .map($ref => `${operation.operationId}: ${$ref}`),
  )
  assert.deepEqual(without, [])
})

function parametersOf(operation: Operation): Parameter[] {
  return operation.parameters.map(one => resolved<Parameter>(one))
}

function resolved<T extends object>(one: T | Ref): T {
  return '$ref' in one ? (find(one.$ref) as T) : one
}

function find($ref: string): unknown {
  const [root, ...keys] = $ref.split('/')
  if (root !== '#') return undefined
  return keys.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)
}

function visit(node: unknown, see: (node: Record<string, unknown>, at: string) => void, at = '#'): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) see(node as Record<string, unknown>, at)
  for (const [key, value] of Object.entries(node)) visit(value, see, `${at}/${key}`)
}
