import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { backgroundJobs } from './jobs.ts'

const ALERTS = new URL('../../../../docs/prometheus/tillhook.rules.yml', import.meta.url)
const OPERATING = new URL('../../../../docs/operating.md', import.meta.url)

test('docs/operating.md lists each background job and no other', async () => {
  const names = Object.values(backgroundJobs({} as never, {} as never)).map(({ name }) => name)
  const table = /## Background jobs\n(.*?)\n## /s.exec(await readFile(OPERATING, 'utf8'))?.[1] ?? ''
  const rows = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
  assert.deepEqual(rows.map(([, name]) => name).sort(), [...names, 'deliveries'].sort())
})

test('a costly job idles for ten times the duration of its run, at most 10 s, but at least three times the duration', async t => {
  const now = { ms: 0, tookMs: 0 }
  t.mock.method(performance, 'now', () => now.ms)
  const check = async () => {
    now.ms += now.tookMs
    return 0
  }
  const { deliveryBacklog } = backgroundJobs({ backlog: { check } } as never, {} as never)
  const rests: number[] = []
  for (const tookMs of [0, 500, 3_000, 20_000]) {
    now.tookMs = tookMs
    await deliveryBacklog.runOnce()
    const { idleMs } = deliveryBacklog
    rests.push(typeof idleMs === 'number' ? idleMs : idleMs())
  }
  assert.deepEqual(rests, [1_000, 5_000, 10_000, 60_000])
})

test('every job that an alert names exists', async () => {
  const names = Object.values(backgroundJobs({} as never, {} as never)).map(({ name }) => name)
  const matched = [...(await readFile(ALERTS, 'utf8')).matchAll(/loop=~?"(.*?)"/g)]
  const watched = matched.flatMap(([, loops = '']) => loops.split('|'))
  assert.ok(watched.length > 0)
  assert.deepEqual(
    watched.filter(loop => ![...names, 'deliveries'].includes(loop)),
    [],
  )
})
