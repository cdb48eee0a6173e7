import assert from 'node:assert/strict'
import { type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { insertTerminalSession } from '../../src/access/business-users/session-store.ts'
import { findBusinessUser } from '../../src/access/business-users/store.ts'
import type { App } from '../../src/app.ts'
import { newKeyPair, spkiOf } from './key-pairs.ts'
import type { Answer, Json, World } from './world.ts'

/** A terminal with its key, as it would keep it. */
export interface Terminal {
  readonly businessId: string
  readonly storeId: string
  /** The URN. */
  readonly deviceId: string
  readonly kid: string
  readonly privateKey: KeyObject
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export interface TerminalKey {
  readonly privateKey: KeyObject
  /** SPKI PEM. */
  readonly publicKey: string
}

export function newTerminalKey(): TerminalKey {
  const { privateKey, publicKey } = newKeyPair()
  return { privateKey, publicKey: spkiOf(publicKey) }
}

/** Registers a terminal of the business, in the store or in a new one. Gives its id and its code. */
export async function addTerminal({ call }: World, businessId: string, storeId?: string): Promise<Json> {
  const of = `/businesses/${businessId}/stores`
  const store = storeId ?? (await call('POST', of, { displayName: 'Main' })).storeId
  return await call('POST', `${of}/${store}/devices`, { name: 'Till', serialNumber: randomUUID() })
}

/** The same, activated. */
export async function activatedTerminal(world: World, businessId: string, storeId?: string): Promise<Terminal> {
  const { activationCode } = await addTerminal(world, businessId, storeId)
  const { privateKey, publicKey } = newTerminalKey()
  const { status, body } = await world.ask(null, 'POST', '/devices/activate', { body: { activationCode, publicKey } })
  assert.equal(status, 201, JSON.stringify(body))
  const { deviceId, kid, ...location } = body
  return { deviceId, kid, privateKey, businessId, storeId: location.storeId }
}

/** The terminal reports an app as installed. It declares no permission, so that there is nothing to approve. */
export async function installApp(world: World, token: string, packageName: string): Promise<void> {
  const body = { version: '1', signerSha256: '0'.repeat(64), permissions: [] }
  const { status, text } = await world.ask(token, 'PUT', `/terminal/apps/${packageName}`, { body })
  assert.equal(status, 200, text)
}

/** The answer to a terminal's assertion. */
export async function askForToken(world: World, terminal: Terminal, app?: App): Promise<Answer> {
  const iat = Math.floor(world.clock.now().getTime() / 1000)
  const { deviceId: sub, kid, privateKey } = terminal
  const aud = world.app.ports.settings.baseUrl
  const assertion = await new SignJWT({ sub, iss: sub, aud, jti: randomUUID(), iat, exp: iat + 500 })
    .setProtectedHeader({ alg: 'RS256', kid })
    .sign(privateKey)
  const form = { grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
  const body = new URLSearchParams(form).toString()
  return await world.ask(null, 'POST', '/token', { headers: FORM, body, ...(app && { app }) })
}

export async function terminalToken(world: World, terminal: Terminal): Promise<string> {
  const { status, body } = await askForToken(world, terminal)
  assert.equal(status, 200, JSON.stringify(body))
  return body.accessToken
}

/** Signs in without the terminal's request and returns the data for opening a purchase. */
export async function signedInAt(
  world: World,
  { businessId, deviceId }: { readonly businessId: string; readonly deviceId: string },
  role: 'MANAGER' | 'CLERK' = 'MANAGER',
): Promise<{ businessUserId: string; terminalSessionId: string }> {
  const userId = `u${randomUUID().slice(0, 8)}`
  const user = { userId, passcode: '2468', name: 'Kim', role }
  const { businessUserId } = await world.call('POST', `/businesses/${businessId}/users`, user)
  const { sql } = world.app.ports.db
  const { passcodeHash } = (await findBusinessUser(sql, { businessId, userId })) ?? { passcodeHash: '' }
  const terminalSessionId = randomUUID()
  const session = { sessionId: terminalSessionId, tokenHash: randomBytes(32), businessUserId, deviceId, passcodeHash }
  assert.ok(await insertTerminalSession(sql, session, world.clock.now()))
  return { businessUserId, terminalSessionId }
}

/** Signs a user in at the terminal and returns the session header. */
export async function signInAt(
  world: World,
  { businessId }: Pick<Terminal, 'businessId'>,
  token: string,
  role: 'MANAGER' | 'CLERK' = 'MANAGER',
): Promise<{ businessUserId: string; sessionToken: string; headers: { 'service-user-session': string } }> {
  const user = { userId: `u${randomUUID().slice(0, 8)}`, passcode: '2468', name: 'Kim', role }
  const { businessUserId } = await world.call('POST', `/businesses/${businessId}/users`, user)
  const { userId, passcode } = user
  const { status, body } = await world.ask(token, 'POST', '/terminal/sessions', { body: { userId, passcode } })
  assert.equal(status, 201, JSON.stringify(body))
  const { sessionToken } = body
  return { businessUserId, sessionToken, headers: { 'service-user-session': sessionToken } }
}
