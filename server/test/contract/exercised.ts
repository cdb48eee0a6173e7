import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { OpenApi, Ref, Response } from '../../src/runtime/openapi/openapi.ts'
import { EXERCISED, OF_NO_OPERATION } from '../support/exercised.ts'

/*
 * Run after all tests, by scripts/test.ts: is every (operation, status) that contract/openapi.json declares one that some
 * test has seen, and did no test see another one? Whatever a test file sends to a server of test/support is noted there.
 */

/** The same for every operation and made by the edge alone: seen once is enough, also on a route made up for a test. */
const ONCE_FOR_ALL = new Set(['500', '503'])

/** Of HTTP itself, whatever the operation (RFC 9110; `content-type` is declared by the contents), and what the description says of every answer. */
const OF_EVERY_ANSWER = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['x-content-type-options', 'strict-transport-security'],
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

test('every declared answer of every operation was given in some test', () => {
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

test('no test got an answer that its operation does not declare', () => {
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

test('every header that a test got is declared', () => {
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
