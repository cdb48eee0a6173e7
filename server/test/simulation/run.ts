import { createHash } from 'node:crypto'
import { ACTS } from './acts.ts'
import { Play } from './play.ts'
import { comeToRest } from './rest.ts'
import type { Stage } from './stage.ts'
import { createWatch, type Found, type Watch } from './watch.ts'

export interface RunOptions {
  readonly seed: number
  readonly steps: number
  /** Filter for violations. Default: all. */
  readonly counts?: (found: Found) => boolean
}

export interface RunResult {
  readonly seed: number
  readonly found?: Found
  readonly lastSteps: readonly string[]
  readonly steps: number
  /** Number of scheduled awaits. */
  readonly turns: number
  readonly crashes: number
  /** Digest of all steps: equal for equal seeds. */
  readonly digest: string
}

const LAST_STEPS = 10

/** One run: random people and faults over virtual weeks or years, all rules checked after each step, then rest. */
export async function run(stage: Stage, { seed, steps, counts = () => true }: RunOptions): Promise<RunResult> {
  const random = await stage.begin(`seed ${seed}`)
  const play = new Play(stage, random)
  const found = await perform(play, createWatch(stage, play.screens, counts), steps)
  await stage.end()
  return {
    seed,
    ...(found === null ? {} : { found }),
    lastSteps: play.said.slice(-LAST_STEPS),
    steps: play.said.length,
    turns: play.turns,
    crashes: play.crashes,
    digest: createHash('sha256')
      .update([...play.said, ...stage.scheduler.trace].join('\n'))
      .digest('hex')
      .slice(0, 16),
  }
}

async function perform(play: Play, watch: Watch, steps: number): Promise<Found | null> {
  const but = play.movedElsewhere
  let checkedTurns = 0
  try {
    await play.openShops()
    play.beginFaults()
    for (let n = 0; n < steps; n++) {
      await play.random.weighted(ACTS).act(play)
      await play.drive()
      // Without a scheduled step no rule can be broken.
      const found = play.turns > checkedTurns ? await watch.check({ atRest: false, but }) : null
      checkedTurns = play.turns
      if (found !== null) return found
    }
    await comeToRest(play)
    return await watch.check({ atRest: true, but })
  } catch (error) {
    play.stage.errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return await watch.check({ atRest: false, but })
  }
}
