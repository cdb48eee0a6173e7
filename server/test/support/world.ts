import assert from 'node:assert/strict'
import { type Logger, pino } from 'pino'
import { type App, createApp } from '../../src/app.ts'
import type { AppOptions } from '../../src/app-options.ts'
import type { Clock } from '../../src/core/clock.ts'
import { isRejection } from '../../src/core/rejection.ts'
import { subscribe as subscribeUncharged } from '../../src/money/billing/subscribe.ts'
import { subscriptionToJson } from '../../src/money/subscriptions/schema.ts'
import { parseNetworks } from '../../src/platform/egress/addresses.ts'
import { uuidOfUrn } from '../../src/platform/http/wire.ts'
import type { Message } from '../../src/platform/mail/mail.ts'
import { ensurePartitions } from '../../src/webhooks/deliveries/partitions.ts'
import { noteExercised } from './exercised.ts'
import { newKeyPair, pkcs8Of, spkiOf } from './key-pairs.ts'
import { freshDatabase } from './postgres.ts'

/** A platform with one app and one plan; each story has its own merchant. Real database, real routes; nothing listens. */
export interface World {
  readonly app: App
  readonly appId: string
  readonly organizationId: string
  /** With which the app asks for its tokens. */
  readonly credentials: Credentials
  /** Real time, as the service sees it; set it to let it pass, or let it pass by itself with each look at it. */
  readonly clock: { now(): Date; set(at: string | Date): void; tick(msEachLook: number): void }
  /** A request of the operator. Fails the test unless the status is the expected one. */
  call(method: Method, path: string, body?: unknown, expected?: number): Promise<Json>
  /** A request of anybody: with this bearer token, or with none. */
  ask(bearer: string | null, method: Method, path: string, options?: AskOptions): Promise<Answer>
  /** Another process of the service, over the same database. */
  openAnother(changed?: Partial<AppOptions>): Promise<App>
  /** Another developer's organization and app, of this name. */
  developer(name?: string): Promise<Credentials & { organizationId: string }>
  /** The world's app by default. */
  plan(definition?: Record<string, unknown>, appId?: string): Promise<string>
  merchant(options?: MerchantOptions): Promise<Merchant>
  /** The mails since the last call. */
  mails(): Promise<Message[]>
  /** Runs everything that is due in real time, until nothing is. */
  work(): Promise<void>
  close(): Promise<void>
}

export interface MerchantOptions {
  /** On a test clock that begins then. */
  readonly at?: string
  readonly card?: string
  readonly country?: string
  readonly type?: 'MERCHANT' | 'TEST_MERCHANT'
  /** A merchant that pays by Stripe is a real merchant. */
  readonly gateway?: 'stripe'
}

export interface Merchant {
  readonly businessId: string
  /** 201, or 202 while the first payment is open. */
  subscribe(planId: string, expected?: number): Promise<Json>
  /** Subscribes, and leaves the first charge to whoever runs the jobs: PENDING. */
  subscribePending(planId: string): Promise<Json>
  /** Subscribes with a good card, pays with this one from then on, and lets the first renewal come. */
  renewWith(planId: string, card: string): Promise<Json>
  /** Subscribes a day ago with a trial of a day, so that the first charge is made now. A merchant on a clock goes on by the day. */
  subscribeAfterTrial(definition?: Record<string, unknown>): Promise<Json>
  card(token: string): Promise<void>
  /** Moves the merchant's own clock. */
  until(to: string): Promise<void>
  subscription(id: string): Promise<Json>
  cancel(id: string): Promise<Json>
  invoices(): Promise<Json[]>
  refund(invoiceId: string, body: Json, expected?: number): Promise<Json>
  /** The event types recorded since the last call, in order: exactly these and no others. */
  expectEvents(...types: string[]): Promise<void>
}

export interface Credentials {
  readonly appId: string
  readonly kid: string
  /** PKCS#8 PEM. */
  readonly privateKey: string
}

export interface AskOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The caller's address. */
  readonly from?: string
  /** The process that is asked, where it is another one. */
  readonly app?: App
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly body: Json
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
// biome-ignore lint/suspicious/noExplicitAny: answers as a client reads them; each test asserts the fields it means.
export type Json = Record<string, any>

export const OPERATOR_KEY = 'operator-key-of-the-tests'
export const MASTER_KEY = Buffer.alloc(32, 7)
const BASE_URL = 'http://127.0.0.1:8080'
const PREFIX = 'APPLICATION_SUBSCRIPTION_'
const ALL_EVENTS = [
  ...['START', 'END', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'PHASE_CHANGE', 'REFUND_SUCCESS'],
  ...['CANCEL_SCHEDULED', 'RESTORED', 'PLAN_CHANGE', 'TRANSFERRED', 'DISPUTE_OPENED', 'DISPUTE_CLOSED'],
].map(type => `${PREFIX}${type}`)

export async function createWorld(
  options: { at?: string; log?: Logger; baseUrl?: string } & Partial<
    Pick<AppOptions, 'stripe' | 'stripeTax' | 'paysByConnect' | 'viesUrl' | 'wrap' | 'limits'>
  > = {},
): Promise<World> {
  const database = await freshDatabase()
  const clock = settableClock(options.at)
  const processes: App[] = []
  const sent: Message[] = []
  const openAnother = async (changed: Partial<AppOptions> = {}) => {
    const opened = await createApp({
      databaseUrl: database.url,
      // Long enough for a slow machine.
      databaseConnectsWithinMs: 60_000,
      masterKey: MASTER_KEY,
      operatorKey: OPERATOR_KEY,
      settings: {
        baseUrl: options.baseUrl ?? BASE_URL,
        billingUrl: options.baseUrl ?? BASE_URL,
        allowedNetworks: parseNetworks('127.0.0.0/8'),
        requireHttps: false,
        operatorShare: 2_000,
        isJoinOpen: true,
      },
      limits: options.limits ?? { ratePerApp: 100_000, ratePerAddress: 100_000 },
      log: options.log ?? pino({ level: 'silent' }),
      checkAnswers: true,
      clock,
      mail: { send: async message => void sent.push(message), close: () => {} },
      ...(options.paysByConnect !== undefined && { paysByConnect: options.paysByConnect }),
      ...(options.stripeTax && { stripeTax: options.stripeTax }),
      ...(options.viesUrl !== undefined && { viesUrl: options.viesUrl }),
      ...(options.stripe && { stripe: options.stripe }),
      ...(options.wrap && { wrap: options.wrap }),
      ...changed,
    })
    processes.push(opened)
    noteExercised(opened.http)
    return opened
  }
  const app = await openAnother()
  // Ids carry the real day, independent of the story's clock.
  await ensurePartitions(app.ports.db, new Date())
  const ask: World['ask'] = async (bearer, method, path, { body, headers, from, app: asked = app } = {}) => {
    const answering = asked.http.inject({
      method,
      url: path,
      headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
      ...(from !== undefined && { remoteAddress: from }),
    })
    if (method === 'POST' && SUBSCRIBES.test(path)) void chargeUntil(asked, answering)
    const answer = await answering
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const { statusCode: status, body: text } = answer
    return { status, headers: answer.headers, text, body: isJson ? answer.json() : {} }
  }
  const call: World['call'] = async (method, path, body, expected = method === 'POST' ? 201 : 200) => {
    const response = await ask(OPERATOR_KEY, method, path, { body })
    assert.equal(response.status, expected, `${method} ${path}: ${response.text}`)
    return response.body
  }
  let developers = 0
  const developer: World['developer'] = async (name = 'Stories') => {
    const { organizationId } = await call('POST', '/organizations', {
      name,
      email: `dev@${name.replaceAll(' ', '-')}.example`,
    })
    const packageName = `com.example.stories${developers++}`
    const { privateKey, publicKey } = newKeyPair()
    const made = { organizationId, name, packageName, publicKey: spkiOf(publicKey) }
    const { appId, keys } = await call('POST', '/apps', made)
    return { organizationId, appId, kid: keys[0].kid, privateKey: pkcs8Of(privateKey) }
  }
  const { organizationId, ...credentials } = await developer()
  const { appId } = credentials
  await call('POST', '/hooks', {
    applicationId: appId,
    deliveryUrl: 'http://127.0.0.1:9/',
    secret: 'secret',
    eventTypes: ALL_EVENTS,
  })

  let releases = 0
  const world: World = {
    app,
    appId,
    organizationId,
    credentials,
    clock,
    call,
    ask,
    openAnother,
    developer,
    plan: async (definition = {}, ofApp = appId) => {
      const release = await call('POST', `/apps/${ofApp}/releases`, {
        version: `1.${releases++}`,
        plans: [
          {
            name: 'Pro',
            amounts: [{ country: 'US', currency: 'USD', value: 500 }],
            interval: 'MONTH',
            scope: 'BUSINESS',
            ...definition,
          },
        ],
      })
      await call('POST', `/apps/${ofApp}/releases/${release.releaseId}/approve`, {}, 200)
      return release.plans[0].planId
    },
    merchant: options => createMerchant(world, options),
    mails: async () => {
      const { resetRequests, moneyMails, mails } = app.jobs
      while ((await resetRequests.runOnce()) + (await moneyMails.runOnce()) + (await mails.runOnce()) > 0);
      return sent.splice(0)
    },
    work: async () => {
      const { renewals, charges, refunds } = app.jobs
      for (;;) {
        const found = (await renewals.runOnce()) + (await charges.runOnce()) + (await refunds.runOnce())
        if (found === 0) return
      }
    },
    close: async () => {
      for (const opened of processes) await opened.close()
      await database.drop()
    },
  }
  return world
}

async function createMerchant(
  world: World,
  { at, card = 'tok_ok', country = 'US', gateway, type = gateway ? 'MERCHANT' : 'TEST_MERCHANT' }: MerchantOptions = {},
): Promise<Merchant> {
  const { call, appId, app } = world
  const { businessId } = await call('POST', '/businesses', {
    legalName: 'Corner Shop',
    emailAddress: 'shop@example.com',
    country,
    type,
  })
  let testClockId: string | undefined
  if (at !== undefined) ({ testClockId } = await call('POST', '/test-clocks', { businessId, now: at }))
  const addCard = async (token: string) => {
    await call('POST', `/businesses/${businessId}/payment-methods`, { gateway: gateway ?? 'sandbox', token })
    await settleCharges(world)
  }
  if (card !== 'none') await addCard(card)
  let seen = 0
  const subscribe: Merchant['subscribe'] = async (planId, expected) => {
    const path = `/apps/${appId}/subscriptions`
    const { status, body, text } = await world.ask(OPERATOR_KEY, 'POST', path, { body: { businessId, planId } })
    assert.ok(expected === undefined ? status < 300 : status === expected, `POST ${path}: ${status} ${text}`)
    await settleCharges(world)
    return body
  }
  const until: Merchant['until'] = async to => {
    await call('POST', `/test-clocks/${testClockId}/advance`, { to }, 200)
  }
  return {
    businessId,
    card: addCard,
    subscribe,
    subscribePending: async planId => {
      const made = await subscribeUncharged(app.ports, { appId: uuidOfUrn(appId), businessId, planId })
      assert.ok(!isRejection(made), JSON.stringify(made))
      return subscriptionToJson(made)
    },
    renewWith: async (planId, token) => {
      const { subscriptionId } = await subscribe(planId)
      await addCard(token)
      const { currentPeriodEnd } = await call('GET', `/apps/${appId}/subscriptions/${subscriptionId}`)
      if (testClockId !== undefined) await until(currentPeriodEnd)
      else if (world.clock.now() < new Date(currentPeriodEnd)) world.clock.set(currentPeriodEnd)
      await world.work()
      return call('GET', `/apps/${appId}/subscriptions/${subscriptionId}`)
    },
    subscribeAfterTrial: async definition => {
      const planId = await world.plan({ ...definition, trialPeriodDays: 1 })
      const now = world.clock.now()
      if (testClockId === undefined) world.clock.set(new Date(now.getTime() - 86_400_000))
      const made = await subscribe(planId)
      if (testClockId === undefined) world.clock.set(now)
      else await until(made.trialEndAt)
      await world.app.jobs.renewals.runOnce()
      await settleCharges(world)
      return made
    },
    until,
    subscription: id => call('GET', `/apps/${appId}/subscriptions/${id}`),
    cancel: id => call('DELETE', `/apps/${appId}/subscriptions/${id}`),
    invoices: async () => (await call('GET', `/businesses/${businessId}/invoices`)).list,
    refund: async (invoiceId, body, expected = 201) => {
      const made = await call('POST', `/businesses/${businessId}/invoices/${invoiceId}/refunds`, body, expected)
      await settleCharges(world)
      return made
    },
    expectEvents: async (...types) => {
      const rows = await app.ports.db.sql<{ eventType: string }[]>`
        select event_type as "eventType" from notifications where business_id = ${businessId} order by notification_id`
      const eventTypes = rows.slice(seen).map(({ eventType }) => eventType.replace(PREFIX, ''))
      seen = rows.length
      assert.deepEqual(eventTypes, types)
    },
  }
}

const SUBSCRIBES = /^\/apps\/[^/]+\/subscriptions\/?$/

/** The loop of a running service, while a request waits for its first payment. */
async function chargeUntil({ jobs }: App, answering: Promise<unknown>): Promise<void> {
  let isAnswered = false
  const ended = () => {
    isAnswered = true
  }
  answering.then(ended, ended)
  while (!isAnswered) {
    // A failure shows in the test itself.
    await jobs.charges.runOnce().catch(ended)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** Runs the background work that follows a commit in a running service. */
async function settleCharges({ app }: World): Promise<void> {
  while ((await app.jobs.charges.runOnce()) + (await app.jobs.refunds.runOnce()) > 0);
}

function settableClock(at?: string): Clock & World['clock'] {
  let now = at === undefined ? undefined : new Date(at)
  let msEachLook = 0
  return {
    now: () => {
      if (now !== undefined) now = new Date(now.getTime() + msEachLook)
      return now ?? new Date()
    },
    set: to => {
      now = new Date(to)
    },
    tick: ms => {
      now ??= new Date()
      msEachLook = ms
    },
  }
}
