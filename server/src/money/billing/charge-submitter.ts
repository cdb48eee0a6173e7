import { assert } from '../../core/assert.ts'
import type { MerchantType } from '../../core/business.ts'
import { askUntil, type Charge, type ChargeResult, isSettled } from '../../core/charge.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { gather, pipeline } from '../../platform/db/sql.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import {
  type ChargeObject,
  type ClaimedCharge,
  findChargeObjects,
  findStandings,
  type NewChargeObject,
  replaceChargeObject,
  storeChargeObjects,
} from '../charges/store.ts'
import type { ChargeObjectId, ChargeOutcome, Gateway, GatewayName, Gateways } from '../gateway/gateway.ts'
import { findReferences } from '../payment-methods/store.ts'

export type AskPorts = Pick<Ports, 'db' | 'clock' | 'gateways' | 'log'>

/** A claimed charge with everything that the gateway call needs. */
export interface Submission {
  readonly charge: ClaimedCharge
  /** Absent: the business has no payment method. */
  readonly method?: { readonly gateway: GatewayName; readonly reference: string }
  /** Absent: the invoice has no stored charge object. */
  readonly object?: ChargeObject
  readonly claimedAt: Date
}

/** Submits charges to gateways. The database work of many charges is batched. */
interface ChargeSubmitter {
  prepare(sql: Sql, charges: readonly ClaimedCharge[], claimedAt: Date): Promise<Submission[]>
  /** Returns null if the gateway was busy for too long. The next claim submits the charge. */
  ask(submission: Submission): Promise<ChargeResult | null>
}

type StoreObject = (object: NewChargeObject) => Promise<ChargeObject | undefined>

/** Returns the result of a charge that must not be sent, or null. */
type FindBlocker = () => Promise<ChargeResult | null>

/** Real time. A charge that waits longer than this for its gateway is left to the next claim. */
const MAX_WAIT_MS = 30_000

/** Real time. A charge is read again before it is sent, unless it was read within this time. */
const BELIEVED_MS = 1_000

export function openChargeSubmitter(ports: AskPorts): ChargeSubmitter {
  const { db, clock } = ports
  const turns = limitConcurrency()
  const store: StoreObject = gather(
    (objects: readonly NewChargeObject[]) => storeChargeObjects(db.sql, objects, clock.now()),
    ({ invoiceId }) => invoiceId,
  )
  const readAgain = gather((chargeIds: readonly string[]) => findStandings(db.sql, chargeIds))
  const blockerOf = ({ charge, method, claimedAt }: Submission): FindBlocker => {
    let standing: Pick<ClaimedCharge, 'status' | 'isOwed'> = charge
    let readAt = claimedAt.getTime()
    return async () => {
      const now = clock.now().getTime()
      if (now - readAt > BELIEVED_MS) {
        const read = await readAgain(charge.chargeId)
        assert(read, 'a charge and its invoice are never deleted')
        standing = read
        readAt = now
      }
      if (!standing.isOwed || isSettled(standing.status)) return { status: 'WITHDRAWN' }
      return (await isMethodAllowed(ports, charge, method))
        ? null
        : { status: 'DECLINED_HARD', reason: 'gateway_not_for_business' }
    }
  }
  return {
    prepare,
    ask: async submission => {
      const { charge, method } = submission
      const findBlocker = blockerOf(submission)
      // The invoice is closed and the gateway has never seen this charge.
      const isUnsent = charge.pollCount === 1 || charge.paymentMethodId === undefined
      const bar = isUnsent ? await findBlocker() : null
      if (bar !== null) return bar
      if (charge.paymentMethodId === undefined) return { status: 'DECLINED_SOFT', reason: 'no_payment_method' }
      assert(method, 'a payment method that was charged is never deleted')
      const gateway = ports.gateways[method.gateway]
      if (gateway === undefined) return { status: 'UNKNOWN', reason: 'gateway_not_configured' }
      return await turns(gateway, async () => {
        // Too little time is left for the calls of this charge.
        if (clock.now().getTime() > submission.claimedAt.getTime() + MAX_WAIT_MS) return null
        // The subscription may have ended while the charge waited.
        const late = charge.pollCount === 1 ? await findBlocker() : null
        return late ?? (await ask(ports, gateway, { ...submission, reference: method.reference, findBlocker }, store))
      })
    },
  }
}

async function prepare(sql: Sql, charges: readonly ClaimedCharge[], claimedAt: Date) {
  if (charges.length === 0) return []
  const [methods, objects] = await pipeline([
    findReferences(
      sql,
      charges.flatMap(({ paymentMethodId }) => paymentMethodId ?? []),
    ),
    findChargeObjects(
      sql,
      charges.map(({ invoiceId }) => invoiceId),
    ),
  ])
  return charges.map((charge): Submission => {
    const method = methods.get(charge.paymentMethodId ?? '')
    const object = objects.get(charge.invoiceId)
    return { charge, claimedAt, ...(method && { method }), ...(object && { object }) }
  })
}

/** A sandbox card that a merchant saved before a real gateway was configured pays nothing. */
async function isMethodAllowed(
  { db, gateways }: Pick<AskPorts, 'db' | 'gateways'>,
  { businessId }: Charge,
  method: Submission['method'],
): Promise<boolean> {
  if (method?.gateway !== 'sandbox' || !hasRealGateway(gateways)) return true
  const business = await findBusiness(db.sql, businessId)
  assert(business, 'a business with subscriptions is never deleted')
  return isFor(gateways, method.gateway, business.type)
}

/** Sends a new charge. An older charge is looked up first, and sent again only if the gateway never saw it. */
async function ask(
  ports: AskPorts,
  gateway: Gateway,
  submission: Submission & { readonly reference: string; readonly findBlocker: FindBlocker },
  store: StoreObject,
): Promise<ChargeResult> {
  const { charge, reference, findBlocker } = submission
  const until = askUntil(submission.claimedAt)
  const key = charge.chargeId
  const object = await chargeObject(ports, gateway, submission, store)
  if ('status' in object) return object
  const { gatewayChargeId } = object
  if (charge.pollCount > 1) {
    const seen = await gateway.findConfirmation({ gatewayChargeId, key, until })
    // The invoice is closed: the payer should not pay at the bank for a refund.
    const isInVain = seen?.kind === 'actionRequired' && !charge.isOwed
    if (isInVain) return resultOf(await gateway.cancelCharge({ gatewayChargeId, key, until }))
    if (seen !== null) return resultOf(seen)
  }
  // The gateway has not seen this attempt. The calls above took time, so the charge may be obsolete by now.
  const bar = await findBlocker()
  if (bar !== null) return bar
  const outcome = await gateway.confirmCharge({ gatewayChargeId, key, reference, until })
  if (outcome.kind === 'cancelled') return await replaceObject(ports, gateway, submission, gatewayChargeId)
  if (outcome.kind !== 'unknown') return resultOf(outcome)
  // Most unknown outcomes are lost answers, and one look-up finds the outcome.
  return resultOf((await gateway.findConfirmation({ gatewayChargeId, key, until })) ?? outcome)
}

/** Returns the one charge object of the invoice: stored, found at the gateway after a crash, or new. */
async function chargeObject(
  ports: Pick<Ports, 'log'>,
  gateway: Gateway,
  { charge, object, claimedAt }: Submission,
  store: StoreObject,
): Promise<ChargeObject | ChargeResult> {
  // An object at a second gateway could succeed beside the first, so an invoice stays with its first gateway.
  if (object && object.gateway !== gateway.name) return { status: 'DECLINED_SOFT', reason: 'other_gateway' }
  if (object) return object
  const { invoiceId } = charge
  return await makeObject(ports, gateway, { charge, claimedAt, key: `invoice:${invoiceId}` }, async made => {
    const stored = await store({ invoiceId, gateway: gateway.name, ...made })
    assert(stored, 'a stored charge object is returned')
    return stored
  })
}

/** Replaces a cancelled charge object, so that the invoice can still be paid. The next poll charges the new object. */
async function replaceObject(
  ports: Pick<Ports, 'db' | 'clock' | 'log'>,
  gateway: Gateway,
  { charge, claimedAt }: Submission,
  cancelled: string,
): Promise<ChargeResult> {
  const { invoiceId } = charge
  const key = `invoice:${invoiceId}:after:${cancelled}`
  return await makeObject(ports, gateway, { charge, claimedAt, key }, async made => {
    const object = { invoiceId, gateway: gateway.name, ...made }
    await replaceChargeObject(ports.db.sql, { ...object, cancelled, now: ports.clock.now() })
    return { status: 'UNKNOWN', reason: 'canceled_at_gateway' }
  })
}

/** Makes a charge object once per key and stores it, or returns what the failure means to the charge. */
async function makeObject<T>(
  { log }: Pick<Ports, 'log'>,
  gateway: Gateway,
  { charge, claimedAt, key }: { charge: Charge; claimedAt: Date; key: string },
  keep: (made: ChargeObjectId) => Promise<T>,
): Promise<T | ChargeResult> {
  const { invoiceId, businessId, amount, currency } = charge
  const until = askUntil(claimedAt)
  const metadata = { invoiceId, businessId }
  try {
    const known = charge.pollCount > 1 ? await gateway.findCharge({ key, businessId, until }) : null
    const made = known ?? (await gateway.createCharge({ key, amount, currency, metadata, until }))
    return 'declined' in made ? { status: 'DECLINED_HARD', reason: made.declined } : await keep(made)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    log.warn({ err: error, invoiceId }, 'the gateway could not be reached; the next poll repeats the call')
    return { status: 'UNKNOWN', reason: 'gateway_unreachable' }
  }
}

/** Translates an outcome at the gateway into the result of a charge. */
export function resultOf(outcome: ChargeOutcome): ChargeResult {
  switch (outcome.kind) {
    case 'succeeded':
      return { status: 'SUCCEEDED' }
    case 'declined':
      return { status: outcome.severity === 'hard' ? 'DECLINED_HARD' : 'DECLINED_SOFT', reason: outcome.code }
    case 'pending':
      return { status: 'PENDING' }
    case 'actionRequired':
      return { status: 'ACTION_REQUIRED', actionUrl: outcome.url }
    case 'unknown':
      return { status: 'UNKNOWN', reason: outcome.reason }
  }
}

/** Limits the concurrent calls of each gateway. Waiting work starts in order of arrival. */
export function limitConcurrency(): <T>(
  gateway: Pick<Gateway, 'name' | 'atOnce'>,
  work: () => Promise<T>,
) => Promise<T> {
  const queues = new Map<string, { underWay: number; readonly waiting: (() => void)[] }>()
  return async ({ name, atOnce }, work) => {
    const queue = queues.get(name) ?? { underWay: 0, waiting: [] }
    queues.set(name, queue)
    if (queue.underWay < atOnce) queue.underWay++
    else await new Promise<void>(resolve => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes to the next in line, or becomes free.
      const next = queue.waiting.shift()
      if (next) next()
      else queue.underWay--
    }
  }
}

/**
 * A test merchant uses the sandbox only. A merchant uses the sandbox only where no real gateway is configured:
 * sandbox money must not buy a real service.
 */
export function isFor(gateways: Gateways, name: GatewayName, type: MerchantType): boolean {
  if (type === 'TEST_MERCHANT') return name === 'sandbox'
  return name !== 'sandbox' || !hasRealGateway(gateways)
}

function hasRealGateway(gateways: Gateways): boolean {
  return Object.values(gateways).some(gateway => gateway !== undefined && gateway.name !== 'sandbox')
}
