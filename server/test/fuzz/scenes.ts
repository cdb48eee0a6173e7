import { randomUUID } from 'node:crypto'
import { makeTenant, type Tenant } from '../matrix/tenant.ts'
import { tokenWithin } from '../support/tokens.ts'
import { OPERATOR_KEY, type World } from '../support/world.ts'
import { oddAssertion } from './assertion.ts'
import type { Described } from './document.ts'
import type { Random } from './random.ts'

/** A caller and the existing resources of its tenant. */
export interface Scene {
  readonly tenant: Tenant
  readonly ids: Readonly<Record<string, string>>
  readonly tokens: readonly string[]
}

const MOST_SCENES = 24

export async function newScene(world: World): Promise<Scene> {
  const tenant = await makeTenant(world)
  const within = await tokenWithin(world, tenant.app, String(tenant.ids.businessId))
  return { tenant, ids: tenant.ids, tokens: [tenant.token, within, String(tenant.ids.terminalToken)] }
}

export function bearerOf({ tokens, ids }: Scene, { path }: Described, random: Random): string | null {
  if (random.chance(0.04)) return random.pick([null, 'a.b.c', 'x'])
  if (path.startsWith('/terminal/') && random.chance(0.9)) return ids.terminalToken ?? null
  return random.chance(0.25) ? random.pick(tokens) : OPERATOR_KEY
}

/** The credentials for a token. */
export function credentialsOf(world: World, { tenant, ids, tokens }: Scene, { name }: Described, random: Random) {
  if (name === 'revokeToken')
    return { token: random.pick([ids.refreshToken ?? 'x', randomUUID(), ...(random.chance(0.1) ? tokens : [])]) }
  if (name !== 'issueToken') return {}
  const isRefresh = random.chance(0.3)
  const grantType = isRefresh ? 'REFRESH_TOKEN' : 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const assertion = oddAssertion(world, tenant.app, random)
  const refreshToken = ids.refreshToken ?? 'x'
  return { grantType, grant_type: grantType, assertion, refreshToken, refresh_token: refreshToken }
}

/** Stores created resources for later requests, replacing earlier ones or adding to them. */
export function learn(scenes: Scene[], scene: Scene, { name, method, path }: Described, body: Buffer): void {
  if (method !== 'POST' || body.length === 0) return
  const made = JSON.parse(body.toString()) as Record<string, unknown>
  const named = path === '/hooks' ? { ...made, hookId: made.id } : made
  const known = new Set([...Object.keys(scene.ids), 'refreshToken'])
  const learnt = Object.entries(named).filter(([key, value]) => known.has(key) && typeof value === 'string')
  if (learnt.length === 0 || name === 'createOrganization') return
  if (scenes.length >= MOST_SCENES) scenes.splice(1, 1)
  scenes.push({ ...scene, ids: { ...scene.ids, ...(Object.fromEntries(learnt) as Record<string, string>) } })
}
