import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkCalendar } from './calendar.property.ts'
import { addDays, boundary, parseInstant, type Recurrence, startOfDay, toTimestamp, wholeSeconds } from './calendar.ts'

interface Sequence {
  id: string
  interval: string
  count?: number
  anchor: string
  expect: string[]
  leapFeb?: string
}

const vectors: {
  sequences: Sequence[]
  contains: { id: string; interval: string; anchor: string; at: string; from: string; to: string }[]
  graceRecovery: { id: string; start: string; interval: string; paid: string; nextRenewal: string }[]
  rfc5545Trap: { gives: string[] }
} = JSON.parse(readFileSync(new URL('../../test/vectors/billing-dates.json', import.meta.url), 'utf8'))

for (const { id, interval, count = 1, anchor, expect, leapFeb } of vectors.sequences) {
  test(`boundaries follow the published sequence ${id}`, () => {
    const found = expect.map((_, i) => boundary(new Date(anchor), every(interval, count), i + 1))
    assert.deepEqual(
      found,
      expect.map(text => new Date(text)),
    )
    if (leapFeb === undefined) return
    const leapAnchor = new Date(anchor.replace(/^\d{4}/, '2028'))
    assert.equal(toTimestamp(boundary(leapAnchor, every(interval), 1)).slice(5, 10), leapFeb)
  })
}

/** The period of the anchor's grid that contains an instant. */
function periodContaining(anchor: Date, recurrence: Recurrence, at: Date) {
  let index = 0
  while (boundary(anchor, recurrence, index + 1) <= at) index++
  while (boundary(anchor, recurrence, index) > at) index--
  return { index, start: boundary(anchor, recurrence, index), end: boundary(anchor, recurrence, index + 1) }
}

for (const { id, interval, anchor, at, from, to } of vectors.contains) {
  test(`an instant lies in the published period ${id}`, () => {
    const { start, end } = periodContaining(new Date(anchor), every(interval), new Date(at))
    assert.deepEqual([start, end], [new Date(from), new Date(to)])
  })
}

for (const { id, start, interval, paid, nextRenewal } of vectors.graceRecovery) {
  test(`a late payment moves no boundary (${id})`, () => {
    assert.deepEqual(periodContaining(new Date(start), every(interval), new Date(paid)).end, new Date(nextRenewal))
  })
}

test('no month is skipped because it lacks a day 31', () => {
  const anchor = new Date(vectors.rfc5545Trap.gives[0] ?? '')
  const found = Array.from({ length: 12 }, (_, n) => boundary(anchor, every('MONTH'), n).getUTCMonth())
  assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('a quarter keeps the day of its anchor, clamped in short months', () => {
  const found = [1, 2, 3, 4].map(n => toTimestamp(boundary(new Date('2026-08-31T10:00:00Z'), every('MONTH', 3), n)))
  assert.deepEqual(
    found.map(at => at.slice(0, 10)),
    ['2026-11-30', '2027-02-28', '2027-05-31', '2027-08-31'],
  )
})

test('boundaries equal those of Temporal in 20,000 random cases', () => {
  checkCalendar(20_000)
})

test('an instant before the anchor lies in a period with a negative index', () => {
  const period = periodContaining(new Date('2026-03-31'), every('MONTH'), new Date('2026-03-30T23:59:59.999Z'))
  assert.deepEqual(period, { index: -1, start: new Date('2026-02-28'), end: new Date('2026-03-31') })
})

test('a boundary with a fractional index, or beyond the range of instants, is a bug', () => {
  assert.throws(() => boundary(new Date(0), every('MONTH'), 0.5), /not an integer/)
  assert.throws(() => boundary(new Date(0), every('YEAR'), 1_000_000), /no such instant/)
})

test('days are 24 h, a day starts at midnight UTC, and instants are truncated to the second', () => {
  const at = new Date('2028-02-28T23:59:59.999Z')
  assert.equal(addDays(at, 2).toISOString(), '2028-03-01T23:59:59.999Z')
  assert.equal(startOfDay(at).toISOString(), '2028-02-28T00:00:00.000Z')
  assert.equal(wholeSeconds(at).toISOString(), '2028-02-28T23:59:59.000Z')
  assert.equal(toTimestamp(at), '2028-02-28T23:59:59Z')
  assert.throws(() => toTimestamp(new Date(Date.UTC(10_000, 0))), /four digits/)
})

const instants = {
  '2026-01-31T10:00:00Z': '2026-01-31T10:00:00.000Z',
  '2026-01-31t10:00:00z': '2026-01-31T10:00:00.000Z',
  '2026-01-31T10:00:00.5Z': '2026-01-31T10:00:00.500Z',
  '2026-01-31T10:00:00.123999999Z': '2026-01-31T10:00:00.123Z',
  '2026-01-31T10:00:00+14:00': '2026-01-30T20:00:00.000Z',
  '2026-01-31T10:00:00-00:30': '2026-01-31T10:30:00.000Z',
  '2028-02-29T00:00:00Z': '2028-02-29T00:00:00.000Z',
  '1970-01-01T00:00:00Z': '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:30:00-01:00': '1970-01-01T00:30:00.000Z',
  '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
  '2016-12-31T23:59:60Z': '2017-01-01T00:00:00.000Z',
  '1990-12-31T15:59:60-08:00': '1991-01-01T00:00:00.000Z',
}

for (const [text, expected] of Object.entries(instants)) {
  test(`reads the instant ${text}`, () => {
    assert.equal(parseInstant(text)?.toISOString(), expected)
  })
}

const notInstants = [
  '',
  '2026-01-31',
  '2026-01-31T10:00Z',
  '2026-01-31T10:00:00',
  '2026-01-31 10:00:00Z',
  '2026-01-31T10:00:00 01:00',
  '2026-01-31T10:00:00+0100',
  '2026-01-31T10:00:00+24:00',
  '2026-01-31T10:00:00.Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T10:60:00Z',
  '2026-01-31T10:00:61Z',
  '2026-01-31T10:00:60Z',
  '2026-01-30T23:59:60Z',
  '2026-02-30T10:00:00Z',
  '2026-02-29T10:00:00Z',
  '2026-04-31T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-00-01T10:00:00Z',
  '2026-01-00T10:00:00Z',
  '1970-01-01T00:00:00+00:01',
  '1969-12-31T23:59:59Z',
  '9999-12-31T23:59:59-00:01',
  '+002026-01-31T10:00:00Z',
  '2026-01-31T10:00:00Z\n',
  '２026-01-31T10:00:00Z',
  '1769853600',
]

for (const text of notInstants) {
  test(`rejects the instant ${JSON.stringify(text)}`, () => {
    assert.equal(parseInstant(text), null)
  })
}

function every(word: string, intervalCount = 1): Recurrence {
  const interval = (['DAY', 'WEEK', 'MONTH', 'YEAR'] as const).find(known => known === word.toUpperCase())
  assert.ok(interval, `no interval ${word}`)
  return { interval, intervalCount }
}
