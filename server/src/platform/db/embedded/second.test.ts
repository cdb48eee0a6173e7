import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Scratch } from '../../../../test/support/scratch.ts'
import { openScratch } from '../../../../test/support/scratch.ts'
import { killServices, query, rejection, running, spawnService } from './services.fixture.ts'

let scratch: Scratch
before(async () => {
  scratch = await openScratch()
})
after(() => {
  killServices()
  return scratch.remove()
})

test('if several services start concurrently on an empty folder, one wins, and the others fail with its process number', async () => {
  const dataDir = join(scratch.folder, 'data')
  const services = [1, 2].map(() => spawnService({ dataDir }))
  const said = await Promise.all(services.map(service => service.said))
  const winner = services[said.findIndex(answer => 'url' in answer)]
  const loser = services.find(service => service !== winner)
  assert.ok(winner && loser)
  const { url } = await running(winner)
  assert.equal(
    await rejection(loser),
    `EmbeddedDatabaseError: Another Tillhook is running on ${dataDir} (process ${winner.process.pid}). ` +
      'Stop it, or give this one another TILLHOOK_DATA_DIR.',
  )
  assert.equal((await query(url, sql => sql`select 1 as one`))[0]?.one, 1)
  await winner.stop()
})

test('a start during the stop of the previous service waits for the stop', async () => {
  const dataDir = join(scratch.folder, 'data')
  for (const headStartMs of [100, 200, 400]) {
    const first = spawnService({ dataDir })
    const { pid } = await running(first)
    const next = spawnService({ dataDir })
    // The outcome must be the same at every step of the start.
    await wait(headStartMs)
    await first.stop()
    const started = await running(next)
    assert.notEqual(started.pid, pid)
    assert.equal((await query(started.url, sql => sql`select 1 as one`))[0]?.one, 1)
    await next.stop()
  }
})
