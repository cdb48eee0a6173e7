import type { Play } from './play.ts'
import { JOBS } from './stage.ts'

/** The frequent and the rare background jobs. */
const [OFTEN, SELDOM] = [JOBS.slice(0, 4), JOBS.slice(4)]

/** One process runs due jobs until no work is left, or for a number of rounds. */
export async function work(
  play: Play,
  { rounds, reconciles }: { readonly rounds: number; readonly reconciles: boolean },
): Promise<void> {
  const worker = play.worker()
  play.say(`${worker.life.name} works`)
  play.spawn(worker, 'duties', async () => {
    let found = 1
    for (let round = 0; round < rounds && found > 0; round++) {
      found = 0
      for (const name of OFTEN) found += await worker.runJob(name)
      if (play.stage.hasOperator) found += await worker.runJob('appEndings')
      if (!reconciles || found > 0) continue
      for (const name of SELDOM) {
        const some = await worker.runJob(name)
        // A clock that waits for an outcome needs time to pass.
        if (name !== 'testClocks') found += some
      }
    }
  })
}
