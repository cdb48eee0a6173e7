import { freshDatabase } from '../support/postgres.ts'
import { type LockTakenAway, NEGATIVE_CONTROLS } from './negative-controls.ts'
import { run } from './run.ts'
import type { Seeds } from './simulate.ts'
import { openStage } from './stage.ts'

/** Runs the seeds that it is told, one after the other on a database of its own, and tells of each by one line. */
const { from, runs, stride, steps, control, gateway } = JSON.parse(process.argv[2] ?? '') as Seeds
const database = await freshDatabase()
const taken: LockTakenAway | undefined = control === undefined ? undefined : NEGATIVE_CONTROLS[control]
const stage = await openStage(database.url, taken, gateway)
try {
  for (let n = 0; n < runs; n += stride) {
    const heeds = taken === undefined ? {} : { heeds: taken.caught }
    const result = await run(stage, { seed: from + n, steps, ...heeds })
    process.stdout.write(`${JSON.stringify(result)}\n`)
    if (taken !== undefined && result.found !== undefined) break
  }
} finally {
  await stage.close()
  await database.drop()
}
