import { type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { v7 } from 'uuid'
import { newKeyPair } from '../../../test/support/key-pairs.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { insertApp, insertKey } from '../../catalog/apps/store.ts'
import { replaceDeviceKey } from '../../merchants/businesses/device-store.ts'
import { insertBusiness, insertDevice, insertStore } from '../../merchants/businesses/store.ts'
import { type Database, openDatabase } from '../../platform/db/db.ts'
import { createVault, type Vault } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { createTokenMemory, type TokenMemory } from './token-memory.ts'

export const BASE_URL = 'https://api.tillhook.test'
/** The address of the callers. */
export const ADDRESS = '192.0.2.7'

/** The database of a test process. Each test creates its own organization and app. */
export interface World {
  readonly url: string
  readonly sql: Database['sql']
  readonly vault: Vault
}

/** One process of the service, as far as tokens go, with a clock to set. */
export type Process = Pick<Ports, 'db' | 'vault' | 'newId' | 'settings'> &
  TokenMemory & { readonly clock: { now(): Date; set(at: Date): void } }

export interface TestApp {
  readonly appId: string
  readonly organizationId: string
  readonly kid: string
  readonly privateKey: KeyObject
}

const databases: Database[] = []

export async function openWorld(): Promise<World> {
  const { url, drop } = await freshDatabase()
  after(async () => {
    await Promise.all(databases.map(database => database.close()))
    await drop()
  })
  return { url, sql: open(url).sql, vault: createVault(Buffer.alloc(32, 7)) }
}

export function startProcess({ url, vault }: World, startedAt = new Date()): Process {
  let at = startedAt
  const clock = {
    now: () => at,
    set: (next: Date) => {
      at = next
    },
  }
  const settings = {
    baseUrl: BASE_URL,
    billingUrl: BASE_URL,
    allowedNetworks: [],
    requireHttps: false,
    operatorShare: 2_000,
  }
  const ports = { db: open(url), clock, vault, newId: () => v7(), settings }
  return { ...ports, ...createTokenMemory(ports) }
}

export async function makeApp({ sql }: World, { kid = 'first' } = {}): Promise<TestApp> {
  const [appId, organizationId, now] = [v7(), v7(), new Date()]
  await sql`
    insert into organizations (organization_id, name, email, created_at, updated_at)
    values (${organizationId}, 'Acme', 'dev@acme.test', ${now}, ${now})`
  await insertApp(sql, {
    appId,
    organizationId,
    name: 'Loyalty',
    packageName: `test.app_${appId.replaceAll('-', '')}`,
    callbackUrls: [],
    status: 'ACTIVE',
    createdAt: now,
    updatedAt: now,
  })
  const privateKey = await addKey({ sql }, appId, kid)
  return { appId, organizationId, kid, privateKey }
}

export interface TestDevice {
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
  readonly kid: string
  readonly privateKey: KeyObject
}

/** Creates an activated terminal. */
export async function makeDevice({ sql }: Pick<World, 'sql'>): Promise<TestDevice> {
  const [businessId, storeId, deviceId, now] = [v7(), v7(), v7(), new Date()]
  const times = { createdAt: now, updatedAt: now }
  await insertBusiness(sql, {
    ...{ businessId, type: 'MERCHANT', status: 'ACTIVE', legalName: 'Shop', doingBusinessAs: 'Shop' },
    ...{ emailAddress: 'shop@shop.test', country: 'US', timezone: 'UTC', language: 'en', mailsOff: [], ...times },
  })
  await insertStore(sql, { storeId, businessId, displayName: 'Main', status: 'ACTIVE', ...times })
  const device = { deviceId, businessId, storeId, name: 'Till', serialNumber: '1', status: 'ACTIVE', ...times } as const
  await insertDevice(sql, device, { codeHash: randomBytes(32), expiresAt: now })
  const { privateKey, publicKey } = newKeyPair()
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const kid = 'till'
  await replaceDeviceKey(sql, { deviceKeyId: v7(), device, kid, publicJwk: { kty: 'RSA', n, e }, now })
  return { businessId, storeId, deviceId, kid, privateKey }
}

/** An assertion of a terminal, valid for 500 seconds. */
export function makeDeviceAssertion(
  { deviceId, privateKey }: Pick<TestDevice, 'deviceId' | 'privateKey'>,
  { claims, ...changes }: AssertionChanges = {},
) {
  const subject = `urn:tid:${deviceId}`
  return makeAssertion({ appId: '', privateKey }, { ...changes, claims: { sub: subject, iss: subject, ...claims } })
}

export async function addKey({ sql }: Pick<World, 'sql'>, appId: string, kid: string): Promise<KeyObject> {
  const { privateKey, publicKey } = newKeyPair()
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  await insertKey(sql, { appId, kid, publicJwk: { kty: 'RSA', n, e }, createdAt: new Date() })
  return privateKey
}

export interface AssertionChanges {
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims?: Readonly<Record<string, unknown>>
  readonly key?: KeyObject | Uint8Array
  /** When it is made. */
  readonly at?: Date
}

/** The interface's sample: 500 seconds, a fresh jti. */
export function makeAssertion(app: Pick<TestApp, 'appId' | 'privateKey'>, changes: AssertionChanges = {}) {
  const iat = Math.floor((changes.at ?? new Date()).getTime() / 1000)
  const subject = `urn:aid:${app.appId}`
  const claims = { sub: subject, iss: subject, aud: BASE_URL, jti: randomUUID(), iat, exp: iat + 500 }
  return new SignJWT({ ...claims, ...changes.claims })
    .setProtectedHeader({ alg: 'RS256', ...changes.header })
    .sign(changes.key ?? app.privateKey)
}

/** Waits until a session waits for a lock on a row of this table or on the table. */
export async function waitForLockOn({ sql }: World, table: 'app_keys' | 'apps'): Promise<void> {
  for (let n = 0; n < 500; n++) {
    const waiting = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${table}%`}`
    if (waiting.length > 0) return
    await setTimeout(10)
  }
  throw new Error(`nobody waits for a lock on ${table}`)
}

function open(url: string): Database {
  const database = openDatabase({ url, maxConnections: 4 })
  databases.push(database)
  return database
}
