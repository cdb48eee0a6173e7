import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { absentFrom, type GatewayOnBench } from './conformance/bench.ts'
import { chargesConform } from './conformance/charges.ts'
import { eventsConform } from './conformance/events.ts'
import { hintsConform } from './conformance/hints.ts'
import { openOutcomesConform } from './conformance/open-outcomes.ts'
import { refundsConform } from './conformance/refunds.ts'
import { strangeEventsConform } from './conformance/strange-events.ts'

/** What gateway.ts promises, tried on an adapter. Every adapter passes it. `now` is the time at the gateway. */
export async function gatewayConformance(t: TestContext, bench: GatewayOnBench, now: Date): Promise<void> {
  await t.test('no case is left out but for what the adapter says that it lacks', () =>
    assert.deepEqual(absentFrom(bench).sort(), bench.lacks.toSorted()),
  )
  await chargesConform(t, bench)
  await openOutcomesConform(t, bench)
  await refundsConform(t, bench, now)
  await hintsConform(t, bench, now)
  await t.test('what the service makes of its events', { skip: !bench.service }, async t => {
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
