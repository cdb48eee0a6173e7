import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { type ListedDispute, pageOfDisputes } from '../../money/lists/disputes.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { filterBy } from '../../platform/web/components/table.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import {
  DisputeParams,
  DisputeQuery,
  EvidenceForm,
  evidenceWords,
  isExplained,
  sendEntered,
  showDispute,
} from '../dispute-answer.ts'
import { disputeBadge } from '../state-badges.ts'
import { appsOf, fieldsOf, scopeOf } from './list.ts'
import { pathOfSubscription, type Side, type Viewer } from './side.ts'

const ON_A_PAGE = 50
const STATES = { OPEN: 'Open', LOST: 'Lost', WON: 'Won' } as const

/** The disputes of all apps, and one with its evidence. */
export function disputePages(side: Side, ports: Ports): AnyPage[] {
  return [listPage(side, ports), ...onePages(side, ports)]
}

function listPage(side: Side, { clock }: Pick<Ports, 'clock'>): AnyPage {
  const path = side.paths.disputes
  return side.page({
    ...{ method: 'GET', path, name: side.nameOf('showDeveloperDisputes'), operation: 'moneyLists.read' },
    query: Type.Object({
      status: Type.Optional(Type.Enum(Object.keys(STATES) as (keyof typeof STATES)[])),
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
