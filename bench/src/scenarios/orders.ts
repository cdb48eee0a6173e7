import { randomUUID } from 'node:crypto'
import { type ApiAnswer, openApi } from '../api.ts'
import { constantRate, keepSchedule } from '../arrivals.ts'
import { cpuPerRequest, readCpu } from '../cpu.ts'
import { closedLoop, wordOf } from '../load.ts'
import { monotonicMs } from '../monotonic.ts'
import { type Row, rowOf } from '../row.ts'
import { createTally, type Tally } from '../tally.ts'
import { type Scenario, WARM_UP_SECONDS, type World } from '../world.ts'

/** Connections at a constant rate: one must be free whenever an order is due. */
const CONNECTIONS = 128
/** Busy connections at saturation. */
const CALLERS = 64
/** The wait after the last notification: the first retry of a delivery is 5 s ± 20 % later. */
const QUIET_MS = 10_000

/**
 * Orders at fixed instants; both latencies count from the instant at which the order was due. The schedule is our own: autocannon sends the
 * requests of each second in one burst.
 */
export function ordersAt(perSecond: number): Scenario {
  const name = `orders at ${perSecond.toLocaleString('en')}/s`
  const pace: Pace = async ({ baseUrl, seconds, signal }, { next, answered, failed }) => {
    await using api = openApi(baseUrl, { connections: CONNECTIONS })
    const answers: Promise<void>[] = []
    const send = (dueAtMs: number) => {
      const answer = api.send({ method: 'POST', ...next() })
      answers.push(
        answer.then(
          answer => answered(answer, dueAtMs),
          error => failed(wordOf(error)),
        ),
      )
    }
    await keepSchedule(constantRate(perSecond, seconds), send, signal)
    await Promise.all(answers)
  }
  return { name, run: world => measureOrders(world, name, { pace }) }
}

/** The maximum rate. Latencies count from the sending of an order and are mostly waiting time. */
export const ordersSaturated: Scenario = {
  name: `orders on ${CALLERS} busy connections`,
  run: world => measureOrders(world, ordersSaturated.name, { pace: busy(CALLERS) }),
}

/** The same with an idempotency key on each request, as terminals send them. */
export const ordersWithKeys: Scenario = {
  name: `orders on ${CALLERS} busy connections, with idempotency keys`,
  run: world => measureOrders(world, ordersWithKeys.name, { pace: busy(CALLERS), isKeyed: true }),
}

/** `POST /orders/events` with several orders in each request; rates and processor time are per order. */
export function ordersInBulk(items: number, connections: number): Scenario {
  const name = `orders in bulk, ${items.toLocaleString('en')} a request on ${connections} connections`
  return { name, run: world => measureOrders(world, name, { pace: busy(connections), items }) }
}

type Pace = (
  load: { readonly baseUrl: string; seconds: number; signal: AbortSignal },
  sending: Sending,
) => Promise<void>

interface Sending {
  next(): Order
  /** Latencies count from `fromMs`. */
  answered(answer: ApiAnswer, fromMs: number): void
  failed(word: string): void
}

/** Keeps connections busy until the time, or the number of `requests`, is over. */
export function busy(connections: number, requests?: number): Pace {
  return async (load, { next, answered, failed }) => {
    await closedLoop(
      { ...load, connections, ...(requests === undefined ? {} : { requests }) },
      () => ({ method: 'POST', ...next() }),
      { answered: ({ tookMs, ...answer }) => answered(answer, monotonicMs() - tookMs), failed },
    )
  }
}

interface Way {
  readonly pace: Pace
  /** Each request has an idempotency key. */
  readonly isKeyed?: boolean
  /** Orders in one bulk request. */
  readonly items?: number
}

async function measureOrders(world: World, name: string, way: Way): Promise<Row[]> {
  await follow(world, way, WARM_UP_SECONDS)
  const before = readCpu(world.processes)
  const { accepted, delivered, beganAtMs } = await follow(world, way, world.seconds)
  const cpu = cpuPerRequest(before, readCpu(world.processes), delivered.tally.latenciesMs.length)
  return [
    rowOf(`${name}: accepted`, accepted.tally, (accepted.lastAtMs - beganAtMs) / 1000),
    rowOf(`${name}: delivered`, delivered.tally, (delivered.lastAtMs - beganAtMs) / 1000, cpu),
  ]
}

/** Sends orders at the pace, then waits for their notifications. */
export async function follow(world: Following, way: Way, seconds: number) {
  const beganAtMs = monotonicMs()
  const delivered = { tally: createTally(), lastAtMs: beganAtMs }
  const { orders, ...accepted } = await openOrders(world, way, seconds)
  const received = await world.inbox.arrivalsOf([...orders.keys()], { quietMs: QUIET_MS, signal: world.signal })
  for (const [orderId, fromMs] of orders) {
    const receivedAtMs = received.get(orderId)
    if (receivedAtMs === undefined) {
      delivered.tally.failed('missing')
      continue
    }
    delivered.lastAtMs = Math.max(delivered.lastAtMs, receivedAtMs)
    delivered.tally.succeeded(receivedAtMs - fromMs)
  }
  return { accepted, delivered, beganAtMs }
}

/** Opens orders at the pace. `orders`: from the id of each accepted order to the instant from which its latencies count. */
export async function openOrders(world: Opening, { pace, items, isKeyed = false }: Way, seconds: number) {
  const { baseUrl, signal } = world
  const tally = createTally()
  const orders = new Map<string, number>()
  let lastAtMs = monotonicMs()
  await pace(
    { baseUrl, seconds, signal },
    {
      next: items === undefined ? ordersOf(world, isKeyed) : reportsOf(world, items),
      answered: (answer, fromMs) => {
        lastAtMs = monotonicMs()
        for (const orderId of items === undefined ? orderIn(answer, tally) : reportedIn(answer, tally)) {
          tally.succeeded(lastAtMs - fromMs)
          orders.set(orderId, fromMs)
        }
      },
      failed: tally.failed,
    },
  )
  return { orders, tally, lastAtMs }
}

type Opening = Pick<World, 'baseUrl' | 'seeded' | 'operatorKey' | 'signal'>
type Following = Opening & Pick<World, 'inbox'>

interface Order {
  readonly path: string
  readonly bearer: string
  readonly json: string
  readonly key?: string
}

/** Each terminal in turn. */
function ordersOf({ seeded: { terminals }, operatorKey }: Opening, isKeyed: boolean): () => Order {
  const orders = terminals.map(({ businessId, storeId, deviceId }) => ({
    path: `/businesses/${businessId}/orders`,
    bearer: operatorKey,
    json: JSON.stringify({ storeId, deviceId, amount: 1250, currency: 'USD', reference: 'Table 12' }),
  }))
  let turn = 0
  return () => {
    const order = orders[turn++ % orders.length]
    if (order === undefined) throw new Error('There must be a terminal.')
    return isKeyed ? { ...order, key: randomUUID() } : order
  }
}

/** Requests of opened orders, of each terminal in turn. */
function reportsOf({ seeded: { terminals }, operatorKey }: Opening, items: number): () => Order {
  let turn = 0
  const event = () => {
    const { businessId, storeId, deviceId } = terminals[turn++ % terminals.length] ?? {}
    const fields = { amount: 1250, currency: 'USD', reference: 'Table 12' }
    return {
      id: randomUUID(),
      eventType: 'ORDER_OPENED',
      orderId: randomUUID(),
      businessId,
      storeId,
      deviceId,
      ...fields,
    }
  }
  return () => ({
    path: '/orders/events',
    bearer: operatorKey,
    json: JSON.stringify({ events: Array.from({ length: items }, event) }),
  })
}

/** The id of the accepted order. The tally has the reason of a failure. */
function orderIn({ status, text }: ApiAnswer, tally: Tally): string[] {
  if (status === 201) return [JSON.parse(text).orderId]
  tally.failed(String(status))
  return []
}

/** The ids of the accepted orders of a bulk request. */
function reportedIn({ status, text }: ApiAnswer, tally: Tally): string[] {
  if (status !== 200 && status !== 207) {
    tally.failed(String(status))
    return []
  }
  const { results }: { results: { orderId: string; status: number }[] } = JSON.parse(text)
  const [done, failed] = [results.filter(({ status }) => status < 300), results.filter(({ status }) => status >= 300)]
  for (const { status } of failed) tally.failed(String(status))
  return done.map(({ orderId }) => orderId)
}
