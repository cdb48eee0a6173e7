import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CANARIES, type CanaryName } from './canaries.ts'
import type { RunResult } from './run.ts'
import { STEPS, simulate } from './simulate.ts'

/** The seed that is known to catch it is the first; when the code has changed, one of the others does. */
const RUNS = 60

for (const [name, { seed, caught: sees }] of Object.entries(CANARIES)) {
  test(`without its lock "${name}" the simulation breaks a rule about money`, async t => {
    const caught: RunResult[] = []
    const told = { from: seed, runs: RUNS, steps: STEPS, processes: 1, canary: name as CanaryName }
    await simulate(told, result => {
      if (result.found !== undefined) caught.push(result)
    })
    const [first] = caught
    assert.ok(first?.found, `none of ${RUNS} seeds from ${seed} on missed it`)
    t.diagnostic(`seed ${first.seed}, ${first.found.rule}: ${first.found.what}`)
    assert.ok(sees(first.found))
  })
}
