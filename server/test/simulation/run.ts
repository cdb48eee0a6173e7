import { createHash } from 'node:crypto'
import { settle } from '../../src/gateway/sandbox/confirm.ts'
import { OPERATIONS, paymentMethodOf, type Request, type Scene } from './operations.ts'
import type { Random } from './random.ts'
import type { Task } from './scheduler.ts'
import type { Answer, Stage, Worker } from './stage.ts'
import { createWatch, type Found, type Watch } from './watch.ts'

export interface RunOptions {
  readonly seed: number
  readonly steps: number
  /** Whether this counts. Default: everything. */
  readonly heeds?: (found: Found) => boolean
}

export interface RunResult {
  readonly seed: number
  readonly found?: Found
  readonly lastSteps: readonly string[]
  readonly steps: number
  /** Awaits of the world that chance has put in order. */
  readonly turns: number
  readonly crashes: number
  /** Of everything that happened: the same for the same seed. */
  readonly digest: string
}

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

/** A task that nobody finishes in so many turns goes round in circles. */
const MOST_TURNS = 50_000
const LAST_STEPS = 10
/** A long catch-up goes on at the next step. */
const DUTY_ROUNDS = 6
/** More than any catch-up takes. */
const UNTIL_DONE = 500

/** One run: random people and faults over virtual weeks or years, every rule looked at after each step, then rest. */
export async function run(stage: Stage, { seed, steps, heeds = () => true }: RunOptions): Promise<RunResult> {
  const random = await stage.begin(`seed ${seed}`)
  const play = new Play(stage, random, createWatch(stage, heeds))
  const found = await play.perform(steps)
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

interface Sent {
  readonly request: Request
  readonly key: string
  readonly at: Date
  answer?: Answer
}

class Play {
  readonly said: string[] = []
  turns = 0
  crashes = 0
  #turnsLooked = 0
  readonly #stage: Stage
  readonly #random: Random
  readonly #watch: Watch
  readonly #businessIds: string[] = []
  readonly #sent: Sent[] = []
  /** In each turn. */
  #crashRate = 0
  #skewRate = 0
  #pauseRate = 0

  constructor(stage: Stage, random: Random, watch: Watch) {
    this.#stage = stage
    this.#random = random
    this.#watch = watch
  }

  async perform(steps: number): Promise<Found | null> {
    const { wire, faults } = this.#stage
    const random = this.#random
    try {
      await this.#openShops()
      this.#crashRate = random.pick([0, 0.002, 0.01])
      this.#skewRate = random.pick([0, 0, 0.01])
      this.#pauseRate = random.pick([0, 0.01, 0.03])
      wire.faults = random.pick([0, 0.1, 0.4])
      for (let n = 0; n < steps; n++) {
        await random.weighted(ACTIONS).act(this)
        await this.#drive()
        const found = this.#hasMoved() ? await this.#watch.look() : null
        if (found !== null) return found
      }
      await this.#comeToRest()
      return await this.#watch.look({ atRest: true })
    } catch (error) {
      faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      return await this.#watch.look()
    }
  }

  async operate(): Promise<void> {
    const { name, make } = this.#random.weighted(OPERATIONS)
    const request = make(await this.#scene(), this.#random)
    if (request === null) return
    const sent = { request, key: `key ${this.#sent.length}`, at: this.#stage.clock.now() }
    this.#sent.push(sent)
    this.#send(sent, name)
  }

  /** The client did not hear, or clicks twice: the same key and body again, anywhere. */
  async repeat(): Promise<void> {
    const posts = this.#sent.filter(({ request }) => request.method === 'POST')
    const unheard = posts.filter(({ answer }) => answer === undefined)
    if (posts.length > 0) this.#send(this.#random.pick(unheard.length > 0 ? unheard : posts), 'again')
  }

  async work(rounds = DUTY_ROUNDS): Promise<void> {
    const worker = this.#worker()
    this.#say(`${worker.life.name} works`)
    this.#spawn(worker, 'duties', async () => {
      let found = 1
      for (let round = 0; round < rounds && found > 0; round++) {
        found = (await worker.duty('renewals')) + (await worker.duty('charges')) + (await worker.duty('refunds'))
      }
    })
  }

  /** Both at once, one duty each. */
  async race(): Promise<void> {
    const duties = ['renewals', 'charges', 'refunds'] as const
    for (const worker of this.#stage.workers) {
      const duty = this.#random.pick(duties)
      this.#say(`${worker.life.name} runs ${duty}`)
      this.#spawn(worker, duty, () => worker.duty(duty))
    }
  }

  async pass(): Promise<void> {
    const random = this.#random
    const due = await this.#nextDue()
    const by = random.weighted([
      { weight: 3, ms: random.below(90) * SECOND },
      { weight: 3, ms: random.below(24) * HOUR },
      { weight: 2, ms: (1 + random.below(3)) * DAY },
      { weight: 1, ms: (7 + random.below(35)) * DAY },
      { weight: 4, ms: due === null ? 0 : Math.max(0, due.getTime() - this.#now().getTime()) },
    ]).ms
    this.#stage.clock.set(new Date(this.#now().getTime() + by))
    this.#say(`time passes: ${this.#now().toISOString()}`)
  }

  async goDown(): Promise<void> {
    this.#stage.wire.downUntil = new Date(this.#now().getTime() + (1 + this.#random.below(30)) * HOUR)
    this.#say('the gateway goes down')
  }

  async deliverLate(): Promise<void> {
    const [request] = this.#stage.wire.late.splice(0, 1)
    if (request === undefined) return
    this.#say('a copy of a request arrives at the gateway')
    this.turns++
    await request()
  }

  /** The bank, or the payer, answers at last. */
  async bank(): Promise<void> {
    const { db, clock } = this.#stage
    const open = await db.sql<{ gatewayChargeId: string; key: string }[]>`
      select gateway_charge_id as "gatewayChargeId", key from sandbox_confirmations
      where outcome ->> 'kind' in ('pending', 'actionRequired') order by key`
    if (open.length === 0) return
    const outcome = this.#random.chance(0.6)
      ? ({ kind: 'succeeded' } as const)
      : ({ kind: 'declined', severity: 'soft', code: 'insufficient_funds' } as const)
    this.#say(`the bank answers: ${outcome.kind}`)
    this.turns++
    await settle({ db, clock }, { ...this.#random.pick(open), outcome })
  }

  #send(sent: Sent, name: string): void {
    const worker = this.#worker()
    const { method, path, body } = sent.request
    this.#say(`${worker.life.name} is asked: ${name}, ${method} ${path} ${JSON.stringify(body ?? {})}`)
    this.#spawn(worker, name, async () => {
      const headers = method === 'POST' ? { 'idempotency-key': sent.key } : undefined
      const answer = await worker.ask(method, path, body, headers)
      this.#heed(sent, answer)
    })
  }

  /** A request that was answered is answered the same again, for a day. */
  #heed(sent: Sent, answer: Answer): void {
    const { faults } = this.#stage
    this.#say(`  ${sent.key}: ${answer.status} ${answer.status < 400 ? '' : answer.body.code}`)
    const isGatewayAway = answer.status === 503 && answer.text.includes('The gateway is away')
    if (answer.status >= 500 && !isGatewayAway) faults.push(`${sent.request.path}: ${answer.text}`)
    if (answer.body.code === 'REQUEST_IN_PROGRESS' || isGatewayAway) return
    const isFresh = this.#now().getTime() - sent.at.getTime() < DAY
    const isKept = sent.answer !== undefined && sent.answer.status < 300 && sent.request.method === 'POST'
    if (isKept && isFresh && sent.answer?.text !== answer.text)
      faults.push(`${sent.key} was answered anew: ${answer.text}`)
    sent.answer ??= answer
  }

  async #openShops(): Promise<void> {
    const random = this.#random
    const worker = this.#stage.workers[0]
    for (let n = 2 + random.below(2); n > 0; n--) {
      const body = {
        legalName: 'Corner Shop',
        emailAddress: 'shop@example.com',
        country: random.pick(['US', 'DE', 'JP']),
        type: random.pick(['MERCHANT', 'TEST_MERCHANT']),
      }
      const made = this.#spawn(worker, 'a shop opens', () => worker.ask('POST', '/businesses', body))
      await this.#drive()
      const { businessId } = (made.result as Answer).body
      this.#businessIds.push(businessId)
      const card = paymentMethodOf(businessId, random)
      if (random.chance(0.8)) this.#spawn(worker, 'a card', () => worker.ask('POST', card.path, card.body))
      await this.#drive()
    }
  }

  /** Until all is done but for what stands still on purpose. What can die or stand still is chosen at each turn. */
  async #drive(): Promise<void> {
    const { scheduler, workers, clock } = this.#stage
    const random = this.#random
    for (const task of scheduler.running()) if (random.chance(0.3)) task.isPaused = false
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      if (scheduler.running().every(task => task.isPaused)) break
      if (!(await scheduler.turn(random))) {
        // Those that go on wait for what others hold.
        for (const task of scheduler.running()) task.isPaused = false
      }
      this.turns++
      if (random.chance(this.#skewRate)) clock.set(new Date(clock.now().getTime() + random.below(120) * SECOND))
      if (random.chance(this.#pauseRate)) this.#pauseOne()
      if (random.chance(this.#crashRate)) await this.#crash(random.pick(workers))
    }
    for (const worker of workers) if (worker.life.isDead) await worker.start()
  }

  /** Since the look before. Where nothing was sent to the world, nothing can have broken. */
  #hasMoved(): boolean {
    const moved = this.turns > this.#turnsLooked
    this.#turnsLooked = this.turns
    return moved
  }

  #pauseOne(): void {
    const running = this.#stage.scheduler.running().filter(task => !task.isPaused)
    if (running.length === 0) return
    const task = this.#random.pick(running)
    task.isPaused = true
    this.#say(`  ${task.life.name} stands still in ${task.name}`)
  }

  async #crash(worker: Worker): Promise<void> {
    if (worker.life.isDead) return
    this.crashes++
    this.#say(`  ${worker.life.name} crashes`)
    await worker.crash()
  }

  /** No more faults; time goes on until nothing is on its way. */
  async #comeToRest(): Promise<void> {
    const { wire, clock, scheduler } = this.#stage
    this.#crashRate = this.#skewRate = this.#pauseRate = wire.faults = 0
    wire.downUntil = clock.now()
    for (const task of scheduler.running()) task.isPaused = false
    await this.#drive()
    for (let round = 0; round < 12; round++) {
      await this.work(UNTIL_DONE)
      await this.#drive()
      const next = await this.#nextLook()
      if (next === null) break
      clock.set(new Date(Math.max(next.getTime(), clock.now().getTime())))
    }
    while (wire.late.length > 0) await this.deliverLate()
    // Charges that were given up are looked at again after six hours.
    clock.set(new Date(clock.now().getTime() + 7 * HOUR))
    await this.work(UNTIL_DONE)
    await this.#drive()
    await this.work(UNTIL_DONE)
    await this.#drive()
    this.#say('all is at rest')
  }

  #spawn(worker: Worker, name: string, work: () => Promise<unknown>): Task {
    return this.#stage.scheduler.spawn(worker.life, name, async () => {
      try {
        return await work()
      } catch (error) {
        this.#stage.faults.push(`${name}: ${error instanceof Error ? error.stack : error}`)
        return null
      }
    })
  }

  #worker(): Worker {
    return this.#random.pick(this.#stage.workers)
  }

  #now(): Date {
    return this.#stage.clock.now()
  }

  #say(text: string): void {
    this.said.push(text)
    this.#stage.scheduler.trace.push(text)
  }

  async #scene(): Promise<Scene> {
    const { sql } = this.#stage.db
    const { platform } = this.#stage
    const [subscriptions, invoices, paymentMethods] = await Promise.all([
      sql<Scene['subscriptions'][number][]>`
        select subscription_id as "subscriptionId", status, cancel_at as "cancelAt" from subscriptions order by 1`,
      sql<Scene['invoices'][number][]>`
        select invoice_id as "invoiceId", business_id as "businessId", amount_paid as "amountPaid" from invoices
        where status = 'PAID' order by 1`,
      sql<Scene['paymentMethods'][number][]>`
        select payment_method_id as "paymentMethodId", business_id as "businessId" from payment_methods order by 1`,
    ])
    return { platform, businessIds: this.#businessIds, subscriptions, invoices, paymentMethods }
  }

  async #nextDue(): Promise<Date | null> {
    const [row] = await this.#stage.db.sql<{ at: Date | null }[]>`
      select least((select min(next_action_at) from subscriptions), (select min(look_at) from charges)) as at`
    return row?.at ?? null
  }

  /** When something that is on its way is next looked at; what waits for a bank may wait. */
  async #nextLook(): Promise<Date | null> {
    const [row] = await this.#stage.db.sql<{ at: Date | null }[]>`
      select least(
        (select min(look_at) from charges where status in ('IN_FLIGHT', 'UNKNOWN')),
        (select min(look_at) from refunds)) as at`
    return row?.at ?? null
  }
}

const ACTIONS: readonly { readonly weight: number; act(play: Play): Promise<void> }[] = [
  { weight: 6, act: play => play.operate() },
  { weight: 2, act: play => play.repeat() },
  { weight: 6, act: play => play.pass() },
  { weight: 6, act: play => play.work() },
  { weight: 3, act: play => play.race() },
  {
    weight: 4,
    act: async play => {
      await play.operate()
      await play.race()
    },
  },
  {
    weight: 2,
    act: async play => {
      await play.operate()
      await play.operate()
    },
  },
  { weight: 1, act: play => play.goDown() },
  { weight: 1, act: play => play.deliverLate() },
  { weight: 1, act: play => play.bank() },
]
