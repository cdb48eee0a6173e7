import { createHash } from 'node:crypto'
import { assert } from '../../core/assert.ts'
import { answerWith, type Evidence, parseEvidence } from '../../core/dispute.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { type AnsweredDispute, findAnsweredDispute, insertEvidence } from '../refunds/store.ts'

/** Evidence that the gateway accepted. */
export interface AcceptedEvidence {
  readonly dispute: AnsweredDispute
  readonly evidence: Evidence
}

/** A dispute of the organization, or of any. Another organization's dispute is the same DISPUTE_NOT_FOUND. */
export async function getAnsweredDispute(
  { db }: Pick<Ports, 'db'>,
  { disputeId, organizationId }: { readonly disputeId: string; readonly organizationId?: string },
): Promise<AnsweredDispute | Rejection> {
  const dispute = await findAnsweredDispute(db.sql, disputeId)
  const isOwn = organizationId === undefined || dispute?.organizationId === organizationId
  return dispute !== null && isOwn ? dispute : reject('DISPUTE_NOT_FOUND', 'There is no dispute with this disputeId.')
}

/**
 * Sends a seller's answer to the payer's bank by the gateway, before the transaction of `recordEvidence`. After a crash between the two, the
 * same request finishes the work. If two people send different answers at the same moment, the gateway decides. Rejects: DISPUTE_NOT_FOUND,
 * INVALID_PARAMETER without a text, EVIDENCE_SENT, DISPUTE_DECIDED, EVIDENCE_PAST_DUE, EVIDENCE_REJECTED by the gateway,
 * GATEWAY_NOT_CONFIGURED.
 */
export async function sendEvidence(
  { db, clock, gateways }: Pick<Ports, 'db' | 'clock' | 'gateways'>,
  asked: { readonly disputeId: string; readonly organizationId?: string; readonly evidence: Evidence },
): Promise<AcceptedEvidence | Rejection> {
  const dispute = await getAnsweredDispute({ db }, asked)
  if (isRejection(dispute)) return dispute
  const evidence = parseEvidence(asked.evidence)
  if (isRejection(evidence)) return evidence
  const answer = answerWith(dispute, evidence, clock.now())
  if (isRejection(answer)) return answer
  if (answer === 'repeated') return { dispute, evidence }
  const { disputeId, gatewayDisputeId } = dispute
  const gateway = gateways[dispute.gateway]
  if (gateway === undefined)
    return reject('GATEWAY_NOT_CONFIGURED', `The gateway ${dispute.gateway} no longer has a key.`)
  const key = `${disputeId}:${createHash('sha256').update(JSON.stringify(evidence)).digest('hex')}`
  const sent = await gateway.sendEvidence({ gatewayDisputeId, key, evidence })
  if (!('declined' in sent)) return { dispute, evidence }
  return reject('EVIDENCE_REJECTED', `The gateway does not accept the evidence: ${sent.declined}.`)
}

/** Keeps the evidence that the gateway accepted. Repeats keep the first. */
export async function recordEvidence(
  { db, clock }: { readonly db: Db } & Pick<Ports, 'clock'>,
  { dispute, evidence }: AcceptedEvidence,
): Promise<AnsweredDispute> {
  return db.transaction(async ({ sql }) => {
    await insertEvidence(sql, dispute, { evidence, now: clock.now() })
    const kept = await findAnsweredDispute(sql, dispute.disputeId)
    assert(kept?.evidence, 'evidence that was inserted is stored')
    return kept
  })
}
