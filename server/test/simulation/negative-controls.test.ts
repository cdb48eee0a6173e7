import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEGATIVE_CONTROLS, type NegativeControlName } from './negative-controls.ts'
import type { RunResult } from './run.ts'
import { describe, STEPS, simulate } from './simulate.ts'

/** The first seed is known to detect the missing lock. After a change of the code, another seed may detect it. */
const RUNS = 60
/** The control whose failing run is repeated. `simulation.test.ts` repeats a run without a failure. */
const REPLAYED: NegativeControlName = 'look-up before a repeat'

/** The number of last steps that a failing seed prints. */
const LAST_STEPS = 10

for (const [name, { seed, detects }] of Object.entries(NEGATIVE_CONTROLS)) {
  test(`without its lock "${name}" the simulation breaks a rule about money`, async t => {
    const caught: RunResult[] = []
    const seeds = { from: seed, runs: RUNS, steps: STEPS, processes: 1, control: name as NegativeControlName }
    await simulate(seeds, result => {
      if (result.found !== undefined) caught.push(result)
    })
    const [first] = caught
    assert.ok(first?.found, `none of ${RUNS} seeds from ${seed} on missed it`)
    t.diagnostic(`seed ${first.seed}, ${first.found.rule}: ${first.found.what}`)
    assert.ok(detects(first.found))
    const printed = describe(first, { steps: STEPS }).split('\n')
    assert.deepEqual(printed, [
      `seed ${first.seed} breaks ${first.found.rule}: ${first.found.what}`,
      'the last steps:',
      ...first.lastSteps.map(step => `  ${step}`),
      `again: npm run simulate -- --seed ${first.seed} --runs 1 --steps ${STEPS}`,
    ])
    assert.equal(first.lastSteps.length, Math.min(LAST_STEPS, first.steps))
    if (name === REPLAYED) await replays(first, name, printed.at(-1) ?? '')
  })
}

/** Repeats the run with the printed command, on another database: the same steps break the same rule. */
async function replays(first: RunResult, control: NegativeControlName, command: string): Promise<void> {
  assert.ok(first.steps > LAST_STEPS, 'long enough that not all of it is printed')
  const [, seed, runs, steps] = /--seed (\d+) --runs (\d+) --steps (\d+)$/.exec(command)?.map(Number) ?? []
  assert.ok(seed !== undefined && runs !== undefined && steps !== undefined, command)
  const again: RunResult[] = []
  await simulate({ from: seed, runs, steps, processes: 1, control }, result => void again.push(result))
  assert.deepEqual(again, [first])
}
