import { freshDatabase } from '../support/postgres.ts'
import { NEGATIVE_CONTROLS, type RemovedLock } from './negative-controls.ts'
import { run } from './run.ts'
import type { Seeds } from './simulate.ts'
import { openStage } from './stage.ts'

/** Runs the given seeds in sequence on a database of this process, and prints one line per result. */
const { from, runs, stride, steps, control, gateway } = JSON.parse(process.argv[2] ?? '') as Seeds
const database = await freshDatabase()
const taken: RemovedLock | undefined = control === undefined ? undefined : NEGATIVE_CONTROLS[control]
const stage = await openStage(database.url, taken, gateway)
try {
  for (let n = 0; n < runs; n += stride) {
    const counts = taken === undefined ? {} : { counts: taken.detects }
    const result = await run(stage, { seed: from + n, steps, ...counts })
    process.stdout.write(`${JSON.stringify(result)}\n`)
    if (taken !== undefined && result.found !== undefined) break
  }
} finally {
  await stage.close()
  await database.drop()
}
