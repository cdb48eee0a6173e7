import { deliverLate } from './acts.ts'
import { postEvent } from './at-gateway.ts'
import { enableApp, outlastBacklog } from './operator.ts'
import type { Play } from './play.ts'
import { work } from './work.ts'

const HOUR = 3_600_000

/** More than the longest catch-up. */
const UNTIL_DONE = 500

/** Stops all faults and advances time until no work is left. */
export async function comeToRest(play: Play): Promise<void> {
  const { wire, clock } = play.stage
  play.endFaults()
  await play.drive()
  await enableApp(play)
  await workOn(play)
  await outlastBacklog(play, () => workOn(play))
  while (wire.late.length > 0) await deliverLate(play)
  while (wire.events.length > 0) {
    await postEvent(play, { isLast: true })
    await play.drive()
  }
  // Another day: reconciliation finds outcomes without events.
  clock.set(new Date(clock.now().getTime() + 24 * HOUR))
  await workOn(play)
  // Given-up charges are polled every six hours.
  clock.set(new Date(clock.now().getTime() + 7 * HOUR))
  await workOn(play)
  await outlastBacklog(play, () => workOn(play))
  play.say('all is at rest')
}

async function workOn(play: Play): Promise<void> {
  const { clock } = play.stage
  for (let round = 0; round < 12; round++) {
    await work(play, { rounds: UNTIL_DONE, reconciles: true })
    await play.drive()
    const next = await nextLook(play)
    if (next === null) break
    clock.set(new Date(Math.max(next.getTime(), clock.now().getTime())))
  }
  await work(play, { rounds: UNTIL_DONE, reconciles: true })
  await play.drive()
}

/** The next poll of unfinished work, without charges that wait for a bank. */
async function nextLook({ stage }: Play): Promise<Date | null> {
  const [row] = await stage.db.sql<{ at: Date | null }[]>`
    select least(
      (select min(next_poll_at) from charges where status in ('IN_FLIGHT', 'UNKNOWN')),
      (select min(next_poll_at) from gateway_events), (select min(next_poll_at) from refunds),
      (select min(coalesce(leased_until, updated_at)) from test_clocks where status = 'ADVANCING')) as at`
  return row?.at ?? null
}
