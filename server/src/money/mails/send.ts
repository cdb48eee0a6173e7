import { findApps } from '../../catalog/apps/store.ts'
import { findPlans } from '../../catalog/plans/store.ts'
import type { App } from '../../core/app.ts'
import { assert } from '../../core/assert.ts'
import type { Brand } from '../../core/brand.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { addDays } from '../../core/calendar.ts'
import type { Charge } from '../../core/charge.ts'
import { OPTIONAL_MAIL_KINDS } from '../../core/mail-kind.ts'
import type { Plan } from '../../core/plan.ts'
import type { Refund } from '../../core/refund.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import { findBrand } from '../../platform/brand/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { pipeline } from '../../platform/db/sql.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { recordMails } from '../../platform/mail/outbox.ts'
import { dayWords, everyWords, moneyWords } from '../../platform/web/format.ts'
import { inLanguage } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { findInvoices, type Invoice } from '../invoices/store.ts'
import { findPaymentMethods } from '../payment-methods/store.ts'
import { findRefundsOfInvoices } from '../refunds/store.ts'
import { findSubscriptions } from '../subscriptions/store.ts'
import { type MoneyMailInput, renderMoneyMail } from './render.ts'
import {
  type ClosedMail,
  closeDueMails,
  closeMoneyMails,
  deleteOldMails,
  lockDueMails,
  type MoneyMail,
  postponeMoneyMail,
} from './store.ts'
import type { MailFacts } from './words.ts'

const BATCH = 50
/** RFC 5321, 4.5.4.1: a sender retries for at least four to five days. */
const KEPT_MS = 7 * 86_400_000
const RETRY_AFTER_MS = 10 * 60_000
/** Longer than a year: a yearly renewal must not be announced twice. */
const REMEMBERED_DAYS = 400

type SendPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'mail' | 'log' | 'settings'>

/**
 * Renders the due mails and hands them to the outbox, in one transaction with their rows. Returns the number of
 * rows; call again until 0. A mail whose rendering fails is due again later, and the other mails are still sent.
 */
export async function handOverMoneyMails(ports: SendPorts): Promise<number> {
  const now = ports.clock.now()
  if (ports.mail.isConfigured === false) {
    const unsent = await closeDueMails(ports.db.sql, now)
    if (unsent > 0) ports.log.warn({ unsent }, 'mails about money are not sent: TILLHOOK_SMTP_URL is not set')
    return 0
  }
  return await ports.db.transaction(async tx => {
    const mails = await lockDueMails(tx.sql, { now, limit: BATCH })
    if (mails.length === 0) return 0
    const known = await loadKnown(tx.sql, mails)
    const messages: Message[] = []
    const closed: ClosedMail[] = []
    for (const mail of mails) {
      const { moneyMailId } = mail
      try {
        const input = inputOf(known, mail, ports.settings)
        if (input !== null) messages.push(renderMoneyMail(input))
        closed.push({ moneyMailId, recipient: input?.to ?? null })
      } catch (error) {
        ports.log.error({ err: error, moneyMailId }, 'a mail could not be written and will be retried')
        await postponeMoneyMail(tx.sql, moneyMailId, new Date(now.getTime() + RETRY_AFTER_MS))
      }
    }
    await recordMails({ ...ports, db: tx }, messages, KEPT_MS)
    await closeMoneyMails(tx.sql, closed)
    return mails.length
  })
}

export async function purgeMoneyMails({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return await deleteOldMails(db.sql, addDays(clock.now(), -REMEMBERED_DAYS))
}

/** The current state that a batch of mails reports. */
interface Known {
  readonly brand: Brand
  readonly businesses: ById<BusinessRecord>
  readonly subscriptions: ById<Subscription>
  readonly apps: ById<App>
  readonly plans: ById<Plan>
  readonly invoices: ById<Invoice>
  readonly charges: readonly Charge[]
  readonly refunds: ById<Refund>
  readonly paymentMethods: ById<Awaited<ReturnType<typeof findPaymentMethods>>[number]>
}

type ById<Value> = ReadonlyMap<string, Value>

async function loadKnown(sql: Sql, mails: readonly MoneyMail[]): Promise<Known> {
  const invoiceIds = idsOf(mails, ({ invoiceId }) => invoiceId)
  const [brand, businesses, subscriptions, invoices, charges, refunds] = await pipeline([
    findBrand(sql),
    findBusinesses(
      sql,
      idsOf(mails, ({ businessId }) => businessId),
    ),
    findSubscriptions(
      sql,
      idsOf(mails, ({ subscriptionId }) => subscriptionId),
    ),
    findInvoices(sql, invoiceIds),
    findChargesOfInvoices(sql, invoiceIds),
    findRefundsOfInvoices(sql, invoiceIds),
  ])
  const cardIds = [
    ...idsOf(mails, ({ kind, sourceId }) => (kind === 'CARD_EXPIRING' ? sourceId : undefined)),
    ...idsOf(charges, ({ paymentMethodId }) => paymentMethodId),
  ]
  const [apps, plans, paymentMethods] = await pipeline([
    findApps(
      sql,
      idsOf(subscriptions, ({ appId }) => appId),
    ),
    findPlans(
      sql,
      idsOf(subscriptions, ({ planId }) => planId),
    ),
    findPaymentMethods(sql, cardIds),
  ])
  return {
    brand,
    charges,
    businesses: byId(businesses, 'businessId'),
    subscriptions: byId(subscriptions, 'subscriptionId'),
    apps: byId(apps, 'appId'),
    plans: byId(plans, 'planId'),
    invoices: byId(invoices, 'invoiceId'),
    refunds: byId(refunds, 'refundId'),
    paymentMethods: byId(paymentMethods, 'paymentMethodId'),
  }
}

function idsOf<Row>(rows: readonly Row[], idOf: (row: Row) => string | undefined): string[] {
  return [...new Set(rows.map(idOf))].filter(id => id !== undefined)
}

function byId<Row, Key extends keyof Row>(rows: readonly Row[], key: Key): ReadonlyMap<Row[Key], Row> {
  return new Map(rows.map(row => [row[key], row]))
}

/** Null: the mail no longer applies, the business is not ACTIVE, or the business switched the kind of the mail off. */
function inputOf(known: Known, mail: MoneyMail, { baseUrl }: SendPorts['settings']): MoneyMailInput | null {
  const business = known.businesses.get(mail.businessId)
  assert(business, 'a business with mails is never deleted')
  const isOff = OPTIONAL_MAIL_KINDS.some(kind => kind === mail.kind && business.mailsOff.includes(kind))
  if (isOff || business.status !== 'ACTIVE') return null
  const { language, billingEmail, emailAddress, doingBusinessAs } = business
  const content = inLanguage(language, () => contentOf(known, mail, business))
  if (content === null) return null
  const { facts, path } = content
  return {
    id: mail.moneyMailId,
    kind: mail.kind,
    language,
    to: billingEmail ?? emailAddress,
    business: doingBusinessAs,
    facts,
    actionUrl: /^https?:/.test(path) ? path : `${baseUrl}${path}`,
    settingsUrl: `${baseUrl}/my/business`,
    brand: known.brand,
    baseUrl,
  }
}

interface Content {
  readonly facts: MailFacts
  /** A path of Tillhook, or the URL of the bank's page. */
  readonly path: string
}

function contentOf(known: Known, mail: MoneyMail, business: BusinessRecord): Content | null {
  if (mail.kind === 'CARD_EXPIRING') return contentOfCard(known, mail)
  const subscription = known.subscriptions.get(mail.subscriptionId ?? '')
  assert(subscription, 'a subscription is never deleted')
  const app = known.apps.get(subscription.appId)
  const plan = known.plans.get(subscription.planId)
  assert(app && plan, 'an app and a plan with subscriptions are never deleted')
  const { currency } = subscription
  const money = moneyWords({ amount: subscription.pendingAmount ?? subscription.amount, currency })
  const facts: MailFacts = {
    ...EMPTY,
    app: app.name,
    plan: plan.name,
    price: `${money} ${everyWords(plan)}`,
    money,
    day: dayWords(subscription.currentPeriodEnd, business.timezone),
  }
  const invoice = known.invoices.get(mail.invoiceId ?? '')
  if (invoice !== undefined) return contentOfInvoice(known, mail, { business, subscription, invoice, facts })
  return contentOfSubscription(mail, { business, subscription, facts })
}

function contentOfSubscription(
  { kind }: MoneyMail,
  { business: { timezone }, subscription, facts }: Omit<InvoiceFacts, 'invoice'>,
): Content | null {
  const { status, cancelAt, trialEndAt, endReason, subscriptionId } = subscription
  const path = `/my/subscriptions/${subscriptionId}`
  const day = (at: Date) => dayWords(at, timezone)
  // After the end of a subscription, the next four kinds no longer apply.
  const isOver = status === 'ENDED'
  if (kind === 'TRIAL_ENDING')
    return isOver || !trialEndAt || cancelAt ? null : { path, facts: { ...facts, day: day(trialEndAt) } }
  if (kind === 'CANCELLED') return isOver || !cancelAt ? null : { path, facts: { ...facts, day: day(cancelAt) } }
  if (kind === 'RENEWAL_AHEAD') return isOver || cancelAt ? null : { path, facts }
  if (kind === 'RESTORED') return isOver || cancelAt ? null : { path, facts }
  const reason = endReason === undefined || endReason === 'NOT_STARTED' ? 'OPERATOR' : endReason
  return { path, facts: { ...facts, reason } }
}

interface InvoiceFacts {
  readonly business: BusinessRecord
  readonly subscription: Subscription
  readonly invoice: Invoice
  readonly facts: MailFacts
}

function contentOfInvoice(
  known: Known,
  { kind, sourceId }: MoneyMail,
  { business: { timezone }, subscription, invoice, facts }: InvoiceFacts,
): Content | null {
  const { invoiceId, number, currency, amount } = invoice
  const path = `/my/invoices/${invoiceId}`
  const of = { ...facts, number, plan: invoice.lines[0]?.description ?? facts.plan }
  const money = (minor: number) => moneyWords({ amount: minor, currency })
  const charges = known.charges.filter(charge => charge.invoiceId === invoiceId)
  if (kind === 'RECEIPT') {
    const paid = charges.find(({ status }) => status === 'SUCCEEDED')
    const card = known.paymentMethods.get(paid?.paymentMethodId ?? '')?.label ?? ''
    return { path, facts: { ...of, money: money(invoice.amountPaid), card } }
  }
  if (kind === 'REFUND') {
    const refund = known.refunds.get(sourceId)
    return refund === undefined ? null : { path, facts: { ...of, money: money(refund.amount) } }
  }
  // Paid, void or given up by now: there is nothing to do.
  if (invoice.status !== 'OPEN') return null
  if (kind === 'BANK_CONFIRMATION') {
    const asked = charges.find(({ chargeId }) => chargeId === sourceId)
    if (asked?.status !== 'ACTION_REQUIRED') return null
    return { path: asked.actionUrl ?? path, facts: { ...of, money: money(amount) } }
  }
  const { nextRetryAt, graceEndAt } = subscription
  return {
    path,
    facts: {
      ...{ ...of, money: money(amount) },
      ...(nextRetryAt && { retryDay: dayWords(nextRetryAt, timezone) }),
      ...(graceEndAt && { deadline: dayWords(graceEndAt, timezone) }),
    },
  }
}

function contentOfCard(known: Known, { sourceId }: MoneyMail): Content | null {
  const method = known.paymentMethods.get(sourceId)
  if (method?.card === undefined || method.isRemoved) return null
  const last = new Date(`${method.card.expires}-01T00:00:00Z`)
  last.setUTCMonth(last.getUTCMonth() + 1)
  const day = dayWords(addDays(last, -1))
  return { path: '/my/payment-methods/add', facts: { ...EMPTY, card: method.label, day } }
}

const EMPTY: MailFacts = { app: '', plan: '', money: '', price: '', number: '', card: '', day: '', reason: 'CANCELLED' }
