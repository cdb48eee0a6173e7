import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acknowledged, afterAttempt, RETRY_STEPS_MS, reasonWord } from './delivery.ts'

const recordedAt = new Date('2026-01-31T12:00:00Z')
const HOUR_MS = 3_600_000
const refused = { kind: 'failed', reason: 'refused' } as const
const later = (ms: number) => new Date(recordedAt.getTime() + ms)
const answered = (httpStatus: number, retryAfter?: string) =>
  ({ kind: 'answered', httpStatus, ...(retryAfter === undefined ? {} : { retryAfter }) }) as const

/** How long until the next try, in ms; or how it ended. */
function wait(attempts: number, outcome: Parameters<typeof afterAttempt>[1], random = 0.5, now = recordedAt) {
  const step = afterAttempt({ attempts, recordedAt }, outcome, now, random)
  return 'dueAt' in step ? step.dueAt.getTime() - now.getTime() : step.status
}

test('only status 200 acknowledges', () => {
  assert.equal(acknowledged(answered(200)), true)
  for (const status of [100, 201, 202, 204, 206, 301, 302, 304, 400, 404, 410, 429, 500, 503]) {
    assert.equal(acknowledged(answered(status)), false, String(status))
  }
  assert.equal(acknowledged(refused), false)
})

test('an attempt without an HTTP status has a reason', () => {
  assert.equal(reasonWord({ kind: 'failed', reason: 'timeout' }), 'timeout')
  assert.equal(reasonWord(answered(302)), 'redirect')
  assert.equal(reasonWord(answered(200)), undefined)
  assert.equal(reasonWord(answered(500)), undefined)
})

test('an acknowledged delivery is done, even in the last attempt and after 72 h', () => {
  assert.equal(wait(0, answered(200)), 'DELIVERED')
  assert.equal(wait(10, answered(200), 0.5, later(100 * HOUR_MS)), 'DELIVERED')
})

test('retries follow the schedule', () => {
  const minutes = [5 / 60, 30 / 60, 2, 10, 60, 180, 360, 720, 1440, 1440]
  assert.deepEqual(
    RETRY_STEPS_MS.map((_, attempts) => wait(attempts, refused)),
    minutes.map(m => m * 60_000),
  )
})

test('retries have a jitter of 20 %', () => {
  for (const [attempts, stepMs] of RETRY_STEPS_MS.entries()) {
    assert.equal(wait(attempts, refused, 0), stepMs * 0.8)
    assert.equal(wait(attempts, refused, 1), stepMs * 1.2)
  }
})

test('a delivery is given up after 11 attempts', () => {
  assert.ok('dueAt' in afterAttempt({ attempts: 9, recordedAt }, refused, recordedAt, 0.5))
  assert.deepEqual(afterAttempt({ attempts: 10, recordedAt }, refused, recordedAt, 0.5), {
    status: 'ERRORED',
    reason: 'attempts_exhausted',
  })
})

test('a delivery is given up 72 h after the recording, with a last attempt at that time', () => {
  const at = later(60 * HOUR_MS)
  assert.equal(wait(9, refused, 0.5, at), 12 * HOUR_MS)
  assert.deepEqual(afterAttempt({ attempts: 9, recordedAt }, refused, later(72 * HOUR_MS), 0.5), {
    status: 'ERRORED',
    reason: 'expired',
  })
  assert.equal(wait(0, refused, 0.5, later(72 * HOUR_MS - 1)), 1)
})

const RETRY_AFTER: [title: string, header: string, attempts: number, waitMs: number][] = [
  ['seconds are honoured', '45', 1, 45_000],
  ['up to twice the step', '61', 1, 60_000],
  ['a huge number is twice the step', '9'.repeat(400), 1, 60_000],
  ['less than the schedule changes nothing', '1', 1, 30_000],
  ['zero changes nothing', '0', 1, 30_000],
  ['an HTTP date is honoured', 'Sat, 31 Jan 2026 12:00:50 GMT', 1, 50_000],
  ['an HTTP date of RFC 850 is honoured', 'Saturday, 31-Jan-26 12:00:50 GMT', 1, 50_000],
  ['an HTTP date of asctime is honoured', 'Sat Jan 31 12:00:50 2026', 1, 50_000],
  ['a date gone by changes nothing', 'Sat, 31 Jan 2026 11:00:00 GMT', 1, 30_000],
  ['nonsense changes nothing', 'soon', 1, 30_000],
  ['a negative number changes nothing', '-5', 1, 30_000],
  ['a fraction changes nothing', '40.5', 1, 30_000],
  ['an empty one changes nothing', '', 1, 30_000],
]

for (const [title, header, attempts, waitMs] of RETRY_AFTER) {
  test(`Retry-After: ${title}`, () => assert.equal(wait(attempts, answered(503, header)), waitMs))
}

test('Retry-After: a date is read as GMT, with any time zone of the server', t => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  for (const zone of ['America/New_York', 'Asia/Tokyo']) {
    process.env.TZ = zone
    assert.notEqual(recordedAt.getTimezoneOffset(), 0, 'the zone is in force')
    for (const header of [
      'Sat, 31 Jan 2026 12:00:50 GMT',
      'Saturday, 31-Jan-26 12:00:50 GMT',
      'Sat Jan 31 12:00:50 2026',
    ]) {
      assert.equal(wait(1, answered(503, header)), 50_000, `${header} in ${zone}`)
    }
  }
})
