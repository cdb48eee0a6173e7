import type { Ports } from '../../ports.ts'
import type { DisputeAtGateway, GatewayName } from '../gateway/gateway.ts'
import { addLost } from '../invoices/store.ts'
import { type Dispute, findDispute, saveDispute } from '../refunds/disputes.ts'
import { lockPaid, settleWhatWentBack } from './go-back.ts'

/**
 * Takes in a dispute that the payer's bank has decided. Lost: what it took is charged back, with the shares of developer and operator.
 * Won after it was lost: it comes again. The invoice stays PAID, the subscription as it is, and nobody is told: the interface has
 * no event for it. In any order, and any number of times, it ends the same: what was won is never lost again. Says whether money moved.
 */
export function settleDispute(
  ports: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { invoiceId, gateway, made }: { invoiceId: string; gateway: GatewayName; made: DisputeAtGateway },
): Promise<boolean> {
  return ports.db.transaction(async tx => {
    const locked = await lockPaid(tx, ports, invoiceId)
    const { invoice, at } = locked
    const { gatewayDisputeId, amount } = made
    // Not decided; or the success of the charge is not known to us yet, which comes first.
    if (made.status === 'open' || invoice.amountPaid === 0) return false
    const known = await findDispute(tx.sql, { gateway, gatewayDisputeId })
    const status = made.status === 'lost' ? 'LOST' : 'WON'
    if (known?.status === 'WON' || known?.status === status) return false
    const dispute: Dispute = known ?? {
      ...{ disputeId: ports.newId(), gateway, gatewayDisputeId, invoiceId, amount, status },
    }
    await saveDispute(tx.sql, { ...dispute, status }, at)
    if (known === null && status === 'WON') return false
    await addLost(tx.sql, { invoiceId, amount: status === 'LOST' ? dispute.amount : -dispute.amount, at })
    await settleWhatWentBack(tx, ports, locked, dispute.disputeId)
    return true
  })
}
