import { randomUUID } from 'node:crypto'
import { type Api, openApi } from '../api.ts'
import { constantRate, keepSchedule } from '../arrivals.ts'
import { cpuPerRequest, readCpu } from '../cpu.ts'
import { closedLoop } from '../load.ts'
import { monotonicMs } from '../monotonic.ts'
import { type Row, rowOf } from '../row.ts'
import { createTally, type Tally } from '../tally.ts'
import { type Scenario, WARM_UP_SECONDS, type World } from '../world.ts'
import { wordOf } from './repeat.ts'

/** At a constant rate there must be a free one whenever an order is due. */
const CONNECTIONS = 128
/** At saturation, all busy. */
const CALLERS = 64
/** After the last notification that came: the first retry of a delivery is 5 s ± 20 % later. */
const QUIET_MS = 10_000

/** Orders at fixed instants; both latencies count from the instant at which the order was due. */
export function ordersAt(perSecond: number): Scenario {
  const name = `orders at ${perSecond.toLocaleString('en')}/s`
  const pace: Pace = async (send, { seconds, signal }) => {
    const answers: Promise<void>[] = []
    await keepSchedule(constantRate(perSecond, seconds), dueAtMs => answers.push(send(dueAtMs)), signal)
    await Promise.all(answers)
  }
  return { name, run: world => measureOrders(world, name, { pace, connections: CONNECTIONS }) }
}

/** As many orders as are taken; latencies count from when each was sent, and show the queue that builds up. */
export const ordersSaturated: Scenario = {
  name: `orders on ${CALLERS} busy connections`,
  run: world =>
    measureOrders(world, ordersSaturated.name, {
      connections: CALLERS,
      pace: async (send, load) => void (await closedLoop({ callers: CALLERS, ...load }, send)),
    }),
}

/** The same with an idempotency key on each request, as terminals send them. */
export const ordersWithKeys: Scenario = {
  name: `orders on ${CALLERS} busy connections, with idempotency keys`,
  run: world =>
    measureOrders(world, ordersWithKeys.name, {
      connections: CALLERS,
      pace: async (send, load) => void (await closedLoop({ callers: CALLERS, ...load }, send)),
      isKeyed: true,
    }),
}

/** `POST /orders/events` with so many opened orders in each request; rates and processor time are per order. */
export function ordersInBulk(items: number, callers: number): Scenario {
  const name = `orders in bulk, ${items.toLocaleString('en')} a request on ${callers} connections`
  const pace: Pace = async (send, load) => void (await closedLoop({ callers, ...load }, send))
  return { name, run: world => measureOrders(world, name, { pace, connections: callers, items }) }
}

type Send = (fromMs: number) => Promise<void>
type Pace = (send: Send, load: { seconds: number; signal: AbortSignal }) => Promise<void>

interface Way {
  readonly pace: Pace
  readonly connections: number
  /** Each request has an idempotency key. */
  readonly isKeyed?: boolean
  /** Orders in one bulk request. */
  readonly items?: number
}

async function measureOrders(world: World, name: string, by: Way): Promise<Row[]> {
  await using api = openApi(world.baseUrl, { connections: by.connections })
  await follow(world, api, by, WARM_UP_SECONDS)
  const before = readCpu(world.processes)
  const { accepted, delivered, beganAtMs } = await follow(world, api, by, world.seconds)
  const cpu = cpuPerRequest(before, readCpu(world.processes), delivered.tally.latenciesMs.length)
  return [
    rowOf(`${name}: accepted`, accepted.tally, (accepted.lastAtMs - beganAtMs) / 1000),
    rowOf(`${name}: delivered`, delivered.tally, (delivered.lastAtMs - beganAtMs) / 1000, cpu),
  ]
}

/** Sends orders at the pace, then waits for their notifications. */
export async function follow(world: Following, api: Api, { pace, items, isKeyed = false }: Way, seconds: number) {
  const beganAtMs = monotonicMs()
  const accepted = { tally: createTally(), lastAtMs: beganAtMs }
  const delivered = { tally: createTally(), lastAtMs: beganAtMs }
  /** From the order to the instant from which its latencies count. */
  const orders = new Map<string, number>()
  const nextOrder = ordersOf(world, isKeyed)
  const nextReport = reportsOf(world, items ?? 1)
  const send: Send = async fromMs => {
    const orderIds =
      items === undefined
        ? await sendOne(api, nextOrder(), accepted.tally)
        : await sendReport(api, nextReport(), accepted.tally)
    accepted.lastAtMs = monotonicMs()
    for (const orderId of orderIds) {
      accepted.tally.succeeded(accepted.lastAtMs - fromMs)
      orders.set(orderId, fromMs)
    }
  }
  await pace(send, { seconds, signal: world.signal })

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

type Sending = Pick<World, 'seeded' | 'operatorKey'>
type Following = Sending & Pick<World, 'inbox' | 'signal'>

interface Order {
  readonly path: string
  readonly bearer: string
  readonly json: string
  readonly key?: string
}

/** Each terminal in turn. */
export function ordersOf({ seeded: { terminals }, operatorKey }: Sending, isKeyed: boolean): () => Order {
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
export function reportsOf({ seeded: { terminals }, operatorKey }: Sending, items: number): () => Order {
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
export async function sendOne(api: Api, order: Order, tally: Tally): Promise<string[]> {
  const answer = await answerTo(api, order, tally)
  if (answer?.status === 201) return [JSON.parse(answer.text).orderId]
  if (answer !== null) tally.failed(String(answer.status))
  return []
}

/** The ids of the accepted orders of a bulk request. */
export async function sendReport(api: Api, report: Order, tally: Tally): Promise<string[]> {
  const answer = await answerTo(api, report, tally)
  if (answer === null) return []
  if (answer.status !== 200 && answer.status !== 207) {
    tally.failed(String(answer.status))
    return []
  }
  const { results }: { results: { orderId: string; status: number }[] } = JSON.parse(answer.text)
  const [done, failed] = [results.filter(({ status }) => status < 300), results.filter(({ status }) => status >= 300)]
  for (const { status } of failed) tally.failed(String(status))
  return done.map(({ orderId }) => orderId)
}

async function answerTo(api: Api, order: Order, tally: Tally) {
  try {
    return await api.send({ method: 'POST', ...order })
  } catch (error) {
    tally.failed(wordOf(error))
    return null
  }
}
