import { Type } from 'typebox'
import { EVIDENCE_FIELDS, type Evidence, LONGEST_EVIDENCE } from '../core/dispute.ts'
import { isRejection, type Rejection, type RejectionCode, reject } from '../core/rejection.ts'
import {
  type AcceptedEvidence,
  getAnsweredDispute,
  recordEvidence,
  sendEvidence,
} from '../money/billing/dispute-evidence.ts'
import { type ListedDispute, pageOfDisputes } from '../money/lists/disputes.ts'
import type { AnsweredDispute } from '../money/refunds/store.ts'
import type { PageCall } from '../platform/http/page.ts'
import { PROBLEMS } from '../platform/http/problems.ts'
import { Text, Uuid } from '../platform/http/wire.ts'
import { facts, notice, toast } from '../platform/web/components/content.ts'
import { button, buttons, form, linkButton, type Problems, textArea } from '../platform/web/components/form.ts'
import { pageHead, withDetails } from '../platform/web/components/page-head.ts'
import { day, moment, moneyWords } from '../platform/web/format.ts'
import { type Html, html, type Part } from '../platform/web/html.ts'
import type { Ports } from '../ports.ts'
import { disputeBadge } from './state-badges.ts'

export const DisputeParams = Type.Object({ disputeId: Uuid })
export const DisputeQuery = Type.Object({ done: Type.Optional(Type.Enum(['sent'])) })
export const EvidenceForm = Type.Object({
  productDescription: Text(LONGEST_EVIDENCE, 0),
  customerCommunication: Text(LONGEST_EVIDENCE, 0),
  uncategorizedText: Text(LONGEST_EVIDENCE, 0),
})

type Call = PageCall<{ readonly disputeId: string }>

interface Asked {
  /** Absent: the operator, who sees all. */
  readonly organizationId?: string
  /** The list of disputes. */
  readonly path: string
  readonly mayAnswer: boolean
  readonly isSent?: boolean
  readonly entered?: Evidence
  readonly rejected?: Rejection
  /** Links within the section of the page. */
  merchantOf(dispute: ListedDispute): Part
  invoiceOf(dispute: ListedDispute): Part
}

interface ShownDispute {
  readonly title: string
  readonly main: Html
  readonly status: number
}

/** One dispute: the deadline, a form for the evidence, or the evidence that was sent. */
export async function showDispute(
  { clock }: Pick<Ports, 'clock'>,
  call: Call,
  asked: Asked,
): Promise<ShownDispute | Rejection> {
  const { organizationId, path, isSent = false, rejected } = asked
  const disputeId = call.params.disputeId
  const of = { disputeId, ...(organizationId !== undefined && { organizationId }) }
  const answered = await getAnsweredDispute(call, of)
  if (isRejection(answered)) return answered
  const scope = { seenFrom: {}, ...(organizationId !== undefined && { organizationId }) }
  const [dispute] = (await pageOfDisputes(call, { scope, disputeId }, { limit: 1 })).items
  if (dispute === undefined) return reject('DISPUTE_NOT_FOUND', 'There is no dispute with this disputeId.')
  const title = `Dispute of invoice ${dispute.number}`
  const problems = rejected === undefined ? {} : problemsOf(rejected)
  const state = standingOf(answered, clock.now())
  const mayAnswer = state.isOpen && asked.mayAnswer
  const main = html`${pageHead({ title, above: [{ href: path, text: 'Disputes' }], badge: disputeBadge(dispute), lead: `${moneyWords(dispute)}, ${dispute.businessName}` })}
${isSent && toast('Evidence sent', 'The bank usually decides within two to three months.')}
${!isSent && state.said}
${withDetails(
  html`${answered.evidence && sentEvidence(answered.evidence, answered.sentAt)}
${mayAnswer && evidenceForm(call, { action: `${path}/${disputeId}`, path, entered: asked.entered ?? {}, problems })}`,
  facts([
    ['Amount', moneyWords(dispute)],
    ['Merchant', asked.merchantOf(dispute)],
    ['Invoice', asked.invoiceOf(dispute)],
    ['App', dispute.appName],
    ['Opened', day(dispute.createdAt)],
    answered.evidenceDueAt !== undefined && ['Evidence until', untilWords(answered, answered.evidenceDueAt)],
    dispute.status !== 'OPEN' && ['Decided', day(dispute.updatedAt)],
  ]),
)}`
  return { title, main, status: rejected === undefined ? 200 : PROBLEMS[rejected.rejected].status }
}

/** Null: the evidence was sent and stored, now or by an earlier press. */
export async function sendEntered(
  ports: Ports,
  call: PageCall<{ readonly disputeId: string }, unknown, Evidence>,
  organizationId?: string,
): Promise<Rejection | null> {
  const asked = { disputeId: call.params.disputeId, evidence: call.form }
  const accepted: AcceptedEvidence | Rejection = await sendEvidence(ports, {
    ...asked,
    ...(organizationId !== undefined && { organizationId }),
  })
  if (isRejection(accepted)) return accepted
  await recordEvidence({ ...ports, db: call.db }, accepted)
  return null
}

/** Rejections that the page of the dispute explains. */
export function isExplained({ rejected }: Rejection): boolean {
  return rejected === 'INVALID_PARAMETER' || WORDS[rejected] !== undefined
}

const WORDS: Partial<Record<RejectionCode, string>> = {
  EVIDENCE_SENT: 'Evidence was already sent. The bank reads evidence once.',
  DISPUTE_DECIDED: 'The bank has decided meanwhile.',
  EVIDENCE_PAST_DUE: 'The deadline has passed.',
  EVIDENCE_REJECTED: 'The payment provider did not accept the evidence.',
  GATEWAY_NOT_CONFIGURED: 'The payment provider of this payment is not set up any more.',
}

function problemsOf({ rejected, developerMessage }: Rejection): Problems {
  if (rejected === 'INVALID_PARAMETER') return { [EVIDENCE_FIELDS[0]]: 'Fill in at least one of the texts.' }
  return { '': WORDS[rejected] ?? developerMessage }
}

/** The sandbox has no test clock: the deadline may be before the opening, which is in business time. */
function untilWords({ gateway }: Pick<AnsweredDispute, 'gateway'>, evidenceDueAt: Date): Html {
  return html`${moment(evidenceDueAt)}${gateway === 'sandbox' && html` <span class="fine">in real time, whatever the test clock says</span>`}`
}

function standingOf(answered: AnsweredDispute, now: Date) {
  const { status, evidence, evidenceDueAt } = answered
  if (status === 'WON') return { isOpen: false, said: notice('good', 'Won', 'The payment stays.') }
  if (status === 'LOST') return { isOpen: false, said: notice('bad', 'Lost', 'The bank took the money back.') }
  if (evidence !== undefined)
    return { isOpen: false, said: notice('warn', 'The bank decides', 'Nothing is left to do.') }
  if (evidenceDueAt !== undefined && now >= evidenceDueAt) {
    return { isOpen: false, said: notice('bad', 'The deadline has passed', 'The bank decides without evidence.') }
  }
  const until =
    evidenceDueAt &&
    html`Send evidence until ${moment(evidenceDueAt)}${answered.gateway === 'sandbox' && ' in real time'}. Without evidence, the bank decides for the payer.`
  return { isOpen: true, said: notice('warn', 'The bank asks for evidence', until) }
}

const LABELS: Readonly<Record<(typeof EVIDENCE_FIELDS)[number], readonly [label: string, hint: string]>> = {
  productDescription: ['What was sold', 'What the app does, and how the merchant has used it.'],
  customerCommunication: ['Communication with the merchant', 'Mails or chats that show use or consent, with dates.'],
  uncategorizedText: ['Anything else', 'For example your refund policy, or why a refund was not due.'],
}

function evidenceForm(
  { csrf }: Call,
  {
    action,
    path,
    entered,
    problems,
  }: { readonly action: string; readonly path: string; readonly entered: Evidence; readonly problems: Problems },
): Html {
  const areas = EVIDENCE_FIELDS.map(name => {
    const [label, hint] = LABELS[name]
    const field = { name, label, hint, isOptional: true, maxlength: LONGEST_EVIDENCE, rows: 6, problem: problems[name] }
    return textArea({ ...field, value: entered[name] ?? '' })
  })
  return html`<section class="section"><h2>Evidence</h2>
<p>The bank reads evidence once. It cannot be changed after it was sent.</p>
${form({
  ...{ csrf, action, problems },
  body: html`${areas}
${buttons(button('Send to the bank', { kind: 'primary' }), linkButton('Go back', path))}`,
})}</section>`
}

function sentEvidence(evidence: Evidence, sentAt: Date | undefined): Html {
  const texts = EVIDENCE_FIELDS.flatMap(name => {
    const text = evidence[name]
    return text === undefined ? [] : [html`<h3>${LABELS[name][0]}</h3><p class="typed">${text}</p>`]
  })
  return html`<section class="section"><h2>Evidence</h2>
${sentAt && html`<p class="fine">Sent on ${moment(sentAt)}</p>`}
${texts}</section>`
}

/** The deadline, or what became of the evidence, in a list of disputes. */
export function evidenceWords({ status, evidenceDueAt, evidenceSentAt, merchantType }: ListedDispute, now: Date): Part {
  if (evidenceSentAt !== undefined) return 'Sent'
  if (status !== 'OPEN' || evidenceDueAt === undefined) return '–'
  if (now >= evidenceDueAt) return 'Not sent'
  return html`Until ${day(evidenceDueAt)}${merchantType === 'TEST_MERCHANT' && ' in real time'}`
}
