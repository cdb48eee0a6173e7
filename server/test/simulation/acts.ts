import { postEvent } from './at-gateway.ts'
import { cancelOrRestore, OPERATIONS, pickOne, planChange, toOne } from './operations.ts'
import { DECIDE_ABOUT_BACKLOG, OPERATOR_OPERATIONS } from './operator.ts'
import { crowdOrder } from './orders.ts'
import type { Play } from './play.ts'
import { previewAndChange } from './previews.ts'
import { askToBuy, atScreen } from './screens.ts'
import { JOBS } from './stage.ts'
import { work } from './work.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

/** Rounds of jobs in one step. A long catch-up continues at the next step. */
const JOB_ROUNDS = 6

const ALL_OPERATIONS = [...OPERATIONS, ...OPERATOR_OPERATIONS]

/** The possible steps and their frequency. */
export const ACTS: readonly { readonly weight: number; act(play: Play): Promise<void> }[] = [
  { weight: 6, act: operate },
  { weight: 2, act: repeat },
  { weight: 6, act: pass },
  { weight: 6, act: play => work(play, { rounds: JOB_ROUNDS, reconciles: play.random.chance(0.2) }) },
  { weight: 3, act: race },
  {
    weight: 4,
    act: async play => {
      await operate(play)
      await race(play)
    },
  },
  {
    weight: 2,
    act: async play => {
      await operate(play)
      await operate(play)
    },
  },
  { weight: 2, act: changeOfMind },
  { weight: 3, act: previewAndChange },
  { weight: 3, act: askToBuy },
  { weight: 1, act: atScreen },
  { weight: 2, act: crowdOrder },
  { weight: 1, act: goDown },
  { weight: 1, act: deliverLate },
  { weight: 1, act: play => play.stage.there.bankAnswers(play) },
  { weight: 1, act: play => play.stage.there.refundThere(play) },
  { weight: 1, act: play => play.stage.there.refundComesBack(play) },
  { weight: 1, act: play => play.stage.there.disputeThere(play) },
  { weight: 2, act: play => postEvent(play) },
]

async function operate(play: Play): Promise<void> {
  const { random, stage } = play
  const scene = await play.scene()
  const isDecided = stage.hasOperator && scene.hasBacklog && random.chance(0.4)
  const { name, make } = isDecided
    ? DECIDE_ABOUT_BACKLOG
    : random.weighted(stage.hasOperator ? ALL_OPERATIONS : OPERATIONS)
  const request = make(scene, random)
  if (request !== null) play.ask(name, request)
}

/** Changes, cancels and restores one subscription repeatedly, in sequence or concurrently. */
async function changeOfMind(play: Play): Promise<void> {
  const { random } = play
  const scene = await play.scene()
  const one = pickOne(scene, random)
  if (one === null) return
  const isPatient = random.chance(0.6)
  for (let n = 2 + random.below(3); n > 0; n--) {
    const act = random.chance(0.7) ? planChange(scene, random, one) : cancelOrRestore(random)
    play.ask('change of mind', toOne(scene, one, act))
    if (isPatient) await play.drive()
  }
}

/** A repeated request with the same key and body, to either process. */
async function repeat(play: Play): Promise<void> {
  const posts = play.sent.filter(({ request }) => request.method === 'POST')
  const unanswered = posts.filter(({ answer }) => answer === undefined)
  if (posts.length > 0) play.send(play.random.pick(unanswered.length > 0 ? unanswered : posts), 'again')
}

/** Both processes run one job each at the same time: half of the time the same job. */
async function race(play: Play): Promise<void> {
  const any = () => play.random.pick(play.random.chance(0.8) ? JOBS.slice(0, 3) : JOBS)
  const [first, other] = [any(), any()]
  const second = play.random.chance(0.5) ? first : other
  for (const [n, worker] of play.stage.workers.entries()) {
    const job = n === 0 ? first : second
    play.say(`${worker.life.name} runs ${job}`)
    play.spawn(worker, job, () => worker.runJob(job))
  }
}

async function pass(play: Play): Promise<void> {
  const { random } = play
  const due = await nextDue(play)
  const by = random.weighted([
    { weight: 3, ms: random.below(90) * SECOND },
    { weight: 3, ms: random.below(24) * HOUR },
    { weight: 2, ms: (1 + random.below(3)) * DAY },
    { weight: 1, ms: (7 + random.below(35)) * DAY },
    { weight: 4, ms: due === null ? 0 : Math.max(0, due.getTime() - play.now().getTime()) },
  ]).ms
  play.stage.clock.set(new Date(play.now().getTime() + by))
  play.say(`time passes: ${play.now().toISOString()}`)
}

async function goDown(play: Play): Promise<void> {
  play.stage.wire.downUntil = new Date(play.now().getTime() + (1 + play.random.below(30)) * HOUR)
  play.say('the gateway goes down')
}

export async function deliverLate(play: Play): Promise<void> {
  const [request] = play.stage.wire.late.splice(0, 1)
  if (request === undefined) return
  play.say('a copy of a request arrives at the gateway')
  play.turns++
  await request()
}

async function nextDue({ stage }: Play): Promise<Date | null> {
  const [row] = await stage.db.sql<{ at: Date | null }[]>`
    select least((select min(next_action_at) from subscriptions where test_clock_id is null), (select min(next_poll_at) from charges)) as at`
  return row?.at ?? null
}
