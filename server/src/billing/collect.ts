import {
  type ChargeObject,
  type ClaimedCharge,
  claimCharges,
  findChargeObject,
  storeChargeObject,
} from '../charges/store.ts'
import { assert } from '../core/assert.ts'
import { type Charge, type ChargeResult, isSettled, LOOK_LEASE_MS } from '../core/charge.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { ChargeOutcome, Gateway } from '../gateway/gateway.ts'
import { findPaymentMethod } from '../payment-methods/store.ts'
import type { Ports } from '../ports.ts'
import { clearFailures, recordFailure } from '../set-aside/store.ts'
import { settle } from './settle.ts'
import type { WritePorts } from './write.ts'

export type CollectPorts = WritePorts & Pick<Ports, 'db' | 'gateways' | 'log'>

/** Calls to the gateway at one time in one process: as many as keep it busy without holding every connection. */
const AT_ONCE = 16

/**
 * Takes up charges that wait for the gateway, and settles what it answers. Returns how many; call again until 0.
 * No transaction is open while the network is spoken to: claimed with a lease, committed, called, settled.
 */
export async function collectCharges(ports: CollectPorts, only: { testClockId?: string } = {}): Promise<number> {
  const now = ports.clock.now()
  const leasedUntil = new Date(now.getTime() + LOOK_LEASE_MS)
  const charges = await claimCharges(ports.db.sql, { ...only, now, leasedUntil, limit: AT_ONCE })
  await Promise.all(charges.map(charge => collect(ports, charge)))
  return charges.length
}

async function collect(ports: CollectPorts, charge: ClaimedCharge): Promise<void> {
  try {
    await settle(ports, charge, await ask(ports, charge))
    if (charge.looks > 1) await clearFailures(ports.db.sql, 'charge', [charge.chargeId])
  } catch (error) {
    // The lease runs out, and the charge is looked up before anything is repeated.
    if (isDatabaseUnavailable(error)) throw error
    const { chargeId } = charge
    ports.log.error({ err: error, chargeId }, 'a charge could not be settled and is set aside')
    await recordFailure(ports.db.sql, { kind: 'charge', rowId: chargeId, error, now: ports.clock.now() })
  }
}

/** Sends a fresh charge; looks an older one up first, and sends it again only when the gateway never saw it. */
async function ask(ports: CollectPorts, charge: ClaimedCharge): Promise<ChargeResult> {
  // Nothing is owed any more, and this was never sent: it never will be.
  if (charge.looks === 1 && !charge.isOwed) return { status: 'WITHDRAWN' }
  const { businessId, paymentMethodId, chargeId: key } = charge
  if (paymentMethodId === undefined) return { status: 'REFUSED_SOFT', reason: 'no_payment_method' }
  const method = await findPaymentMethod(ports.db.sql, { businessId, paymentMethodId })
  assert(method, 'a payment method that was charged is never deleted')
  const gateway = ports.gateways[method.gateway]
  if (gateway === undefined) return { status: 'UNKNOWN', reason: 'gateway_not_configured' }
  const object = await chargeObject(ports, gateway, charge)
  if ('status' in object) return object
  const { gatewayChargeId } = object
  if (charge.looks > 1) {
    const seen = await gateway.findConfirmation({ gatewayChargeId, key })
    if (seen !== null) return resultOf(seen)
    if (!charge.isOwed || isSettled(charge.status)) return { status: 'WITHDRAWN' }
  }
  const outcome = await gateway.confirmCharge({ gatewayChargeId, key, reference: method.reference })
  if (outcome.kind !== 'unknown') return resultOf(outcome)
  // Most unknowns are a lost answer: one look at once spares the wait.
  return resultOf((await gateway.findConfirmation({ gatewayChargeId, key })) ?? outcome)
}

/** The one charge object of the invoice: the stored one, the one an earlier try made and could not store, or a new one. */
async function chargeObject(
  { db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>,
  gateway: Gateway,
  charge: Charge,
): Promise<ChargeObject | ChargeResult> {
  const { invoiceId, businessId, amount, currency } = charge
  const stored = await findChargeObject(db.sql, invoiceId)
  // A second object at another gateway could succeed beside the first: an invoice stays with the gateway of its first try.
  if (stored !== null && stored.gateway !== gateway.name) return { status: 'REFUSED_SOFT', reason: 'other_gateway' }
  if (stored !== null) return stored
  try {
    const key = `invoice:${invoiceId}`
    const made =
      (charge.looks > 1 ? await gateway.findCharge({ key, businessId }) : null) ??
      (await gateway.createCharge({ key, amount, currency, metadata: { invoiceId, businessId } }))
    if ('refused' in made) return { status: 'REFUSED_HARD', reason: made.refused }
    return await storeChargeObject(db.sql, { invoiceId, gateway: gateway.name, ...made, now: clock.now() })
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
      return { status: outcome.severity === 'hard' ? 'REFUSED_HARD' : 'REFUSED_SOFT', reason: outcome.code }
    case 'pending':
      return { status: 'PENDING' }
    case 'actionRequired':
      return { status: 'ACTION_REQUIRED', actionUrl: outcome.url }
    case 'unknown':
      return { status: 'UNKNOWN', reason: outcome.reason }
  }
}
