import assert from 'node:assert/strict'
import { RIGHTS } from '../../src/core/rights.ts'
import type { World } from '../support/world.ts'
import { createProber, nameOf } from './probe.ts'
import type { Tenant } from './tenant.ts'

/** Everything that the operator can read about a tenant, except read times. Equal snapshots prove that nothing changed. */
export async function everythingOf(world: World, { ids }: Tenant): Promise<Record<string, string>> {
  const prober = createProber(world)
  const read: Record<string, string> = {}
  for (const route of world.app.routes) {
    if (route.method !== 'GET' || RIGHTS[route.operation].operator !== 'all') continue
    // Every request without a cursor begins a new stream.
    if (route.contentType === 'text/event-stream') continue
    const answer = await prober.send(route, 'as the operator', { ids })
    prober.expect(answer.status === 200, route, 'as the operator', answer)
    read[nameOf(route)] = answer.text.replace(/"(checkedAt|lastSeenAt)":"[^"]*"/g, '')
  }
  assert.deepEqual(prober.faults, [])
  return read
}
