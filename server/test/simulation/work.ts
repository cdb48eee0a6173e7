import type { Play } from './play.ts'
import { DUTIES } from './stage.ts'

/** What a service does all the time, and what it does beside. */
const [OFTEN, SELDOM] = [DUTIES.slice(0, 4), DUTIES.slice(4)]

/** One process does what is due, until nothing is, or for so many rounds. */
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
      for (const name of OFTEN) found += await worker.duty(name)
      if (!reconciles || found > 0) continue
      for (const name of SELDOM) {
        const some = await worker.duty(name)
        // A clock that waits for an outcome is found again at each look, and what it waits for is time.
        if (name !== 'testClocks') found += some
      }
    }
  })
}
