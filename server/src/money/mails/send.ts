import { findApp } from '../../catalog/apps/store.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import type { App } from '../../core/app.ts'
import { assert } from '../../core/assert.ts'
import type { Brand } from '../../core/brand.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { addDays } from '../../core/calendar.ts'
import { OPTIONAL_MAIL_KINDS } from '../../core/mail-kind.ts'
import type { Plan } from '../../core/plan.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { findBrand } from '../../platform/brand/store.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { findInvoice, type Invoice } from '../invoices/store.ts'
import { listPaymentMethods } from '../payment-methods/store.ts'
import { findRefundsOfInvoices } from '../refunds/store.ts'
import { findSubscription } from '../subscriptions/store.ts'
import { dayIn, type MoneyMailInput, moneyIn, renderMoneyMail } from './render.ts'
import {
  closeDueMails,
  closeMoneyMail,
  deleteOldMails,
  lockDueMails,
  type MoneyMail,
  postponeMoneyMail,
} from './store.ts'
import { everyWords, type MailFacts } from './words/words.ts'

const BATCH = 50
/** RFC 5321, 4.5.4.1: a sender retries for at least four to five days. */
const KEPT_MS = 7 * 86_400_000
const RETRY_AFTER_MS = 10 * 60_000
/** Longer than a year: a yearly renewal must not be announced twice. */
const REMEMBERED_DAYS = 400

type SendPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'mail' | 'log' | 'settings'>

/**
 * Renders the due mails and hands them to the outbox, each in one transaction with its row. Returns the number of
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
    const shared: Shared = { brand: await findBrand(tx.sql), apps: new Map(), plans: new Map() }
    for (const mail of mails) await handOver(tx, ports, mail, { now, shared })
    return mails.length
  })
}

/** The facts that the mails of a batch share, read once. */
interface Shared {
  readonly brand: Brand
  readonly apps: Map<string, App | null>
  readonly plans: Map<string, Plan | null>
}

async function once<Value>(known: Map<string, Value>, id: string, find: () => Promise<Value>): Promise<Value> {
  const value = known.has(id) ? (known.get(id) as Value) : await find()
  known.set(id, value)
  return value
}

interface Batch {
  readonly now: Date
  readonly shared: Shared
}

async function handOver(tx: Tx, ports: SendPorts, mail: MoneyMail, { now, shared }: Batch): Promise<void> {
  const { moneyMailId } = mail
  let input: MoneyMailInput | null
  try {
    input = await inputOf(tx.sql, ports, mail, shared)
  } catch (error) {
    // A failed statement has ended the transaction; the next run repeats the batch.
    if (isDatabaseUnavailable(error) || (error as { severity?: string }).severity !== undefined) throw error
    ports.log.error({ err: error, moneyMailId }, 'a mail could not be written and will be retried')
    await postponeMoneyMail(tx.sql, moneyMailId, new Date(now.getTime() + RETRY_AFTER_MS))
    return
  }
  if (input !== null) await recordMail({ ...ports, db: tx }, renderMoneyMail(input), { keptMs: KEPT_MS })
  await closeMoneyMail(tx.sql, moneyMailId, input?.to ?? null)
}

export async function purgeMoneyMails({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return await deleteOldMails(db.sql, addDays(clock.now(), -REMEMBERED_DAYS))
}

/** Null: the mail has nothing to say any more, or the business switched its kind off. */
async function inputOf(
  sql: Sql,
  { settings }: SendPorts,
  mail: MoneyMail,
  shared: Shared,
): Promise<MoneyMailInput | null> {
  const business = await findBusiness(sql, mail.businessId)
  assert(business, 'a business with mails is never deleted')
  const isOff = OPTIONAL_MAIL_KINDS.some(kind => kind === mail.kind && business.mailsOff.includes(kind))
  const known = isOff || business.status !== 'ACTIVE' ? null : await factsOf(sql, mail, business, shared)
  if (known === null) return null
  const { language, billingEmail, emailAddress, doingBusinessAs } = business
  const to = billingEmail ?? emailAddress
  const base = settings.baseUrl
  const { facts, path } = known
  const actionUrl = /^https?:/.test(path) ? path : `${base}${path}`
  const settingsUrl = `${base}/my/business`
  return {
    id: mail.moneyMailId,
    kind: mail.kind,
    language,
    to,
    business: doingBusinessAs,
    facts,
    actionUrl,
    settingsUrl,
    brand: shared.brand,
    baseUrl: base,
  }
}

interface Known {
  readonly facts: MailFacts
  /** A path of Tillhook, or the URL of the bank's page. */
  readonly path: string
}

async function factsOf(
  sql: Sql,
  mail: MoneyMail,
  business: BusinessRecord,
  { apps, plans }: Shared,
): Promise<Known | null> {
  if (mail.kind === 'CARD_EXPIRING') return await factsOfCard(sql, mail, business)
  const subscription = mail.subscriptionId === undefined ? null : await findSubscription(sql, mail.subscriptionId)
  assert(subscription, 'a subscription is never deleted')
  const { appId, planId } = subscription
  const app = await once(apps, appId, () => findApp(sql, appId))
  const plan = await once(plans, planId, () => findPlan(sql, planId))
  assert(app && plan, 'an app and a plan with subscriptions are never deleted')
  const { language, timezone } = business
  const { currency } = subscription
  const amount = subscription.pendingAmount ?? subscription.amount
  const facts: MailFacts = {
    ...EMPTY,
    app: app.name,
    plan: plan.name,
    price: `${moneyIn(language, amount, currency)} ${everyWords(language, plan)}`,
    money: moneyIn(language, amount, currency),
    day: dayIn(language, subscription.currentPeriodEnd, timezone),
  }
  const invoice = mail.invoiceId === undefined ? null : await findInvoice(sql, mail.invoiceId)
  if (invoice !== null) return await factsOfInvoice(sql, mail, { business, subscription, invoice, facts })
  return factsOfSubscription(mail, { business, subscription, facts })
}

function factsOfSubscription(
  { kind }: MoneyMail,
  { business: { language, timezone }, subscription, facts }: Omit<InvoiceFacts, 'invoice'>,
): Known | null {
  const { status, cancelAt, trialEndAt, endReason, subscriptionId } = subscription
  const path = `/my/subscriptions/${subscriptionId}`
  const day = (at: Date) => dayIn(language, at, timezone)
  // The state that the mail would announce has ended.
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

async function factsOfInvoice(
  sql: Sql,
  { kind, sourceId }: MoneyMail,
  { business: { language, timezone, businessId }, subscription, invoice, facts }: InvoiceFacts,
): Promise<Known | null> {
  const { invoiceId, number, currency, amount } = invoice
  const path = `/my/invoices/${invoiceId}`
  const of = { ...facts, number, plan: invoice.lines[0]?.description ?? facts.plan }
  const money = (minor: number) => moneyIn(language, minor, currency)
  const charges = await findChargesOfInvoices(sql, [invoiceId])
  if (kind === 'RECEIPT') {
    const paid = charges.find(({ status }) => status === 'SUCCEEDED')
    const methods = await listPaymentMethods(sql, businessId, { hasRemoved: true })
    const card = methods.find(({ paymentMethodId }) => paymentMethodId === paid?.paymentMethodId)?.label ?? ''
    return { path, facts: { ...of, money: money(invoice.amountPaid), card } }
  }
  if (kind === 'REFUND') {
    const refund = (await findRefundsOfInvoices(sql, [invoiceId])).find(({ refundId }) => refundId === sourceId)
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
      ...(nextRetryAt && { retryDay: dayIn(language, nextRetryAt, timezone) }),
      ...(graceEndAt && { deadline: dayIn(language, graceEndAt, timezone) }),
    },
  }
}

async function factsOfCard(
  sql: Sql,
  { sourceId }: MoneyMail,
  { businessId, language }: BusinessRecord,
): Promise<Known | null> {
  const method = (await listPaymentMethods(sql, businessId)).find(({ paymentMethodId }) => paymentMethodId === sourceId)
  if (method?.card === undefined) return null
  const last = new Date(`${method.card.expires}-01T00:00:00Z`)
  last.setUTCMonth(last.getUTCMonth() + 1)
  const day = dayIn(language, addDays(last, -1), 'UTC')
  return { path: '/my/payment-methods/add', facts: { ...EMPTY, card: method.label, day } }
}

const EMPTY: MailFacts = { app: '', plan: '', money: '', price: '', number: '', card: '', day: '', reason: 'CANCELLED' }
