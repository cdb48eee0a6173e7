import { Type } from 'typebox'
import { DISPUTE_STATUSES, EVIDENCE_FIELDS, type Evidence, LONGEST_EVIDENCE } from '../../core/dispute.ts'
import { isRejection, type Rejection, type RejectionCode, reject } from '../../core/rejection.ts'
import {
  type AcceptedEvidence,
  getAnsweredDispute,
  recordEvidence,
  sendEvidence,
} from '../../money/billing/dispute-evidence.ts'
import { type ListedDispute, pageOfDisputes } from '../../money/lists/disputes.ts'
import type { AnsweredDispute } from '../../money/refunds/store.ts'
import type { PageCall } from '../../platform/http/page.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { emptyState, facts, notice, toast } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { button, buttons, form, linkButton, type Problems, textArea } from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { filterBy } from '../../platform/web/components/table.ts'
import { day, moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { DISPUTE_STATES, disputeBadge } from '../state-badges.ts'
import { appsOf, fieldsOf, scopeOf } from './list.ts'
import { pathOfSubscription, type Side, type Viewer } from './side.ts'

const ON_A_PAGE = 50
const STATES = Object.fromEntries(Object.entries(DISPUTE_STATES).map(([status, [word]]) => [status, word]))

/** The disputes of all apps, and one with its evidence. */
export function disputePages(side: Side, ports: Ports): AnyPage[] {
  return [listPage(side, ports), ...onePages(side, ports)]
}

function listPage(side: Side, { clock }: Pick<Ports, 'clock'>): AnyPage {
  const path = side.paths.disputes
  return side.page({
    ...{ method: 'GET', path, name: side.nameOf('showDeveloperDisputes'), operation: 'moneyLists.read' },
    query: Type.Object({
      status: Type.Optional(Type.Enum([...DISPUTE_STATUSES])),
      appId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
      q: Type.Optional(Text(200, 0)),
      after: Type.Optional(Uuid),
    }),
    async handle(call, viewer) {
      const { status, appId, q, after } = call.query
      const scope = scopeOf(viewer, call.query)
      if (isRejection(scope)) return scope
      const apps = await appsOf(call.db, viewer.organizationId)
      if (isRejection(apps)) return apps
      const slice = { limit: ON_A_PAGE, ...(after && { after }) }
      const page = await pageOfDisputes(call, { scope, ...(status && { status }) }, slice)
      const kept = { status, appId: appId || undefined, q: q || undefined }
      const lead = 'A payer’s bank took a payment back, or tried to. Send evidence before the deadline.'
      const main = html`${pageHead({ title: 'Disputes', lead })}
${side.aboveDisputes}
${filterBy('Filter by state', { path, kept, name: 'status', value: status, texts: STATES, all: 'All' })}
${filterBar({ path, label: 'Filter disputes', fields: fieldsOf(call.query, apps), kept: { status } })}
${dataTable<ListedDispute>({
  ...{ id: 'disputes', caption: 'Disputes, newest first', rows: page.items, path, kept, after, next: page.next },
  columns: [
    { name: 'Invoice', cell: one => html`<a class="whole" href="${`${path}/${one.disputeId}`}">${one.number}</a>` },
    { name: 'Merchant', cell: one => merchantLink(side, one) },
    { name: 'App', cell: ({ appName }) => appName },
    { name: 'Amount', isNumber: true, cell: moneyWords },
    { name: 'Opened', cell: ({ createdAt }) => day(createdAt) },
    { name: 'Evidence', cell: one => evidenceWords(one, clock.now()) },
    { name: 'State', cell: disputeBadge },
  ],
  empty: emptyState('No disputes', 'A disputed payment appears here. The organization also gets a mail.'),
})}`
      return side.framed(call, { title: 'Disputes', part: 'disputes', main })
    },
  })
}

const merchantLink = ({ paths }: Side, { businessId, businessName }: ListedDispute) =>
  html`<a href="${`${paths.merchants}/${businessId}`}">${businessName}</a>`

/** One dispute, and the evidence for the payer's bank. */
function onePages(side: Side, ports: Ports): AnyPage[] {
  const path = side.paths.disputes
  const definition = { path: `${path}/:disputeId`, params: DisputeParams }
  const asked = ({ organizationId, may }: Viewer) => ({
    ...{ path, mayAnswer: may('disputes.answer'), ...(organizationId && { organizationId }) },
    merchantOf: (one: ListedDispute) => merchantLink(side, one),
    invoiceOf: (one: ListedDispute) => html`<a href="${pathOfSubscription(side, one)}">${one.number}</a>`,
  })
  return [
    side.page({
      ...{ ...definition, method: 'GET', query: DisputeQuery, operation: 'disputes.read' },
      name: side.nameOf('showOwnDispute'),
      async handle(call, viewer) {
        const page = await showDispute(ports, call, { ...asked(viewer), isSent: call.query.done === 'sent' })
        return isRejection(page) ? page : side.framed(call, { ...page, part: 'disputes' })
      },
    }),
    side.page({
      ...{ ...definition, method: 'POST', form: EvidenceForm, operation: 'disputes.answer' },
      name: side.nameOf('sendOwnEvidence'),
      async handle(call, viewer) {
        const rejected = await sendEntered(ports, call, viewer.organizationId)
        if (rejected === null) return redirect(`${path}/${call.params.disputeId}?done=sent`)
        if (!isExplained(rejected)) return rejected
        const page = await showDispute(ports, call, { ...asked(viewer), entered: call.form, rejected })
        return isRejection(page) ? page : side.framed(call, { ...page, part: 'disputes' }, { status: page.status })
      },
    }),
  ]
}

const DisputeParams = Type.Object({ disputeId: Uuid })
const DisputeQuery = Type.Object({ done: Type.Optional(Type.Enum(['sent'])) })
const EvidenceForm = Type.Object({
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
async function showDispute(
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
async function sendEntered(
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
function isExplained({ rejected }: Rejection): boolean {
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
function evidenceWords({ status, evidenceDueAt, evidenceSentAt, merchantType }: ListedDispute, now: Date): Part {
  if (evidenceSentAt !== undefined) return 'Sent'
  if (status !== 'OPEN' || evidenceDueAt === undefined) return '–'
  if (now >= evidenceDueAt) return 'Not sent'
  return html`Until ${day(evidenceDueAt)}${merchantType === 'TEST_MERCHANT' && ' in real time'}`
}
