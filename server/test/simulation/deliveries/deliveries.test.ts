import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRuns, type RunResult } from './run.ts'

const RUNS = Number(process.env.TILLHOOK_SIMULATED_RUNS ?? 8)
/** Far more than the number of the first seed that detects the missing guard. */
const CONTROL_RUNS = 40

test(`${RUNS} seeded runs lose, alter and reorder nothing, with crashes, pauses and late responses`, async t => {
  const runs = await openRuns()
  t.after(() => runs.close())
  const results: RunResult[] = []
  for (let seed = 1; seed <= RUNS; seed++) results.push(await runs.run(seed))
  for (const { seed, violations } of results) assert.deepEqual(violations, [], `seed ${seed}`)
  const sum = (of: (result: RunResult) => number) => results.reduce((all, result) => all + of(result), 0)
  t.diagnostic(
    `${sum(r => r.recorded)} recorded, ${sum(r => r.received)} received, ${sum(r => r.crashes)} crashes, ${sum(r => r.pauses)} pauses`,
  )
  assert.ok(sum(({ crashes }) => crashes) > RUNS, 'the faults are not there')
})

test('without fencing, a process that lost its lease overwrites the progress of another: a seed shows it', async t => {
  const fence = 'and x.shard = any(array(select held.shard from held))'
  let isFound = false
  const runs = await openRuns(text => {
    isFound ||= text.includes(fence)
    return text.replace(fence, '')
  })
  t.after(() => runs.close())
  for (let seed = 1; seed <= CONTROL_RUNS; seed++) {
    const { violations } = await runs.run(seed)
    assert.ok(isFound, 'no statement has the fence that this control removes')
    const overwritten = violations.find(violation => /does not own its shard/.test(violation))
    if (overwritten === undefined) continue
    t.diagnostic(`seed ${seed}: ${overwritten}`)
    return
  }
  assert.fail(`${CONTROL_RUNS} seeds overwrite no progress`)
})
