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
  const name = `orders at ${perSecond}/s`
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

type Send = (fromMs: number) => Promise<void>
type Pace = (send: Send, load: { seconds: number; signal: AbortSignal }) => Promise<void>

async function measureOrders(world: World, name: string, by: { pace: Pace; connections: number }): Promise<Row[]> {
  await using api = openApi(world.baseUrl, { connections: by.connections })
  await follow(world, api, by.pace, WARM_UP_SECONDS)
  const before = readCpu(world.processes)
  const { accepted, delivered, beganAtMs } = await follow(world, api, by.pace, world.seconds)
  const cpu = cpuPerRequest(before, readCpu(world.processes), delivered.tally.latenciesMs.length)
  return [
    rowOf(`${name}: accepted`, accepted.tally, (accepted.lastAtMs - beganAtMs) / 1000),
    rowOf(`${name}: delivered`, delivered.tally, (delivered.lastAtMs - beganAtMs) / 1000, cpu),
  ]
}

/** Sends orders at the pace, then waits for their notifications. */
async function follow(world: World, api: Api, pace: Pace, seconds: number) {
  const beganAtMs = monotonicMs()
  const accepted = { tally: createTally(), lastAtMs: beganAtMs }
  const delivered = { tally: createTally(), lastAtMs: beganAtMs }
  /** From the order to the instant from which its latencies count. */
  const orders = new Map<string, number>()
  const nextOrder = ordersOf(world)
  const send: Send = async fromMs => {
    const orderId = await sendOne(api, nextOrder(), accepted.tally)
    if (orderId === null) return
    accepted.lastAtMs = monotonicMs()
    accepted.tally.succeeded(accepted.lastAtMs - fromMs)
    orders.set(orderId, fromMs)
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

interface Order {
  readonly path: string
  readonly bearer: string
  readonly json: string
}

/** Each terminal in turn. */
function ordersOf({ seeded: { terminals }, operatorKey }: World): () => Order {
  const orders = terminals.map(({ businessId, storeId, deviceId }) => ({
    path: `/businesses/${businessId}/orders`,
    bearer: operatorKey,
    json: JSON.stringify({ storeId, deviceId, amount: 1250, currency: 'USD', reference: 'Table 12' }),
  }))
  let turn = 0
  return () => {
    const order = orders[turn++ % orders.length]
    if (order === undefined) throw new Error('There must be a terminal.')
    return order
  }
}

/** The id of the order that was made; null when it was not, and why is in the tally. */
async function sendOne(api: Api, order: Order, tally: Tally): Promise<string | null> {
  try {
    const { status, text } = await api.send({ method: 'POST', ...order })
    if (status === 201) return JSON.parse(text).orderId
    tally.failed(String(status))
  } catch (error) {
    tally.failed(wordOf(error))
  }
  return null
}
