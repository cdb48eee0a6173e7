import type { Evidence } from '../../core/dispute.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { type AcceptedEvidence, getAnsweredDispute, recordEvidence, sendEvidence } from './dispute-evidence.ts'
import { AnsweredDisputeJson, answeredDisputeToJson, DisputeParams, EvidenceBody } from './schema.ts'

/** The seller's answer to a dispute. */
export function evidenceRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/disputes/:disputeId',
      name: 'getDispute',
      operation: 'disputes.read',
      summary: 'Get a dispute with its deadline and the evidence that was sent',
      params: DisputeParams,
      answers: { 200: AnsweredDisputeJson },
      rejections: ['DISPUTE_NOT_FOUND'],
      subject: ({ principal }) => ownOf(principal),
      async handle({ params, principal, db }) {
        const dispute = await getAnsweredDispute({ db }, { ...idOf(params), ...ownOf(principal) })
        return isRejection(dispute) ? dispute : answer(200, answeredDisputeToJson(dispute))
      },
    }),
    route({
      method: 'POST',
      path: '/disputes/:disputeId/evidence',
      name: 'sendEvidence',
      operation: 'disputes.answer',
      summary: "Send evidence to the payer's bank. Evidence can be sent once, and the bank decides weeks later",
      params: DisputeParams,
      body: EvidenceBody,
      answers: { 200: AnsweredDisputeJson },
      rejections: [
        ...(['DISPUTE_NOT_FOUND', 'EVIDENCE_SENT', 'DISPUTE_DECIDED', 'EVIDENCE_PAST_DUE'] as const),
        ...(['EVIDENCE_REJECTED', 'GATEWAY_NOT_CONFIGURED'] as const),
      ],
      subject: ({ principal }) => ownOf(principal),
      prepare: ({ params, body, principal }): Promise<AcceptedEvidence | Rejection> =>
        sendEvidence(ports, { ...idOf(params), ...ownOf(principal), evidence: body as Evidence }),
      async handle({ db, prepared }) {
        const kept = await recordEvidence({ ...ports, db }, prepared as AcceptedEvidence)
        return answer(200, answeredDisputeToJson(kept))
      },
    }),
  ]
}

const idOf = ({ disputeId }: { readonly disputeId: string }) => ({ disputeId: disputeId.toLowerCase() })

function ownOf(principal: Principal): Pick<Subject, 'organizationId'> {
  return principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}
}
