import { parseInstant } from '../../core/calendar.ts'
import { exceeds } from '../../core/quota.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { advanceTestClock } from './advance.ts'
import { createTestClock, freezeTestClock, removeTestClock } from './manage.ts'
import {
  AdvanceBody,
  ClockParams,
  CreateBody,
  ListQuery,
  TestClockJson,
  TestClockListJson,
  testClockToJson,
} from './schema.ts'
import { findTestClock, listTestClocks, type TestClock } from './store.ts'

/** Decisions 10: "after 30 s 202 with status: ADVANCING". */
const ANSWER_WITHIN_MS = 30_000

/** A period that begins before this instant ends in a year of four digits, as timestamps require. */
const END_OF_TIME = new Date('9000-01-01T00:00:00Z')

const NO_INSTANT = 'must be an RFC 3339 instant before the year 9000, for example 2026-01-31T00:00:00Z'

export function testClockRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/test-clocks',
      name: 'createTestClock',
      operation: 'testClocks.manage',
      summary: 'Create a test clock for a test merchant',
      body: CreateBody,
      answers: { 201: TestClockJson },
      rejections: ['BUSINESS_NOT_FOUND', 'NOT_A_TEST_MERCHANT', 'TEST_CLOCK_EXISTS', 'TEST_CLOCK_TOO_LATE'],
      subject: ({ body }) => ({ businessId: body.businessId.toLowerCase() }),
      handle: async ({ body, db }) => {
        const now = parseClockInstant(body.now)
        if (now === null) return rejectField('now', NO_INSTANT)
        const made = await createTestClock({ ...ports, db }, { businessId: body.businessId.toLowerCase(), now })
        return isRejection(made) ? made : answer(201, await toJson(db.sql, made))
      },
    }),
    route({
      method: 'GET',
      path: '/test-clocks',
      name: 'listTestClocks',
      operation: 'testClocks.read',
      summary: 'List the test clock of a test merchant',
      query: ListQuery,
      answers: { 200: TestClockListJson },
      rejections: ['BUSINESS_NOT_FOUND'],
      subject: ({ query }) => ({ businessId: query.businessId.toLowerCase() }),
      handle: async ({ query }) => {
        const clocks = await listTestClocks(ports.db.sql, query.businessId)
        return answer(200, { list: await Promise.all(clocks.map(clock => toJson(ports.db.sql, clock))) })
      },
    }),
    route({
      method: 'GET',
      path: '/test-clocks/:testClockId',
      name: 'getTestClock',
      operation: 'testClocks.read',
      summary: 'Get a test clock: its time, status and target',
      params: ClockParams,
      answers: { 200: TestClockJson },
      rejections: ['TEST_CLOCK_NOT_FOUND'],
      subject: ({ params }) => subjectOf(ports.db.sql, params.testClockId),
      handle: async ({ params }) => {
        const clock = await findTestClock(ports.db.sql, params.testClockId)
        return clock === null ? notFound() : answer(200, await toJson(ports.db.sql, clock))
      },
    }),
    route({
      method: 'POST',
      path: '/test-clocks/:testClockId/advance',
      name: 'advanceTestClock',
      operation: 'testClocks.manage',
      summary:
        'Advance a test clock. The response waits until all billing, charges and events up to the target are done',
      params: ClockParams,
      body: AdvanceBody,
      answers: { 200: TestClockJson, 202: TestClockJson },
      rejections: ['TEST_CLOCK_NOT_FOUND', 'TEST_CLOCK_ADVANCING', 'QUOTA_EXCEEDED'],
      // An advance has many transactions. A repeated request finds the clock at its goal or on its way.
      idempotent: false,
      subject: ({ params }) => subjectOf(ports.db.sql, params.testClockId),
      handle: async ({ params, body, db }) => {
        const to = parseClockInstant(body.to)
        if (to === null) return rejectField('to', NO_INSTANT)
        const years = to.getUTCFullYear() - ports.clock.now().getUTCFullYear()
        const overQuota = exceeds('testClockYears', years, ports.settings.quotas)
        if (overQuota !== null) return overQuota
        const { testClockId } = params
        const deadline = new Date(ports.clock.now().getTime() + ANSWER_WITHIN_MS)
        const rejection = await advanceTestClock(ports, { db }, { testClockId, to, deadline })
        if (rejection !== null) return rejection
        const clock = await findTestClock(ports.db.sql, testClockId)
        if (clock === null) return notFound()
        // The clock is READY at its goal, or where it was frozen.
        return answer(clock.status === 'READY' ? 200 : 202, await toJson(ports.db.sql, clock))
      },
    }),
    route({
      method: 'POST',
      path: '/test-clocks/:testClockId/freeze',
      name: 'freezeTestClock',
      operation: 'testClocks.manage',
      summary: 'Stop a test clock at its current time. A running advance returns the reached instant',
      params: ClockParams,
      answers: { 200: TestClockJson },
      rejections: ['TEST_CLOCK_NOT_FOUND'],
      subject: ({ params }) => subjectOf(ports.db.sql, params.testClockId),
      handle: async ({ params, db }) => {
        const frozen = await freezeTestClock({ ...ports, db }, params.testClockId)
        return isRejection(frozen) ? frozen : answer(200, await toJson(db.sql, frozen))
      },
    }),
    route({
      method: 'DELETE',
      path: '/test-clocks/:testClockId',
      name: 'deleteTestClock',
      operation: 'testClocks.manage',
      summary: 'Delete a test clock. Its live subscriptions end, and the merchant returns to real time',
      params: ClockParams,
      answers: { 204: null },
      rejections: ['TEST_CLOCK_NOT_FOUND', 'TEST_CLOCK_ADVANCING'],
      subject: ({ params }) => subjectOf(ports.db.sql, params.testClockId),
      handle: async ({ params, db }) => (await removeTestClock({ ...ports, db }, params.testClockId)) ?? answer(204),
    }),
  ]
}

function parseClockInstant(text: string): Date | null {
  const at = parseInstant(text)
  return at !== null && at < END_OF_TIME ? at : null
}

/** An unknown clock names no business, so the answer does not reveal whether it exists. */
async function subjectOf(sql: Sql, testClockId: string): Promise<Subject> {
  const clock = await findTestClock(sql, testClockId)
  return clock === null ? {} : { businessId: clock.businessId }
}

async function toJson(sql: Sql, clock: TestClock) {
  const now = (await findBusiness(sql, clock.businessId))?.clock?.now
  return testClockToJson(clock, now ?? clock.createdAt)
}

function notFound(): Rejection {
  return reject('TEST_CLOCK_NOT_FOUND', 'There is no test clock with this id.')
}
