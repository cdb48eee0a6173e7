import { createHmac, timingSafeEqual } from 'node:crypto'
import { assert } from '../../../core/assert.ts'
import type { Card } from '../../../core/card.ts'
import type { Clock } from '../../../core/clock.ts'
import { isPayable } from '../../../core/credit.ts'
import type { NewId } from '../../../core/id.ts'
import type { Db } from '../../../platform/db/db.ts'
import { gather } from '../../../platform/db/sql.ts'
import type { ChargeOutcome, ConfirmCharge, CreateCharge, GatewayEvent, PostedEvent, TestGateway } from '../gateway.ts'
import {
  callThrough,
  cancel,
  confirmAll,
  dispute,
  type Faults,
  findMoney,
  keyOf,
  listTouched,
  orUnknown,
  refund,
  sendEvidence,
  settle,
} from './payments.ts'
import * as store from './store.ts'

interface SandboxOptions {
  /** A separate connection: the gateway never joins a transaction of the service. */
  readonly db: Db
  readonly clock: Clock
  readonly newId: NewId
  readonly settings: { readonly baseUrl: string }
  readonly faults?: Faults
  /** Verifies events. Absent: all events are rejected. */
  readonly eventSecret?: string
  /** Declines amounts that a real gateway would decline. Default: any amount. */
  readonly isStrict?: boolean
}

/** A gateway inside the service, for test merchants and demonstrations. The token decides the behaviour. */
export function createSandbox({
  db,
  clock,
  newId,
  settings,
  faults,
  eventSecret,
  isStrict = false,
}: SandboxOptions): TestGateway {
  const through = <T>(call: string, work: () => Promise<T>) => callThrough(faults, call, work)
  const own = { db, clock, bankUrl: (key: string) => `${settings.baseUrl}${BANK_PATH}/${key}` }
  const createOne = gather(
    (requests: readonly CreateCharge[]) =>
      store.createCharges(
        db.sql,
        requests.map(request => ({ ...request, gatewayChargeId: `ch_${newId()}` })),
        clock.now(),
      ),
    ({ key }) => key,
  )
  const confirmOne = gather((requests: readonly ConfirmCharge[]) => confirmAll(own, requests), keyOf)
  return {
    name: 'sandbox',
    // A charge is two calls: at 200 ms each, 500 charges a second need 200 at once.
    atOnce: 400,

    // No element: the secret is a token.
    beginPaymentMethod: async () => ({ clientSecret: 'tok_ok' satisfies Token }),

    savePaymentMethod: ({ token, key }) =>
      through('savePaymentMethod', async () => {
        if (!isToken(token)) return null
        const asked = { reference: `pm_${newId()}`, key, behaviour: token, now: clock.now() }
        const method = await store.savePaymentMethod(db.sql, asked)
        assert(method?.behaviour === token, 'a key of the sandbox was used for another token')
        return { reference: method.reference, label: labelOf(token), card: cardOf(token, clock.now()) }
      }),

    createCharge: request =>
      through('createCharge', async () => {
        if (isStrict && !isPayable(request.amount, request.currency)) return { declined: 'amount_not_payable' }
        const charge = await createOne(request)
        const isSame = charge?.amount === request.amount && charge.currency === request.currency
        assert(charge && isSame, 'a key of the sandbox was used for another charge')
        return { gatewayChargeId: charge.gatewayChargeId }
      }),

    confirmCharge: request =>
      orUnknown(() =>
        through('confirmCharge', async () => {
          const outcome = await confirmOne(request)
          assert(outcome, 'the sandbox has no such charge, or no such payment method')
          return outcome
        }),
      ),

    findConfirmation: ({ gatewayChargeId, key }) =>
      orUnknown(() =>
        through('findConfirmation', async () => {
          const confirmation = await store.findConfirmation(db.sql, gatewayChargeId, key)
          return confirmation?.outcome ?? null
        }),
      ),

    cancelCharge: request => orUnknown(() => through('cancelCharge', () => cancel(own, request))),

    findCharge: ({ key }) =>
      through('findCharge', async () => {
        const charge = await store.findChargeByKey(db.sql, key)
        return charge && { gatewayChargeId: charge.gatewayChargeId }
      }),

    refund: request => orUnknown(() => through('refund', () => refund(own, request))),

    findRefund: ({ gatewayChargeId, key }) =>
      orUnknown(() => through('findRefund', () => store.findRefund(db.sql, gatewayChargeId, key))),

    sendEvidence: request => through('sendEvidence', () => sendEvidence(own, request)),

    dispute: request => through('dispute', () => dispute(own, request)),

    answerAtBank: ({ isConfirmed, ...attempt }) =>
      settle(own, { ...attempt, outcome: isConfirmed ? { kind: 'succeeded' } : NOT_CONFIRMED }),

    findMoney: gatewayChargeId => through('findMoney', () => findMoney(db.sql, gatewayChargeId)),

    listTouched: ({ since }) => through('listTouched', () => listTouched(db.sql, since)),

    readEvent: posted => readEvent(posted, eventSecret),
  }
}

const HEADER = 'sandbox-signature'

/** The secret of events, derived from the master key. */
export function eventSecretOf(masterKey: Buffer): string {
  return createHmac('sha256', masterKey).update('events of the sandbox').digest('hex')
}

/** The bytes and signature of an event, for tests and demonstrations. */
export function signEvent(event: GatewayEvent, secret: string): PostedEvent {
  const payload = Buffer.from(JSON.stringify(event))
  return { payload, headers: { [HEADER]: signatureOf(payload, secret).toString('hex') } }
}

function readEvent({ payload, headers }: PostedEvent, secret: string | undefined): GatewayEvent | null {
  const given = Buffer.from(String(headers[HEADER] ?? ''), 'hex')
  if (secret === undefined) return null
  const expected = signatureOf(payload, secret)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return JSON.parse(Buffer.from(payload).toString()) as GatewayEvent
}

function signatureOf(payload: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest()
}

const SUCCEEDED = { kind: 'succeeded' } as const
const INSUFFICIENT_FUNDS = { kind: 'declined', severity: 'soft', code: 'insufficient_funds' } as const

/** The tokens of the sandbox (decisions 11). A token decides every charge of its payment method. */
const OUTCOMES = {
  tok_ok: SUCCEEDED,
  tok_insufficient_funds: INSUFFICIENT_FUNDS,
  tok_stolen: { kind: 'declined', severity: 'hard', code: 'stolen_card' },
  tok_fail_after_1: SUCCEEDED,
  tok_timeout_then_ok: SUCCEEDED,
  tok_timeout_then_declined: INSUFFICIENT_FUNDS,
  tok_pending: { kind: 'pending' },
  tok_action_required: { kind: 'actionRequired', url: '' },
  tok_refund_fails: SUCCEEDED,
  tok_expires_soon: SUCCEEDED,
} as const satisfies Record<string, ChargeOutcome>

export type Token = keyof typeof OUTCOMES

const isToken = (text: string): text is Token => Object.hasOwn(OUTCOMES, text)

/** The label of a payment method, as a brand and last digits of a card. */
function labelOf(token: Token): string {
  return `Test card ${token.replace('tok_', '').replaceAll('_', ' ')}`
}

/** A card that is valid until 2099, or until the end of the current month. */
function cardOf(token: Token, now: Date): Card {
  const expires = token === 'tok_expires_soon' ? now.toISOString().slice(0, 7) : '2099-12'
  return { brand: 'test', last4: String(4242 + Object.keys(OUTCOMES).indexOf(token)), expires }
}

/** The outcome of a charge. `hasPaidBefore`: the payment method paid another charge object. `bankUrl`: where the payer confirms. */
export function outcomeOf(
  token: Token,
  { hasPaidBefore, bankUrl }: { hasPaidBefore: boolean; bankUrl: string },
): ChargeOutcome {
  if (token === 'tok_action_required') return { kind: 'actionRequired', url: bankUrl }
  return token === 'tok_fail_after_1' && hasPaidBefore ? INSUFFICIENT_FUNDS : OUTCOMES[token]
}

/** The first response to such an attempt is lost; a poll finds the outcome. */
export function losesAnswer(token: Token): boolean {
  return token === 'tok_timeout_then_ok' || token === 'tok_timeout_then_declined'
}

/** Where the payer of the sandbox answers: this path, and the key of the attempt. */
export const BANK_PATH = '/test-bank'

const NOT_CONFIRMED: ChargeOutcome = { kind: 'declined', severity: 'soft', code: 'authentication_failed' }
