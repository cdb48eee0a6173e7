import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunResult } from './run.ts'
import { describe, simulate } from './simulate.ts'

/** As many as some seconds take; `npm run simulate -- --gateway stripe` makes more. */
const SEEDS = { gateway: 'stripe', from: 1, runs: 5, steps: 12, processes: 1 } as const

test(`${SEEDS.runs} random lives beside a Stripe that fails: every invoice is paid once at most, and at rest its books are ours`, async () => {
  const results = await resultsOf(SEEDS)
  const broken = results.filter(({ found }) => found !== undefined).map(result => describe(result, SEEDS))
  assert.deepEqual(broken, [])
  assert.equal(results.length, SEEDS.runs)
  // By another process, on another database: requests of the SDK are steps as all others.
  const [again] = await resultsOf({ ...SEEDS, runs: 1 })
  const told = ({ seed, digest, turns }: RunResult) => [seed, digest, turns]
  const first = results.find(({ seed }) => seed === SEEDS.from)
  assert.deepEqual(again && told(again), first && told(first))
})

async function resultsOf(seeds: Parameters<typeof simulate>[0]): Promise<RunResult[]> {
  const results: RunResult[] = []
  await simulate(seeds, result => void results.push(result))
  return results
}
