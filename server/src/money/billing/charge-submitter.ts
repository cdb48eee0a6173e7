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

/** A charge that was taken up, and what it is asked for with. */
export interface Paying {
  readonly charge: ClaimedCharge
  /** Absent: the business had none. */
  readonly method?: { readonly gateway: GatewayName; readonly reference: string }
  /** The charge object of its invoice. Absent: none was stored. */
  readonly object?: ChargeObject
  readonly claimedAt: Date
}

/** Where the gateways are asked. What many charges need of the database at once is read and written together. */
interface Desk {
  prepare(sql: Sql, charges: readonly ClaimedCharge[], claimedAt: Date): Promise<Paying[]>
  /** Null: its turn came too late, and it must wait for whoever takes it up next. */
  ask(paying: Paying): Promise<ChargeResult | null>
}

type StoreObject = (object: NewChargeObject) => Promise<ChargeObject | undefined>

/** Why nothing is to be sent, as far as is known now; null: there is something to send. */
type FindBar = () => Promise<ChargeResult | null>

/** Real time. A charge that waits longer than this for its gateway is left to the next claim. */
const MAX_WAIT_MS = 30_000

/** Real time. What was read of a charge is believed for so long: most are on their way sooner, and are read once. */
const BELIEVED_MS = 1_000

export function openDesk(ports: AskPorts): Desk {
  const { db, clock } = ports
  const turns = openTurns()
  const store: StoreObject = gather(
    (objects: readonly NewChargeObject[]) => storeChargeObjects(db.sql, objects, clock.now()),
    ({ invoiceId }) => invoiceId,
  )
  const readAgain = gather((chargeIds: readonly string[]) => findStandings(db.sql, chargeIds))
  const barOf = ({ charge, method, claimedAt }: Paying): FindBar => {
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
      return (await isMeant(ports, charge, method))
        ? null
        : { status: 'DECLINED_HARD', reason: 'gateway_not_for_business' }
    }
  }
  return {
    prepare,
    ask: async paying => {
      const { charge, method } = paying
      const findBar = barOf(paying)
      // Nothing is owed any more, and this was never sent: it never will be.
      const isUnsent = charge.pollCount === 1 || charge.paymentMethodId === undefined
      const bar = isUnsent ? await findBar() : null
      if (bar !== null) return bar
      if (charge.paymentMethodId === undefined) return { status: 'DECLINED_SOFT', reason: 'no_payment_method' }
      assert(method, 'a payment method that was charged is never deleted')
      const gateway = ports.gateways[method.gateway]
      if (gateway === undefined) return { status: 'UNKNOWN', reason: 'gateway_not_configured' }
      return await turns(gateway, async () => {
        // Too little time is left for the calls of this charge.
        if (clock.now().getTime() > paying.claimedAt.getTime() + MAX_WAIT_MS) return null
        // Nor does it begin when its subscription has ended meanwhile.
        const late = charge.pollCount === 1 ? await findBar() : null
        return late ?? (await ask(ports, gateway, { ...paying, reference: method.reference, findBar }, store))
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
  return charges.map((charge): Paying => {
    const method = methods.get(charge.paymentMethodId ?? '')
    const object = objects.get(charge.invoiceId)
    return { charge, claimedAt, ...(method && { method }), ...(object && { object }) }
  })
}

/** A sandbox card that a merchant saved before a real gateway was configured pays nothing. */
async function isMeant(
  { db, gateways }: Pick<AskPorts, 'db' | 'gateways'>,
  { businessId }: Charge,
  method: Paying['method'],
): Promise<boolean> {
  if (method?.gateway !== 'sandbox' || !hasRealGateway(gateways)) return true
  const business = await findBusiness(db.sql, businessId)
  assert(business, 'a business with subscriptions is never deleted')
  return isFor(gateways, method.gateway, business.type)
}

/** Sends a fresh charge; looks an older one up first, and sends it again only when the gateway never saw it. */
async function ask(
  ports: AskPorts,
  gateway: Gateway,
  paying: Paying & { readonly reference: string; readonly findBar: FindBar },
  store: StoreObject,
): Promise<ChargeResult> {
  const { charge, reference, findBar } = paying
  const until = askUntil(paying.claimedAt)
  const key = charge.chargeId
  const object = await chargeObject(ports, gateway, paying, store)
  if ('status' in object) return object
  const { gatewayChargeId } = object
  if (charge.pollCount > 1) {
    const seen = await gateway.findConfirmation({ gatewayChargeId, key, until })
    // The payer's page is still open at the bank: nobody is to pay there what would only be given back.
    const isInVain = seen?.kind === 'actionRequired' && !charge.isOwed
    if (isInVain) return resultOf(await gateway.cancelCharge({ gatewayChargeId, key, until }))
    if (seen !== null) return resultOf(seen)
  }
  // The gateway has not seen this try. Making the object and looking it up took their time as well.
  const bar = await findBar()
  if (bar !== null) return bar
  const outcome = await gateway.confirmCharge({ gatewayChargeId, key, reference, until })
  if (outcome.kind === 'cancelled') return await replaceObject(ports, gateway, paying, gatewayChargeId)
  if (outcome.kind !== 'unknown') return resultOf(outcome)
  // Most unknowns are a lost answer: one look at once spares the wait.
  return resultOf((await gateway.findConfirmation({ gatewayChargeId, key, until })) ?? outcome)
}

/** The one charge object of the invoice: the stored one, the one an earlier try made and could not store, or a new one. */
async function chargeObject(
  ports: Pick<Ports, 'log'>,
  gateway: Gateway,
  { charge, object, claimedAt }: Paying,
  store: StoreObject,
): Promise<ChargeObject | ChargeResult> {
  // A second object at another gateway could succeed beside the first: an invoice stays with the gateway of its first try.
  if (object && object.gateway !== gateway.name) return { status: 'DECLINED_SOFT', reason: 'other_gateway' }
  if (object) return object
  const { invoiceId } = charge
  return await makeObject(ports, gateway, { charge, claimedAt, key: `invoice:${invoiceId}` }, async made => {
    const stored = await store({ invoiceId, gateway: gateway.name, ...made })
    assert(stored, 'what was stored is there')
    return stored
  })
}

/** Another object in the place of one that can never succeed, so that the invoice can be paid. The try goes on with it at its next look. */
async function replaceObject(
  ports: Pick<Ports, 'db' | 'clock' | 'log'>,
  gateway: Gateway,
  { charge, claimedAt }: Paying,
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

/** Makes it once by its key, and keeps it; or says what that means to the charge. */
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
    return 'refused' in made ? { status: 'DECLINED_HARD', reason: made.refused } : await keep(made)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    log.warn({ err: error, invoiceId }, 'the gateway could not be reached; it is asked again later')
    return { status: 'UNKNOWN', reason: 'gateway_unreachable' }
  }
}

/** What an outcome at the gateway is to a charge. */
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

/** Lets as many pieces of work at a gateway go on at one time as it takes; the others wait, the first come first. */
export function openTurns(): <T>(gateway: Pick<Gateway, 'name' | 'atOnce'>, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { underWay: number; readonly waiting: (() => void)[] }>()
  return async ({ name, atOnce }, work) => {
    const queue = queues.get(name) ?? { underWay: 0, waiting: [] }
    queues.set(name, queue)
    if (queue.underWay < atOnce) queue.underWay++
    else await new Promise<void>(resolve => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes on to who waits, or is free.
      const next = queue.waiting.shift()
      if (next) next()
      else queue.underWay--
    }
  }
}

/**
 * A test merchant uses the sandbox only. A merchant uses the sandbox only where no real gateway is configured, in test mode or live: sandbox
 * money must not buy a real service.
 */
export function isFor(gateways: Gateways, name: GatewayName, type: MerchantType): boolean {
  if (type === 'TEST_MERCHANT') return name === 'sandbox'
  return name !== 'sandbox' || !hasRealGateway(gateways)
}

function hasRealGateway(gateways: Gateways): boolean {
  return Object.values(gateways).some(gateway => gateway !== undefined && gateway.name !== 'sandbox')
}
