import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { OpenApi, Ref, Response } from '../../src/runtime/openapi/openapi.ts'
import { EXERCISED, OF_NO_OPERATION } from '../support/exercised.ts'

/*
 * scripts/test.ts runs this file after all tests. It compares the responses that the tests received (test/support notes them)
 * with the statuses and headers that contract/openapi.json declares.
 */

/** The HTTP layer alone produces these statuses, so one response from any operation suffices. */
const ONCE_FOR_ALL = new Set(['500', '503'])

/** Headers of HTTP itself (RFC 9110) and headers that the document's description declares for every response. */
const OF_EVERY_ANSWER = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['content-encoding', 'vary', 'x-content-type-options', 'strict-transport-security'],
])

const { paths, components } = JSON.parse(
  readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8'),
) as OpenApi
const operations = Object.values(paths).flatMap(path => Object.values(path))
const path = process.env[EXERCISED]
const noted = (path === undefined ? '' : readFileSync(path, 'utf8')).split('\n').filter(line => line !== '')
const answers = noted
  .map(line => line.split(' '))
  .map(([name = '', status = '', code = '', headers = '']) => ({ name, status, code, headers: headers.split(',') }))
const seen = new Set(answers.map(({ name, status }) => `${name} ${status}`))

test('some test received every declared status of every operation', () => {
  assert.ok(seen.size > 0, 'run `npm test`: this needs what its tests have noted')
  const statuses = new Set(answers.map(({ status }) => status))
  const missing = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status, response]) => !('$ref' in response && ONCE_FOR_ALL.has(status) && statuses.has(status)))
      .map(([status]) => `${operationId} ${status}`)
      .filter(line => !seen.has(line)),
  )
  assert.deepEqual(missing, [])
})

test('no test received an undeclared status', () => {
  const declared = new Set(
    operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map(status => `${operationId} ${status}`),
    ),
  )
  const names = new Set(operations.map(operation => operation.operationId))
  const undeclared = answers
    .filter(({ name, code }) => names.has(name) && !OF_NO_OPERATION.has(code))
    .map(({ name, status }) => `${name} ${status}`)
    .filter(line => !declared.has(line))
  assert.deepEqual(undeclared, [])
})

test('every received header is declared', () => {
  const undeclared = operations.flatMap(({ operationId, responses }) =>
    answers
      .filter(({ name, status, code }) => name === operationId && status in responses && !OF_NO_OPERATION.has(code))
      .flatMap(({ status, headers }) => headers.map(header => ({ status, header })))
      .filter(({ status, header }) => !OF_EVERY_ANSWER.has(header) && !declaredOf(responses[status]).has(header))
      .map(({ status, header }) => `${operationId} ${status} ${header}`),
  )
  assert.deepEqual([...new Set(undeclared)], [])
})

function declaredOf(response: Response | Ref | undefined): Set<string> {
  const { headers = {} } = response && '$ref' in response ? shared(response) : (response ?? {})
  return new Set(Object.keys(headers).map(name => name.toLowerCase()))
}

function shared({ $ref }: Ref): Partial<Response> {
  return components.responses[$ref.split('/').at(-1) ?? ''] ?? {}
}
