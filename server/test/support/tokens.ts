import assert from 'node:assert/strict'
import { createPrivateKey, randomBytes, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { v7 } from 'uuid'
import { issueAccessToken } from '../../src/access/tokens/issue.ts'
import { createTokenMemory } from '../../src/access/tokens/token-memory.ts'
import { isRejection } from '../../src/core/rejection.ts'
import { approveAuthorization } from '../../src/merchants/authorizations/approve.ts'
import { startAuthorization } from '../../src/merchants/authorizations/start.ts'
import type { Credentials, World } from './world.ts'

/** An app's access token, as it gets one: with its self-issued JWT. */
export async function tokenOf(world: World, app: Credentials): Promise<string> {
  const assertion = await assertionOf(world, app)
  const form = { grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
  const answer = await world.app.http.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().accessToken
}

/** The self-issued JWT of an app: 500 seconds, a fresh jti. */
export function assertionOf(world: World, { appId: sub, kid, privateKey }: Credentials): Promise<string> {
  const { baseUrl } = world.app.ports.settings
  const iat = Math.floor(world.clock.now().getTime() / 1000)
  return new SignJWT({ sub, iss: sub, aud: baseUrl, jti: randomUUID(), iat, exp: iat + 500 })
    .setProtectedHeader({ alg: 'RS256', kid })
    .sign(createPrivateKey(privateKey))
}

/** An app's access token within one business, by the way of the merchant's browser: consent, code, token. */
export async function tokenByConsent(
  world: World,
  app: Credentials,
  { businessId, rights }: { readonly businessId: string; readonly rights: string },
): Promise<string> {
  const redirectUri = 'https://app.example/back'
  await world.call('PATCH', `/apps/${app.appId}`, { callbackUrls: [redirectUri] })
  const { ports } = world.app
  const request = await startAuthorization(ports, { clientId: app.appId, redirectUri, rights })
  assert.ok(!isRejection(request), JSON.stringify(request))
  const back = await approveAuthorization(ports, { request, businessId })
  assert.ok(!isRejection(back), JSON.stringify(back))
  const code = new URL(back).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, client_id: app.appId, redirect_uri: redirectUri }
  const answer = await world.ask(await assertionOf(world, app), 'POST', '/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.accessToken
}

/** An app's access token within one business, or a store or device of it, whether or not that business consented. */
export function tokenWithin(
  world: World,
  app: Credentials,
  businessId: string,
  location: { storeId?: string; deviceId?: string } = {},
): Promise<string> {
  return issue(world, app, { businessId, ...location, at: world.clock.now() })
}

/** An app's access token that was good until an hour ago. */
export function expiredTokenOf(world: World, app: Credentials): Promise<string> {
  return issue(world, app, { at: new Date(world.clock.now().getTime() - 25 * 3_600_000) })
}

async function issue(
  world: World,
  app: Credentials,
  { at, ...within }: { businessId?: string; storeId?: string; deviceId?: string; at: Date },
) {
  const { ports } = world.app
  const { organizationId } = await world.call('GET', `/apps/${app.appId}`)
  const grant = { grantId: v7(), appId: app.appId.slice('urn:aid:'.length), ...within }
  const { businessId = null, storeId = null, deviceId = null } = within
  await ports.db.sql`
    insert into grants (
      grant_id, app_id, business_id, store_id, device_id, kid, refresh_token_hash, created_at, used_at)
    values (${grant.grantId}, ${grant.appId}, ${businessId}, ${storeId}, ${deviceId}, ${app.kid}, ${randomBytes(32)},
      ${at}, ${at})`
  const clock = { now: () => at }
  return issueAccessToken({ ...ports, ...createTokenMemory(ports), clock }, grant, organizationId)
}
