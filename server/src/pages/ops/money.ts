import { Type } from 'typebox'
import { reject } from '../../core/rejection.ts'
import { listAllBalances, type OperatorBalance } from '../../money/ledger/totals.ts'
import {
  listDiscrepancies,
  listReconciliations,
  type OpenDiscrepancy,
  type Reconciliation,
} from '../../money/reconciliations/store.ts'
import { retryNow } from '../../money/reports/retry-now.ts'
import {
  CHARGE_STATES,
  type ChargeState,
  findReportedCharge,
  listQuarantined,
  listUnsettledCharges,
  listUnsettledRefunds,
  QUARANTINED_KINDS,
  type Quarantined,
  type UnsettledCharge,
  type UnsettledRefund,
} from '../../money/reports/unsettled.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { badge, emptyState, notice, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { press } from '../../platform/web/components/form.ts'
import { addressOf, filterBy, pager, sumColumn, table } from '../../platform/web/components/table.ts'
import { moment, moneyWords, shortMoment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { declineReason } from '../decline-words.ts'
import { moneyParts } from './money-parts.ts'
import { framed, merchantLink, ON_A_PAGE, opsPage } from './ops-page.ts'
import { owedTable } from './owed-refunds.ts'
import { GATEWAYS, kindWords } from './words.ts'

const path = OPERATOR_PATHS.money
const STATES: Readonly<Record<ChargeState, string>> = {
  STUCK: 'Stuck',
  UNKNOWN: 'Outcome unknown',
  WAITING: 'Waiting for the payer or the bank',
  IN_FLIGHT: 'At the gateway',
  UNSETTLED: 'All open',
}

/** Of charges without an outcome. */
const STATUSES: Partial<Record<UnsettledCharge['status'], string>> = {
  IN_FLIGHT: 'At the gateway',
  PENDING: 'Waiting for the bank',
  ACTION_REQUIRED: 'Waiting for the payer',
  UNKNOWN: 'Outcome unknown',
}

/** A lookup takes a second or two. */
const REFRESH_SECONDS = 2

/** A week for two gateways. */
const RUNS = 14

/** The results of the buttons below. */
const DONE = {
  retry: ['good', 'Retry started', 'The row disappears when the attempt succeeds.'],
  refunding: ['good', 'Refund sent', 'The refund comes back to this page if it fails again.'],
  paid: ['good', 'Refund marked as paid', 'The merchant gets a mail, and the app an event.'],
  noneOwed: ['warn', 'Nothing is owed', 'The refund was sent or marked as paid meanwhile.'],
} as const

function doneNotice(done: keyof typeof DONE): Html {
  const [kind, title, words] = DONE[done]
  return kind === 'good' ? toast(title, words) : notice(kind, title, words)
}

/** Charges and refunds without an outcome, owed refunds, quarantined rows, and the comparison with the gateways' books. */
export function moneyPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'GET', path, name: 'showMoney', operation: 'operations.read' },
    query: Type.Object({
      state: Type.Optional(Type.Enum([...CHARGE_STATES])),
      after: Type.Optional(Uuid),
      polled: Type.Optional(Uuid),
      done: Type.Optional(Type.Enum(Object.keys(DONE) as (keyof typeof DONE)[])),
    }),
    async handle(call, desk) {
      const { sql } = call.db
      const { state = 'STUCK', after, done } = call.query
      const now = clock.now()
      const charges = await listUnsettledCharges(sql, { state, now, limit: ON_A_PAGE + 1, ...(after && { after }) })
      const shown = charges.slice(0, ON_A_PAGE)
      const next = charges.length > ON_A_PAGE ? shown.at(-1)?.chargeId : undefined
      const refunds = await listUnsettledRefunds(sql, { state: 'UNSETTLED', now, limit: ON_A_PAGE })
      const quarantined = await listQuarantined(sql, ON_A_PAGE)
      const polled = call.query.polled ? await findPolled(sql, call.query.polled, now) : null
      const discrepancies = await listDiscrepancies(sql, ON_A_PAGE)
      const main = html`<h1>Money</h1>
<p class="lead">Payments without an outcome, and differences from the gateways’ books.</p>
${polled?.words}
${done && doneNotice(done)}
${moneyParts('open')}
${balanceTable(await listAllBalances(sql, true))}
<h2>Charges without an outcome</h2>
${filterBy('Filter charges', { path, name: 'state', value: state, texts: STATES })}
${shown.length === 0 ? emptyState('No charges here', 'Each charge in this state appears here until its outcome is known.') : chargeTable(shown, `${STATES[state]}, oldest first`, desk.may('charges.poll') && (({ chargeId, businessName }) => press(addressOf(pollPathOf(chargeId), { state }), call.csrf, 'Look up now', `the charge of ${businessName}`)))}
${pager('More charges', { path, kept: { state }, after, next })}
${refunds.length > 0 && refundTable(refunds, desk.may('operations.retry') && call.csrf)}
${await owedTable(sql, call.csrf, desk)}
${quarantined.length > 0 && quarantinedTable(quarantined, desk.may('operations.retry') && call.csrf)}
${discrepancies.length > 0 && discrepancyTable(discrepancies)}
${reconciliationTable(await listReconciliations(sql, RUNS))}`
      return framed(call, {
        title: 'Money',
        part: 'money',
        main,
        ...(polled?.isUnderWay && { refreshSeconds: REFRESH_SECONDS }),
      })
    },
  })
}

function balanceTable(balances: readonly OperatorBalance[]): Html | false {
  return (
    balances.length > 0 &&
    table<OperatorBalance>({
      caption: 'Balances of all developers together',
      rows: balances,
      columns: [
        { name: 'Currency', cell: ({ currency }) => currency },
        sumColumn('Collected', ({ charged, refunded, chargedBack }) => charged - refunded - chargedBack),
        sumColumn('Your share', ({ share }) => share),
        sumColumn('Gateway fees', ({ gatewayFees }) => gatewayFees),
        sumColumn('Paid out', ({ paidOut }) => paidOut),
        sumColumn('Owed to developers', ({ net }) => net),
      ],
    })
  )
}

function chargeTable(
  charges: readonly UnsettledCharge[],
  caption: string,
  pollButton: false | ((charge: UnsettledCharge) => Html),
): Html {
  return table<UnsettledCharge>({
    caption,
    rows: charges,
    columns: [
      {
        name: 'Merchant',
        cell: charge =>
          html`<span class="stack"><span>${merchantLink(charge)}</span>${copyId(`charge-${charge.chargeId}`, charge.chargeId, 'the charge ID')}</span>`,
      },
      { name: 'Amount', isNumber: true, cell: moneyWords },
      { name: 'State', cell: stateCell },
      { name: 'Started (UTC)', cell: ({ startedAt }) => shortMoment(startedAt) },
      { name: 'Next poll (UTC)', cell: ({ nextPollAt }) => nextPollAt && shortMoment(nextPollAt) },
      pollButton && { name: 'Outcome', cell: pollButton },
    ],
  })
}

function stateCell({ status, gateway, lastError }: UnsettledCharge): Html {
  return html`<span class="stack"><span>${badge(STATUSES[status] ?? status, 'warn')}</span>${gateway && html`<span class="fine">${GATEWAYS[gateway]}</span>`}${lastError && html`<span class="fine">${lastError}</span>`}</span>`
}

/** `csrf` is false without the right to retry. */
function refundTable(refunds: readonly UnsettledRefund[], csrf: string | false): Html {
  return table<UnsettledRefund>({
    caption: 'Refunds without an outcome',
    rows: refunds,
    columns: [
      {
        name: 'Merchant',
        cell: one =>
          html`<span class="stack"><span>${merchantLink(one)}</span>${copyId(`refund-${one.refundId}`, one.refundId, 'the refund ID')}</span>`,
      },
      { name: 'Amount', isNumber: true, cell: moneyWords },
      { name: 'State', cell: ({ lastError }) => (lastError ? html`<code>${lastError}</code>` : 'At the gateway') },
      { name: 'Started (UTC)', cell: ({ startedAt }) => shortMoment(startedAt) },
      { name: 'Next poll (UTC)', cell: ({ nextPollAt }) => nextPollAt && shortMoment(nextPollAt) },
      csrf !== false && {
        name: 'Outcome',
        cell: ({ refundId, businessName }) =>
          press(retryPathOf('refund', refundId), csrf, 'Try now', `the refund of ${businessName}`),
      },
    ],
  })
}

function discrepancyTable(rows: readonly OpenDiscrepancy[]): Html {
  return table<OpenDiscrepancy>({
    caption: 'Differences from the gateways’ books',
    rows,
    columns: [
      { name: 'Charge at the gateway', cell: ({ gatewayChargeId }) => html`<code>${gatewayChargeId}</code>` },
      { name: 'Difference', cell: ({ kind, detail }) => `${kindWords(kind)}: ${detail}` },
      { name: 'First seen (UTC)', cell: ({ firstSeenAt }) => shortMoment(firstSeenAt) },
    ],
  })
}

function reconciliationTable(runs: readonly Reconciliation[]): Html {
  if (runs.length === 0) return html`<h2>Reconciliation</h2><p>The gateways’ books have not been compared yet.</p>`
  return table<Reconciliation>({
    caption: 'Reconciliation',
    rows: runs,
    columns: [
      { name: 'Gateway', cell: ({ gateway }) => GATEWAYS[gateway] },
      { name: 'Until (UTC)', cell: ({ untilAt }) => shortMoment(untilAt) },
      { name: 'Compared', isNumber: true, cell: ({ compared }) => String(compared) },
      { name: 'Repaired', isNumber: true, cell: ({ repaired }) => String(repaired) },
      { name: 'Differences', isNumber: true, cell: ({ discrepancies }) => String(discrepancies) },
    ],
  })
}

const pollPathOf = (chargeId: string) => `${path}/charges/${chargeId}/poll`

/** Polls a charge at its gateway now. The list of charges says what the gateway answered. */
export function chargePollPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'POST', path: pollPathOf(':chargeId'), name: 'pollChargeOnPage', operation: 'charges.poll' },
    params: Type.Object({ chargeId: Uuid }),
    query: Type.Object({ state: Type.Optional(Type.Enum([...CHARGE_STATES])) }),
    async handle(call) {
      const chargeId = call.params.chargeId
      await retryNow({ db: call.db, clock }, { kind: 'charge', rowId: chargeId })
      const charge = await findReportedCharge(call.db.sql, chargeId)
      if (charge === null) return reject('CHARGE_NOT_FOUND', 'There is no charge with this id.')
      return redirect(addressOf(path, { state: call.query.state, polled: chargeId }))
    },
  })
}

interface Polled {
  readonly words: Html
  /** The answer of the gateway is still to come. */
  readonly isUnderWay: boolean
}

/** The state of a charge after a person asked for a poll. */
async function findPolled(sql: Sql, chargeId: string, now: Date): Promise<Polled | null> {
  const charge = await findReportedCharge(sql, chargeId)
  if (charge === null) return null
  const isUnderWay = charge.nextPollAt !== undefined && (charge.leased || charge.nextPollAt <= now)
  return { words: wordsOf(charge, isUnderWay), isUnderWay }
}

function wordsOf(charge: UnsettledCharge, isUnderWay: boolean): Html {
  const of = `${moneyWords(charge)} of ${charge.businessName}`
  if (isUnderWay)
    return notice('warn', `Looking up ${of}`, 'The page shows the answer of the gateway as soon as it comes.')
  const next = charge.nextPollAt === undefined ? '' : html` The next poll follows on ${moment(charge.nextPollAt)}.`
  if (charge.lastError !== undefined)
    return notice('bad', `The lookup of ${of} failed`, html`${charge.lastError}${next}`)
  switch (charge.status) {
    case 'SUCCEEDED':
      return notice('good', `${of} is paid`, 'The gateway reports a success.')
    case 'DECLINED_SOFT':
    case 'DECLINED_HARD':
      return notice('warn', `${of} was declined`, charge.reason && declineReason(charge.reason))
    case 'WITHDRAWN':
      return notice('warn', `${of} was never sent`, 'The invoice was closed before the charge reached the gateway.')
    case 'UNKNOWN':
      return notice('warn', `The outcome of ${of} is still unknown`, html`The gateway did not say.${next}`)
    default:
      return notice('warn', `${of} still waits for the payer or the bank`, html`The gateway was asked.${next}`)
  }
}

const retryPathOf = (kind: string, rowId: string) => `${path}/retry/${kind}/${rowId}`

/** Makes the next attempt for a row due now. */
export function retryRowPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'POST', path: retryPathOf(':rowKind', ':rowId'), name: 'retryRow', operation: 'operations.retry' },
    params: Type.Object({ rowKind: Type.Enum([...QUARANTINED_KINDS]), rowId: Uuid }),
    async handle({ db, params: { rowKind: kind, rowId } }) {
      await retryNow({ db, clock }, { kind, rowId })
      return redirect(`${path}?done=retry`)
    },
  })
}

const KINDS: Readonly<Record<Quarantined['kind'], string>> = {
  subscription: 'Subscription',
  charge: 'Charge',
  refund: 'Refund',
  delivery: 'Webhook',
  redelivery: 'Redelivery',
}

/** Rows that Tillhook could not handle. `csrf` is false without the right to retry. */
function quarantinedTable(rows: readonly Quarantined[], csrf: string | false): Html {
  return table<Quarantined>({
    caption: 'Quarantined rows',
    rows,
    columns: [
      {
        name: 'Row',
        cell: ({ kind, rowId }) =>
          html`<span class="stack"><span>${KINDS[kind]}</span>${copyId(`row-${rowId}`, rowId, `the ID of the ${KINDS[kind].toLowerCase()}`)}</span>`,
      },
      { name: 'Last error', cell: ({ lastError }) => html`<code>${lastError}</code>` },
      { name: 'Failures', isNumber: true, cell: ({ failures }) => String(failures) },
      { name: 'Next attempt (UTC)', cell: ({ retryAt }) => shortMoment(retryAt) },
      csrf !== false && {
        name: 'Retry',
        cell: ({ kind, rowId }) =>
          press(retryPathOf(kind, rowId), csrf, 'Retry now', `the ${KINDS[kind].toLowerCase()} ${rowId}`),
      },
    ],
  })
}
