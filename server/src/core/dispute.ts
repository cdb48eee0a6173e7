import { type Rejection, reject, rejectField } from './rejection.ts'

export const DISPUTE_STATUSES = ['OPEN', 'LOST', 'WON'] as const

/** OPEN: the bank has not decided. LOST: the bank took the money. WON: the money stayed or was returned, which is final. */
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** Whether a reported status moves a dispute on. A lost dispute may be won after all; a won dispute is never lost again. */
export function movesOn(known: DisputeStatus, reported: DisputeStatus): boolean {
  return RANK[reported] > RANK[known]
}

const RANK: Readonly<Record<DisputeStatus, number>> = { OPEN: 0, LOST: 1, WON: 2 }

/** The texts of an answer to a dispute. */
export const EVIDENCE_FIELDS = ['productDescription', 'customerCommunication', 'uncategorizedText'] as const

/** Characters of one text. Stripe accepts 150,000 for all texts together. */
export const LONGEST_EVIDENCE = 20_000

/** What the seller says to the payer's bank. Absent: nothing. */
export type Evidence = { readonly [Field in (typeof EVIDENCE_FIELDS)[number]]?: string }

/** An answer as far as it decides whether evidence can be sent. */
export interface AnswerState {
  readonly status: DisputeStatus
  /** Of the gateway, in real time. Absent: the gateway names none. */
  readonly evidenceDueAt?: Date
  /** Absent: nothing was sent. */
  readonly evidence?: Evidence
}

/** Leaves out texts without words. Rejects evidence without any text. */
export function parseEvidence(entered: Evidence): Evidence | Rejection {
  const texts = EVIDENCE_FIELDS.flatMap(field => {
    const text = entered[field]?.replaceAll('\r\n', '\n').trim() ?? ''
    return text === '' ? [] : [[field, text] as const]
  })
  if (texts.length === 0) return rejectField(EVIDENCE_FIELDS[0], 'or another text must be given')
  return Object.fromEntries(texts)
}

/**
 * Whether evidence can be sent now. The bank reads evidence once: `repeated` for the same texts again, also after the decision. Rejects:
 * EVIDENCE_SENT, DISPUTE_DECIDED, EVIDENCE_PAST_DUE.
 */
export function answerWith(state: AnswerState, evidence: Evidence, now: Date): 'new' | 'repeated' | Rejection {
  const { status, evidence: sent, evidenceDueAt } = state
  if (sent !== undefined) {
    const isSame = EVIDENCE_FIELDS.every(field => sent[field] === evidence[field])
    return isSame
      ? 'repeated'
      : reject('EVIDENCE_SENT', 'The evidence was sent already, and the bank accepts evidence only once.')
  }
  if (status !== 'OPEN') return reject('DISPUTE_DECIDED', `The dispute is ${status}.`)
  if (evidenceDueAt !== undefined && now >= evidenceDueAt) {
    return reject('EVIDENCE_PAST_DUE', `The bank accepted evidence until ${evidenceDueAt.toISOString()}.`)
  }
  return 'new'
}
