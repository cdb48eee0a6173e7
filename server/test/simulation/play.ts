import { saveApproval } from '../../src/merchants/approvals/store.ts'
import { insertDevice, insertStore } from '../../src/merchants/businesses/store.ts'
import { uuidOfUrn } from '../../src/platform/http/wire.ts'
import { paymentMethodOf, type Request, type Scene, taxRate } from './operations.ts'
import type { Random } from './random.ts'
import type { Task } from './scheduler.ts'
import type { Screen } from './screens.ts'
import type { Answer, Stage, Worker } from './stage.ts'

/** A request and its first response. */
interface Sent {
  readonly request: Request
  readonly key: string
  readonly at: Date
  answer?: Answer
}

const SECOND = 1_000
const DAY = 24 * 3_600 * SECOND

/** A task with more turns never ends. */
const MOST_TURNS = 50_000

/** The state of a run: processes, requests, and faults. */
export class Play {
  readonly said: string[] = []
  turns = 0
  crashes = 0
  readonly stage: Stage
  readonly random: Random
  readonly sent: Sent[] = []
  readonly screens: Screen[] = []
  /** Invoices with money moved at the gateway: our books may differ until rest. */
  readonly movedElsewhere = new Set<string>()
  readonly #businessIds: string[] = []
  /** In each turn. */
  #crashRate = 0
  #skewRate = 0
  #pauseRate = 0

  constructor(stage: Stage, random: Random) {
    this.stage = stage
    this.random = random
  }

  beginFaults(): void {
    const { random } = this
    this.#crashRate = random.pick([0, 0.002, 0.01])
    this.#skewRate = random.pick([0, 0, 0.01])
    this.#pauseRate = random.pick([0, 0.01, 0.03])
    this.stage.wire.faults = random.pick([0, 0.1, 0.4])
  }

  endFaults(): void {
    const { wire, scheduler } = this.stage
    this.#crashRate = this.#skewRate = this.#pauseRate = wire.faults = 0
    wire.downUntil = this.now()
    for (const task of scheduler.running()) task.isPaused = false
  }

  /** A new request with a key of its own. */
  ask(name: string, request: Request): void {
    const sent = { request, key: `key ${this.sent.length}`, at: this.now() }
    this.sent.push(sent)
    this.send(sent, name)
  }

  send(sent: Sent, name: string): void {
    const worker = this.worker()
    const { method, path, body } = sent.request
    this.say(`${worker.life.name} is asked: ${name}, ${method} ${path} ${JSON.stringify(body ?? {})}`)
    const wasAnswered = sent.answer !== undefined
    this.spawn(worker, name, async () => {
      const headers = method === 'POST' ? { 'idempotency-key': sent.key } : undefined
      this.#checkResponse(sent, await worker.ask(method, path, body, headers), wasAnswered)
    })
  }

  /** A repeated request gets the same response for a day, also while the gateway is unavailable. */
  #checkResponse(sent: Sent, answer: Answer, wasAnswered: boolean): void {
    const { errors } = this.stage
    this.say(`  ${sent.key}: ${answer.status} ${answer.status < 400 ? '' : answer.body.code}`)
    const isGatewayAway = answer.status === 503 && answer.text.includes('gateway is unavailable')
    if (answer.status >= 500 && !isGatewayAway) errors.push(`${sent.request.path}: ${answer.text}`)
    if (answer.body.code === 'REQUEST_IN_PROGRESS' || (isGatewayAway && !wasAnswered)) return
    const isFresh = this.now().getTime() - sent.at.getTime() < DAY
    const { method, isNotKept } = sent.request
    const isKept = sent.answer !== undefined && sent.answer.status < 300 && method === 'POST' && !isNotKept
    if (isKept && isFresh && sent.answer?.text !== answer.text)
      errors.push(`${sent.key} was answered anew: ${answer.text}`)
    sent.answer ??= answer
  }

  async openShops(): Promise<void> {
    const random = this.random
    const worker = this.stage.workers[0]
    for (let n = 2 + random.below(2); n > 0; n--) {
      const body = {
        legalName: 'Corner Shop',
        emailAddress: 'shop@example.com',
        country: random.pick(['US', 'DE', 'JP', 'KW']),
        type: random.pick(this.stage.there.businessTypes),
      }
      const made = this.spawn(worker, 'a shop opens', () => worker.ask('POST', '/businesses', body))
      await this.drive()
      const { businessId } = (made.result as Answer).body
      this.#businessIds.push(businessId)
      const { method, path, body: rate } = taxRate(random, body.country)
      if (random.chance(0.7)) this.spawn(worker, 'a tax rate', () => worker.ask(method, path, rate))
      await this.#furnish(businessId)
      if (random.chance(0.8)) await this.#approve(businessId)
      const clock = { businessId, now: this.now().toISOString() }
      const hasClock = body.type === 'TEST_MERCHANT' && random.chance(0.5)
      if (hasClock) this.spawn(worker, 'a clock', () => worker.ask('POST', '/test-clocks', clock))
      const card = paymentMethodOf(this.stage.there, businessId, random)
      if (random.chance(0.8)) this.spawn(worker, 'a card', () => worker.ask('POST', card.path, card.body))
      await this.drive()
    }
  }

  /** Two stores with three terminals, created without requests. */
  async #furnish(businessId: string): Promise<void> {
    const { db, newId } = this.stage
    const made = { businessId, createdAt: this.now(), updatedAt: this.now() }
    for (const [displayName, terminals] of [['North', 2] as const, ['South', 1] as const]) {
      const storeId = newId()
      await insertStore(db.sql, { ...made, storeId, displayName, status: 'ACTIVE' })
      for (let n = 0; n < terminals; n++) {
        const deviceId = newId()
        const device = { ...made, storeId, deviceId, name: `Till ${n}`, serialNumber: `${displayName} ${n}` }
        await insertDevice(
          db.sql,
          { ...device, status: 'NEW' },
          { codeHash: Buffer.from(deviceId), expiresAt: this.now() },
        )
      }
    }
  }

  /** The app gets events of its orders. */
  async #approve(businessId: string): Promise<void> {
    const { db, platform } = this.stage
    const appId = uuidOfUrn(platform.appId)
    await saveApproval(db.sql, { businessId, appId, rights: ['READ'], approvedAt: this.now() })
  }

  /** Runs until all work is done except paused tasks. Crashes and pauses are chosen at each turn. */
  async drive(): Promise<void> {
    const { scheduler, workers, clock } = this.stage
    const random = this.random
    for (const task of scheduler.running()) if (random.chance(0.3)) task.isPaused = false
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      if (scheduler.running().every(task => task.isPaused)) break
      if (!(await scheduler.turn(random))) {
        // The running tasks wait for locks of paused tasks.
        for (const task of scheduler.running()) task.isPaused = false
      }
      this.turns++
      if (random.chance(this.#skewRate)) clock.set(new Date(clock.now().getTime() + random.below(120) * SECOND))
      if (random.chance(this.#pauseRate)) this.#pauseOne()
      if (random.chance(this.#crashRate)) await this.#crash(random.pick(workers))
    }
    for (const worker of workers) if (worker.life.isDead) await worker.start()
  }

  #pauseOne(): void {
    const running = this.stage.scheduler.running().filter(task => !task.isPaused)
    if (running.length === 0) return
    const task = this.random.pick(running)
    task.isPaused = true
    this.say(`  ${task.life.name} stands still in ${task.name}`)
  }

  async #crash(worker: Worker): Promise<void> {
    if (worker.life.isDead) return
    this.crashes++
    this.say(`  ${worker.life.name} crashes`)
    await worker.crash()
  }

  spawn(worker: Worker, name: string, work: () => Promise<unknown>): Task {
    return this.stage.scheduler.spawn(worker.life, name, async () => {
      try {
        return await work()
      } catch (error) {
        this.stage.errors.push(`${name}: ${error instanceof Error ? error.stack : error}`)
        return null
      }
    })
  }

  worker(): Worker {
    return this.random.pick(this.stage.workers)
  }

  now(): Date {
    return this.stage.clock.now()
  }

  say(text: string): void {
    this.said.push(text)
    this.stage.scheduler.trace.push(text)
  }

  async scene(): Promise<Scene> {
    const { sql } = this.stage.db
    const { platform, there } = this.stage
    const [apps, backlogs, subscriptions, invoices, openInvoices, paymentMethods, orders, clocks, locations] =
      await Promise.all([
        sql`select 1 from apps where disabled_by = 'OPERATOR'`,
        sql`select 1 from billing_progress where state = 'WAITING'`,
        sql<Scene['subscriptions'][number][]>`
        select subscription_id as "subscriptionId", business_id as "businessId", plan_id as "planId", status,
          test_clock_id is not null as "isOnClock"
        from subscriptions order by 1`,
        sql<Scene['invoices'][number][]>`
        select invoice_id as "invoiceId", business_id as "businessId", amount_paid as "amountPaid" from invoices
        where status = 'PAID' order by 1`,
        sql<Scene['openInvoices'][number][]>`
        select invoice_id as "invoiceId", business_id as "businessId" from invoices where status = 'OPEN' order by 1`,
        sql<Scene['paymentMethods'][number][]>`
        select payment_method_id as "paymentMethodId", business_id as "businessId" from payment_methods order by 1`,
        sql<Scene['orders'][number][]>`
        select order_id as "orderId", business_id as "businessId", status from orders order by 1`,
        sql<Scene['clocks'][number][]>`
        select c.test_clock_id as "testClockId", clock_now as now from test_clocks as c join businesses using (business_id)
        order by 1`,
        sql<Scene['locations'][number][]>`
        select business_id as "businessId", store_id as "storeId", 'urn:tid:' || device_id as "deviceId"
        from devices order by device_id`,
      ])
    const seen = { subscriptions, invoices, openInvoices, paymentMethods, orders, clocks, locations }
    return {
      platform,
      there,
      isDisabled: apps.length > 0,
      hasBacklog: backlogs.length > 0,
      businessIds: this.#businessIds,
      ...seen,
    }
  }
}
