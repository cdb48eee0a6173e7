import type { Charge } from '../../core/charge.ts'
import type { MailKind } from '../../core/mail-kind.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findChargesOfInvoices } from '../../money/charges/store.ts'
import { type Invoice, listInvoices } from '../../money/invoices/store.ts'
import { listMailsOfSubscription } from '../../money/mails/store.ts'
import { findRefundsOfInvoices } from '../../money/refunds/store.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import { listAudit } from '../../platform/audit/list.ts'
import type { Db } from '../../platform/db/db.ts'
import type { PageCall } from '../../platform/http/page.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { type TimelineEntry, timeline } from '../../platform/web/components/timeline.ts'
import { moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { listDeliveries } from '../../webhooks/notifications/history.ts'
import type { HistoryEntry } from '../../webhooks/notifications/history-store.ts'
import { declineReason } from '../decline-words.ts'
import { eventTypeOf, pathOfNotification } from '../webhooks/deliveries.ts'
import { meaningOf, STATUS_WORDS, shortType, shortUrl } from '../webhooks/words.ts'
import type { Side } from './side.ts'

const MOST = 100

interface Happened {
  readonly subscription: Subscription
  readonly invoices: readonly Invoice[]
  readonly deliveries: readonly HistoryEntry[]
}

/**
 * Everything that happened to a subscription on one timeline, newest first: invoices, charges, refunds, mails, webhooks, and what people did. The
 * instants are the business's; changes by people of a merchant on a test clock have none and are left out.
 */
export async function subscriptionTimeline(
  { db, developer }: { readonly db: Db } & Pick<Side, 'developer'>,
  { subscription, invoices, deliveries }: Happened,
): Promise<Html | Rejection> {
  const { sql } = db
  const { subscriptionId, testClockId } = subscription
  const invoiceIds = invoices.map(({ invoiceId }) => invoiceId)
  const numbers = new Map(invoices.map(({ invoiceId, number }) => [invoiceId, number]))
  const charges = await findChargesOfInvoices(sql, invoiceIds)
  const refunds = await findRefundsOfInvoices(sql, invoiceIds)
  const mails = await listMailsOfSubscription(sql, subscriptionId, MOST)
  const audited =
    testClockId === undefined ? await listAudit({ db }, { resourceId: subscriptionId, limit: '50' }) : { items: [] }
  if (isRejection(audited)) return audited
  const entries: TimelineEntry[] = [
    ...audited.items
      .map(
        ({ at, principalKind, operation }): TimelineEntry => ({
          at,
          title: `${ACTS[operation] ?? `Changed (${operation})`} by ${principalKind === 'developer' ? developer : (BY[principalKind] ?? principalKind)}`,
        }),
      )
      .toReversed(),
    ...invoices.map(invoiceEntry),
    ...charges.map(charge => chargeEntry(charge, numbers.get(charge.invoiceId) ?? '')),
    ...refunds.map(
      (refund): TimelineEntry => ({
        at: refund.createdAt,
        title: html`Refund of ${moneyWords(refund)} ${refund.status === 'SUCCEEDED' ? 'paid' : refund.status.toLowerCase()}`,
        detail: html`Invoice ${numbers.get(refund.invoiceId)}${refund.reason !== '' && `: ${refund.reason}`}`,
        tone: refund.status === 'FAILED' ? 'bad' : 'warn',
      }),
    ),
    ...mails.map(
      ({ kind, occurredAt, recipient }): TimelineEntry => ({
        at: occurredAt,
        title: `Mail: ${MAILS[kind] ?? words(kind)}`,
        detail: recipient === undefined ? 'Not sent' : `To ${recipient}`,
      }),
    ),
    ...deliveries.map(deliveryEntry).toReversed(),
  ]
  // Entries of one second: the later cause comes first.
  const sorted = entries
    .toReversed()
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, MOST)
  return html`<section class="section"><h2>Timeline</h2>
${sorted.length === 0 ? html`<p>Nothing has happened yet.</p>` : timeline('Everything that happened, newest first', sorted)}</section>`
}

/**
 * What happened to a test merchant after an instant of its clock, newest first: invoices, charges, ended subscriptions and webhooks. Empty
 * when `since` is no instant.
 */
export async function merchantTimeline(
  { clock }: Pick<Ports, 'clock'>,
  { db, principal }: Pick<PageCall, 'db' | 'principal'>,
  businessId: string,
  since: Date,
): Promise<Html | false | Rejection> {
  if (Number.isNaN(since.getTime())) return false
  const { sql } = db
  const { invoices } = await listInvoices(sql, { businessId, first: 'newest', offset: 0, limit: MOST })
  const numbers = new Map(invoices.map(({ invoiceId, number }) => [invoiceId, number]))
  const charges = await findChargesOfInvoices(sql, [...numbers.keys()])
  const ended = await listOfBusiness(sql, { businessId, status: 'ENDED', limit: MOST })
  const query = { limit: String(MOST) }
  const sent = await listDeliveries({ db, clock }, { of: { businessId }, principal, query })
  if (isRejection(sent)) return sent
  const entries: TimelineEntry[] = [
    ...invoices.map(invoiceEntry),
    ...charges.map(charge => chargeEntry(charge, numbers.get(charge.invoiceId) ?? '')),
    ...ended.flatMap(({ endedAt, endReason }) =>
      endedAt === undefined
        ? []
        : [{ at: endedAt, title: 'Subscription ended', detail: words(endReason ?? ''), tone: 'warn' as const }],
    ),
    ...sent.entries.map(deliveryEntry).toReversed(),
  ]
  const shown = entries
    .filter(({ at }) => at > since)
    .toReversed()
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, MOST)
  return html`<section class="section"><h2>What happened since ${moment(since)}</h2>
${shown.length === 0 ? html`<p>Nothing was due.</p>` : timeline('What happened, newest first', shown)}</section>`
}

function invoiceEntry(invoice: Invoice): TimelineEntry {
  return { at: invoice.createdAt, title: html`Invoice ${invoice.number} issued`, detail: moneyWords(invoice) }
}

/** A code of the API in lower-case words. */
export const words = (code: string) => code.toLowerCase().replaceAll('_', ' ')

const MAILS: Partial<Record<MailKind, string>> = {
  RECEIPT: 'receipt',
  PAYMENT_FAILED: 'payment failed',
  BANK_CONFIRMATION: 'the bank asks for a confirmation',
  TRIAL_ENDING: 'trial ends soon',
  CARD_EXPIRING: 'card expires',
  RENEWAL_AHEAD: 'renewal ahead',
}

const ACTS: Readonly<Record<string, string>> = {
  'subscriptions.subscribe': 'Subscribed',
  'subscriptions.change': 'Changed',
  'subscriptions.cancel': 'Cancelled',
  'subscriptions.restore': 'Cancellation undone',
  'subscriptions.end': 'Ended',
}

const BY: Readonly<Record<string, string>> = {
  merchant: 'the merchant',
  operator: 'the operator',
  app: 'the app',
  terminal: 'a person at the terminal',
}

function chargeEntry(
  { status, startedAt, settledAt, reason, amount, currency }: Charge,
  number: string,
): TimelineEntry {
  const money = moneyWords({ amount, currency })
  const isPaid = status === 'SUCCEEDED'
  const detail = html`Invoice ${number}${reason !== undefined && html`. ${isPaid && 'Declined before: '}${declineReason(reason)}`}`
  const at = settledAt ?? startedAt
  if (isPaid) return { at, title: `${money} paid`, detail, tone: 'good' }
  const isOpen = settledAt === undefined
  return {
    at,
    title: isOpen ? `Charge of ${money} under way` : `Charge of ${money} declined`,
    detail,
    tone: isOpen ? 'warn' : 'bad',
  }
}

function deliveryEntry(entry: HistoryEntry): TimelineEntry {
  const { word, tone } = STATUS_WORDS[entry.status]
  const type = eventTypeOf(entry)
  return {
    at: new Date(JSON.parse(entry.body).createdAt),
    title: html`Webhook <a href="${pathOfNotification(entry, entry.notificationId)}">${shortType(type)}</a>: ${word.toLowerCase()}`,
    detail: html`To <code>${breakable(shortUrl(entry.deliveryUrl))}</code>. ${meaningOf(type as Parameters<typeof meaningOf>[0])}`,
    tone: tone === 'bad' || tone === 'warn' ? tone : 'plain',
  }
}
