import { entriesOfFee } from '../../core/ledger.ts'
import type { Ports } from '../../ports.ts'
import type { GatewayFee } from '../gateway/gateway.ts'
import { findChargeWithoutFee, insertChargeFee } from '../ledger/store.ts'

/**
 * Books the gateway's fee of the charge of an invoice, once per charge: a unique key decides between two calls at once.
 * A fee that a crash left unbooked is booked by the next comparison with the gateway. The fee has the time of its booking,
 * so a CLOSED month never changes. Source: decisions 6, "Payouts".
 */
export async function bookChargeFee(
  { db, clock, newId, settings }: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>,
  { invoiceId, fee }: { invoiceId: string; fee: GatewayFee },
): Promise<void> {
  const { amount, currency } = fee
  if (amount <= 0) return
  const charge = await findChargeWithoutFee(db.sql, invoiceId)
  if (charge === null) return
  const payer = settings.developersPayFees === true ? 'ORGANIZATION' : 'OPERATOR'
  const entries = entriesOfFee({ payer, organizationId: charge.organizationId, amount })
  const booking = { ...charge, currency, entries, ledgerTransactionId: newId(), bookedAt: clock.now() }
  await insertChargeFee(db.sql, booking)
}
