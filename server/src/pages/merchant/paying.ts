import { findInvoices, findOpenInvoices } from '../../money/invoices/store.ts'
import { outcomeOf, type PurchaseOutcome } from '../../money/purchases/purchases.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { moneyWords } from '../../platform/web/money.ts'
import type { Ports } from '../../ports.ts'
import type { Shop } from './own-page.ts'

/** As many as one address can name; whoever owes for more sees the others among the subscriptions. */
export const MOST_PAYING = 10

/** The oldest unpaid invoice of each subscription: what a new payment method is charged for at once. */
export async function findOwed(sql: Sql, { businessId }: Shop): Promise<string[]> {
  const live = await listOfBusiness(sql, { businessId, status: 'ACTIVE', limit: 200 })
  const unpaid = live.filter(({ paymentStatus }) => paymentStatus === 'PAST_DUE')
  const open = await findOpenInvoices(
    sql,
    unpaid.map(({ subscriptionId }) => subscriptionId),
  )
  return [...open.values()].flatMap(([oldest]) => (oldest ? [oldest.invoiceId] : [])).slice(0, MOST_PAYING)
}

export interface Submission {
  readonly words: Html
  /** Something is not known yet: look again. */
  readonly isUnderWay: boolean
}

/** What became of these invoices of the business since its payment method changed. */
export async function payingOf(
  { db }: Pick<Ports, 'db'>,
  { businessId }: Shop,
  invoiceIds: readonly string[],
): Promise<Submission> {
  const invoices = await findInvoices(db.sql, invoiceIds)
  const own = invoices.filter(invoice => invoice.businessId === businessId)
  const outcomes: { outcome: PurchaseOutcome; what: string }[] = []
  for (const { invoiceId, amount, currency, lines } of own) {
    const what = `${moneyWords({ amount, currency })} for ${lines[0]?.description ?? 'a subscription'}`
    outcomes.push({ outcome: await outcomeOf({ db }, { invoiceId }), what })
  }
  return {
    isUnderWay: outcomes.some(({ outcome }) => outcome.status === 'PENDING'),
    words: html`${outcomes.map(({ outcome, what }) => wordsOf(outcome, what))}`,
  }
}

function wordsOf(outcome: PurchaseOutcome, what: string): Html | false {
  switch (outcome.status) {
    case 'NOTHING_DUE':
      return false
    case 'PAID':
      return notice('good', `Paid: ${what}`)
    case 'PENDING':
      return notice('warn', `Under way: ${what}`, 'This page looks again by itself. Nothing is charged twice.')
    case 'ACTION_REQUIRED':
      return html`${notice('warn', `Your bank asks you to confirm: ${what}`, 'Until you do, it is not paid.')}
${outcome.actionUrl !== undefined && html`<p>${linkButton('Confirm with your bank', outcome.actionUrl, { kind: 'primary' })}</p>`}`
    case 'DECLINED':
      return notice('bad', `Refused: ${what}`, refusedWords(outcome.reason))
  }
}

/** No more than who holds the card may know: whether it was reported stolen is between them and the bank. */
function refusedWords(reason: string | undefined): string {
  if (reason === 'insufficient_funds') return 'There was not enough money on the account. Try another payment method.'
  return 'The bank refused the payment. Try another payment method, or ask your bank.'
}
