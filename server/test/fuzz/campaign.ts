import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { OpenApi } from '../../src/contract/openapi.ts'
import { makeTenant, type Tenant } from '../matrix/tenant.ts'
import { tokenWithin } from '../support/tokens.ts'
import { createWorld, OPERATOR_KEY, type World } from '../support/world.ts'
import { oddAssertion } from './assertion.ts'
import { type Described, readDocument } from './document.ts'
import { type Findings, openNotebook } from './findings.ts'
import { judge } from './judge.ts'
import { type Random, randomOf } from './random.ts'
import { rawRequest } from './raw-requests.ts'
import { bytesOf, curlOf, requestTo } from './request.ts'
import { openConnection } from './socket.ts'

export interface CampaignOptions {
  readonly seed: number
  readonly seconds: number
}

/** Somebody who calls, and things that there are for it. */
interface Scene {
  readonly tenant: Tenant
  readonly ids: Readonly<Record<string, string>>
  readonly tokens: readonly string[]
}

/** A tenant is worn out after a while: its subscriptions are ended, its keys and hooks gone. */
const REQUESTS_TO_A_TENANT = 200
const MOST_SCENES = 24
/** What ends something is asked for less often than what makes it; what takes no input, too. */
const ENDINGS = /^(revoke|delete|end|cancel|retire|reject)/
const RAW_SHARE = 0.1
const ANSWERED_WITHIN_MS = 30_000
/** For bytes that may be half a request. */
const RAW_ANSWERED_WITHIN_MS = 150

/**
 * Requests made from the served document against a whole service with real tenants, over its socket, until the time is up.
 * The same seed makes the same requests, but for the ids that the service itself has given.
 */
export async function fuzz({ seed, seconds }: CampaignOptions): Promise<Findings> {
  const notebook = openNotebook(seed)
  const world = await createWorld({ log: notebook.log })
  const { http } = world.app
  // Whoever waits for a test clock to arrive looks at this one: its half minute is over after 300 looks.
  world.clock.tick(100)
  await http.listen({ host: '127.0.0.1', port: 0 })
  const connection = openConnection((http.server.address() as AddressInfo).port)
  const document = readDocument((await http.inject('/openapi.json')).json() as OpenApi)
  const endAt = performance.now() + seconds * 1_000
  let scenes: Scene[] = []
  let sent = 0
  try {
    while (performance.now() < endAt) {
      if (sent % REQUESTS_TO_A_TENANT === 0) scenes = [await newScene(world)]
      const random = randomOf(seed, sent++)
      const scene = random.pick(scenes)
      const operation = pickOperation(document.operations, random)
      const requestId = `fuzz-${seed}-${sent}`
      const ids = { ...scene.ids, ...credentialsOf(world, scene, operation, random) }
      const request = requestTo(operation, { ids, bearer: bearerOf(scene, random), requestId }, random)
      const raw = random.chance(RAW_SHARE) ? rawRequest(request, random) : null
      const meant = raw === null ? operation : undefined
      const name = meant?.name ?? '-'
      const reply = await connection.exchange(raw ?? bytesOf(request), {
        isWhole: raw === null,
        withinMs: raw === null ? ANSWERED_WITHIN_MS : RAW_ANSWERED_WITHIN_MS,
      })
      const again = raw === null ? curlOf(request) : `echo ${raw.toString('base64')} | base64 -d | nc 127.0.0.1 8080`
      if (typeof reply !== 'object') {
        // Bytes that are no request, or half of one, need no answer.
        if (meant) notebook.fault(`${name}: ${reply}, no answer`, { request: sent, requestId, body: '', again })
        continue
      }
      notebook.count(name, reply.status)
      const secrets = [OPERATOR_KEY, ...scene.tokens]
      for (const what of judge({ ...document, secrets }, meant, reply)) {
        notebook.fault(`${name}: ${what}`, { request: sent, requestId, body: reply.body.toString(), again })
      }
      if (meant && reply.status < 300) learn(scenes, scene, meant, reply.body)
    }
  } finally {
    connection.close()
    await world.close()
  }
  return notebook.findings(sent)
}

function pickOperation(operations: readonly Described[], random: Random): Described {
  const operation = random.pick(operations)
  const isSeldom = ENDINGS.test(operation.name) || (operation.isForPublic && operation.method === 'GET')
  return isSeldom && random.chance(0.7) ? random.pick(operations) : operation
}

async function newScene(world: World): Promise<Scene> {
  const tenant = await makeTenant(world)
  const within = await tokenWithin(world, tenant.app, String(tenant.ids.businessId))
  return { tenant, ids: tenant.ids, tokens: [tenant.token, within] }
}

function bearerOf({ tokens }: Scene, random: Random): string | null {
  if (random.chance(0.04)) return random.pick([null, 'a.b.c', 'x'])
  return random.chance(0.25) ? random.pick(tokens) : OPERATOR_KEY
}

/** What a token is asked for with. */
function credentialsOf(world: World, { tenant, ids, tokens }: Scene, { name }: Described, random: Random) {
  if (name === 'revokeToken')
    return { token: random.pick([ids.refreshToken ?? 'x', randomUUID(), ...(random.chance(0.1) ? tokens : [])]) }
  if (name !== 'issueToken') return {}
  const isRefresh = random.chance(0.3)
  const grantType = isRefresh ? 'REFRESH_TOKEN' : 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const assertion = oddAssertion(world, tenant.app, random)
  const refreshToken = ids.refreshToken ?? 'x'
  return { grantType, grant_type: grantType, assertion, refreshToken, refresh_token: refreshToken }
}

/** What was made is there for later requests, in place of what was there before or beside it. */
function learn(scenes: Scene[], scene: Scene, { name, method, path }: Described, body: Buffer): void {
  if (method !== 'POST' || body.length === 0) return
  const made = JSON.parse(body.toString()) as Record<string, unknown>
  const named = path === '/hooks' ? { ...made, hookId: made.id } : made
  const known = new Set([...Object.keys(scene.ids), 'refreshToken'])
  const learnt = Object.entries(named).filter(([key, value]) => known.has(key) && typeof value === 'string')
  if (learnt.length === 0 || name === 'createOrganization') return
  if (scenes.length >= MOST_SCENES) scenes.splice(1, 1)
  scenes.push({ ...scene, ids: { ...scene.ids, ...(Object.fromEntries(learnt) as Record<string, string>) } })
}
