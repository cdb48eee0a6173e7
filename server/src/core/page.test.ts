import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLimit, parsePage, parseSpan } from './page.ts'
import { isRejection } from './rejection.ts'

test('absent parameters are absent in the result', () => {
  assert.deepEqual(parsePage({}), {})
})

test('a count above 1000 is served as 1000', () => {
  assert.deepEqual(parsePage({ count: '1' }), { count: 1 })
  assert.deepEqual(parsePage({ count: '1000' }), { count: 1000 })
  assert.deepEqual(parsePage({ count: '1001' }), { count: 1000 })
  assert.deepEqual(parsePage({ count: '9'.repeat(400) }), { count: 1000 })
})

test('a start is an offset or an instant', () => {
  assert.deepEqual(parsePage({ start: '0' }), { start: { offset: 0 } })
  const createdFrom = new Date('2026-03-01T09:00:00Z')
  assert.deepEqual(parsePage({ start: '2026-03-01T10:00:00+01:00' }), { start: { createdFrom } })
})

for (const count of ['0', '-1', '', 'ten', '1.5', '1e3', ' 1', '+1', '0x10']) {
  test(`a count is rejected: ${JSON.stringify(count)}`, () => assertRejected(parsePage({ count }), 'count'))
}

for (const start of ['-1', '', 'first', '1.5', '2026-03-01', '2026-02-30T00:00:00Z', '1'.repeat(16)]) {
  test(`a start is rejected: ${JSON.stringify(start)}`, () => assertRejected(parsePage({ start }), 'start'))
}

test('a limit is 1 to 100, or the default of the list', () => {
  assert.equal(parseLimit(undefined, 10), 10)
  assert.equal(parseLimit('1', 10), 1)
  assert.equal(parseLimit('100', 10), 100)
})

for (const limit of ['0', '101', '-1', '', 'ten', '1.5', '1e1', ' 1', '9'.repeat(400)]) {
  test(`a limit is rejected: ${JSON.stringify(limit)}`, () => assertRejected(parseLimit(limit, 10), 'limit'))
}

test('a time range has the given ends, in any zone', () => {
  const at = new Date('2026-03-01T09:00:00Z')
  assert.deepEqual(parseSpan({}), {})
  assert.deepEqual(parseSpan({ startAt: '2026-03-01T10:00:00+01:00' }), { startAt: at })
  assert.deepEqual(parseSpan({ startAt: '2026-03-01T09:00:00Z', endAt: '2026-03-01T09:00:00Z' }), {
    ...{ startAt: at, endAt: at },
  })
})

for (const name of ['startAt', 'endAt']) {
  for (const at of ['', '0', '2026-03-01', '2026-02-30T00:00:00Z', 'now']) {
    test(`a ${name} is rejected: ${JSON.stringify(at)}`, () => assertRejected(parseSpan({ [name]: at }), name))
  }
}

function assertRejected(result: unknown, path: string): void {
  assert.ok(isRejection(result))
  assert.equal(result.fields?.[0]?.path, path)
}
