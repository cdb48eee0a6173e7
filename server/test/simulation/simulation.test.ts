import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunResult } from './run.ts'
import { describe, simulate } from './simulate.ts'

/** The short runs of each change. Ten thousand longer ones are made by command: results/. */
const RUNS = 30
const STEPS = 12
const REPLAYED = { from: 7, runs: 3, steps: STEPS, processes: 1 }

test(`${RUNS} random runs of the service break no rule, with crashes, repeats and races`, async t => {
  const results = await resultsOf({ from: 1, runs: RUNS, steps: STEPS, processes: 2 })
  const broken = results.filter(({ found }) => found !== undefined).map(result => describe(result, { steps: STEPS }))
  assert.deepEqual(broken, [])
  assert.equal(results.length, RUNS)
  const crashes = results.reduce((sum, result) => sum + result.crashes, 0)
  assert.ok(crashes > RUNS / 4, `only ${crashes} crashes: the faults are not there`)
  t.diagnostic(`${results.reduce((sum, { turns }) => sum + turns, 0)} awaits put in order, ${crashes} crashes`)
})

test('a seed repeats a run exactly: the same steps, failures and interleavings, on another database', async () => {
  const digests = async () => (await resultsOf(REPLAYED)).map(({ seed, digest, turns }) => [seed, digest, turns]).sort()
  assert.deepEqual(await digests(), await digests())
})

async function resultsOf(seeds: Parameters<typeof simulate>[0]): Promise<RunResult[]> {
  const results: RunResult[] = []
  await simulate(seeds, result => void results.push(result))
  return results
}
