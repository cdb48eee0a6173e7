import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { absentFrom, type GatewayOnBench } from './bench.ts'
import { chargesConform } from './charges.ts'
import { eventsConform } from './events.ts'
import { hintsConform } from './hints.ts'
import { openOutcomesConform } from './open-outcomes.ts'
import { refundsConform } from './refunds.ts'
import { strangeEventsConform } from './strange-events.ts'

/** The conformance suite of the port: every adapter passes it. `now` is the time at the gateway. */
export async function gatewayConformance(t: TestContext, bench: GatewayOnBench, now: Date): Promise<void> {
  await t.test('the adapter lists the abilities that it lacks, and no others are missing', () =>
    assert.deepEqual(absentFrom(bench).sort(), bench.lacks.toSorted()),
  )
  await chargesConform(t, bench)
  await openOutcomesConform(t, bench)
  await refundsConform(t, bench, now)
  await hintsConform(t, bench, now)
  await t.test('the service applies its events', { skip: !bench.service }, async t => {
    const service = await bench.service?.()
    assert.ok(service)
    try {
      await eventsConform(t, service)
      await strangeEventsConform(t, service)
    } finally {
      await service.close()
    }
  })
}
