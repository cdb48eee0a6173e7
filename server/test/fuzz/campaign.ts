import type { AddressInfo } from 'node:net'
import type { OpenApi } from '../../src/runtime/openapi/openapi.ts'
import { createWorld, OPERATOR_KEY } from '../support/world.ts'
import { type Described, readDocument } from './document.ts'
import { type Findings, openNotebook } from './findings.ts'
import { judge } from './judge.ts'
import { type Random, randomOf } from './random.ts'
import { rawRequest } from './raw-requests.ts'
import { bytesOf, curlOf, type FuzzRequest, requestTo } from './request.ts'
import { bearerOf, credentialsOf, learn, newScene, type Scene } from './scenes.ts'
import { type Connection, openConnection } from './socket.ts'

export interface CampaignOptions {
  readonly seed: number
  readonly seconds: number
}

/** A tenant wears out: its subscriptions end, and its keys and hooks disappear. */
const REQUESTS_TO_A_TENANT = 200
/** Destructive operations, and operations without input, are chosen less often. */
const ENDINGS = /^(revoke|delete|end|cancel|retire|reject)/
const RAW_SHARE = 0.1
/** So often a few come at once, about the same things: what each has read by then is old. */
const CROWD_SHARE = 0.1
const MOST_AT_ONCE = 4
/** An upper bound for every machine: only a hanging request exceeds it. */
const ANSWERED_WITHIN_MS = 120_000
/** For bytes that may be an incomplete request. */
const RAW_ANSWERED_WITHIN_MS = 150

/** However slow the machine is. */
const AT_LEAST = 50

/** One request and the data for judging its response. */
interface Attempt {
  readonly number: number
  readonly requestId: string
  readonly scene: Scene
  readonly request: FuzzRequest
  /** In place of the request, and then of no operation. */
  readonly raw: Buffer | null
}

/**
 * Sends requests made from the served document to a whole service with real tenants, over a socket, for the given time. The same seed
 * makes the same requests, except for ids that the service generated.
 */
export async function fuzz({ seed, seconds }: CampaignOptions): Promise<Findings> {
  const notebook = openNotebook(seed)
  const world = await createWorld({ log: notebook.log })
  const { http } = world.app
  // Advancing waits poll this clock: the half minute is over after 300 polls.
  world.clock.tick(100)
  await http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = http.server.address() as AddressInfo
  const connections = Array.from({ length: MOST_AT_ONCE }, () => openConnection(port))
  const document = readDocument((await http.inject('/openapi.json')).json() as OpenApi)
  let scenes = [await newScene(world)]
  let sent = 0
  const endAt = performance.now() + seconds * 1_000
  try {
    while (sent < AT_LEAST || performance.now() < endAt) {
      // A second generator, so that the choice of the operation does not correlate with the request.
      const random = randomOf(~seed, sent)
      const scene = random.pick(scenes)
      const operation = pickOperation(document.operations, random)
      const crowd = random.chance(CROWD_SHARE) ? 2 + random.below(MOST_AT_ONCE - 1) : 1
      const hasOneId = random.chance(0.3)
      const first = sent
      const attempts = Array.from({ length: crowd }, () => {
        const number = sent++
        return attemptAt(operation, scene, { number, requestId: `fuzz-${seed}-${hasOneId ? first : number}` })
      })
      await Promise.all(attempts.map((attempt, at) => carryOut(attempt, connections[at] as Connection)))
      if (Math.floor(sent / REQUESTS_TO_A_TENANT) > Math.floor((sent - crowd) / REQUESTS_TO_A_TENANT)) {
        await work()
        scenes = [await newScene(world)]
      }
    }
    await work()
  } finally {
    for (const connection of connections) connection.close()
    await world.close()
  }
  return notebook.findings(sent)

  function attemptAt(operation: Described, scene: Scene, named: { number: number; requestId: string }): Attempt {
    const random = randomOf(seed, named.number)
    const ids = { ...scene.ids, ...credentialsOf(world, scene, operation, random) }
    const known = { ids, bearer: bearerOf(scene, operation, random), requestId: named.requestId }
    const request = requestTo(operation, known, random)
    return { ...named, scene, request, raw: random.chance(RAW_SHARE) ? rawRequest(request, random) : null }
  }

  async function carryOut({ number, requestId, scene, request, raw }: Attempt, connection: Connection): Promise<void> {
    const meant = raw === null ? request.operation : undefined
    const name = meant?.name ?? '-'
    const reply = await connection.exchange(raw ?? bytesOf(request), {
      isWhole: raw === null,
      withinMs: raw === null ? ANSWERED_WITHIN_MS : RAW_ANSWERED_WITHIN_MS,
    })
    const again = raw === null ? curlOf(request) : `echo ${raw.toString('base64')} | base64 -d | nc 127.0.0.1 8080`
    if (typeof reply !== 'object') {
      // Incomplete or invalid requests need no response.
      if (meant) notebook.fault(`${name}: ${reply}, no answer`, { number, requestId, body: '', again })
      return
    }
    notebook.count(name, reply.status)
    const secrets = [OPERATOR_KEY, ...scene.tokens]
    for (const what of judge({ ...document, secrets }, meant, reply)) {
      notebook.fault(`${name}: ${what}`, { number, requestId, body: reply.body.toString(), again })
    }
    if (meant && reply.status < 300) learn(scenes, scene, meant, reply.body)
  }

  /** Accepted requests must not disturb the background jobs. */
  async function work(): Promise<void> {
    await world.work()
    const rows = await world.app.ports.db.sql<{ kind: string; error: string }[]>`
      select 'delivery' as kind, last_error as error from deliveries where failures > 0
      union all select 'redelivery', last_error from redeliveries where failures > 0
      union all select 'subscription', last_error from subscriptions where failures > 0
      union all select 'charge', last_error from charges where failures > 0
      union all select 'refund', last_error from refunds where failures > 0`
    for (const { kind, error } of rows) {
      notebook.fault(`a ${kind} was quarantined`, { number: sent, requestId: '', body: error, again: '' })
    }
  }
}

function pickOperation(operations: readonly Described[], random: Random): Described {
  const operation = random.pick(operations)
  const isSeldom = ENDINGS.test(operation.name) || (operation.isForPublic && operation.method === 'GET')
  return isSeldom && random.chance(0.7) ? random.pick(operations) : operation
}
