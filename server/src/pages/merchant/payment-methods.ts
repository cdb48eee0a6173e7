import { Type } from 'typebox'
import { cardStanding } from '../../core/card.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { addPaymentMethod, choosePaymentMethod, removePaymentMethod } from '../../money/billing/payment-method.ts'
import { findInvoices, findOpenInvoices } from '../../money/invoices/store.ts'
import { listPaymentMethods, type PaymentMethod } from '../../money/payment-methods/store.ts'
import { outcomeOf, type PurchaseOutcome } from '../../money/purchases/purchases.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { badge, emptyState, notice, toast } from '../../platform/web/components/content.ts'
import { buttons, confirmation, linkButton, type Problems, press } from '../../platform/web/components/form.ts'
import { moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { CardForm, cardEntry, saveEntered } from './card-entry.ts'
import { framed, ownPage, PATHS, type Shop } from './own-page.ts'

/** Refresh interval while the gateway's answer is pending. */
export const REFRESH_SECONDS = 3

/** The maximum number in one address; the list of subscriptions shows the rest. */
const MOST_PAYING = 10

/** The action just done and the invoices charged because of it. */
const Done = Type.Object({
  done: Type.Optional(Type.Enum(['added', 'chosen', 'removed'])),
  paying: Type.Optional(Type.String({ pattern: `^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,${MOST_PAYING - 1}}$` })),
})

/** The payment methods and the result of the last change. */
export function listPaymentMethodsPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return ownPage(ports, {
    method: 'GET',
    path: PATHS.paymentMethods,
    name: 'showOwnPaymentMethods',
    operation: 'businesses.read',
    query: Done,
    async handle(call, shop) {
      const { done, paying } = call.query
      const methods = await listPaymentMethods(call.db.sql, shop.businessId)
      const came = await payingOf(call, shop, paying?.split(',').filter(isUuid) ?? [])
      const owes = (await findOwed(call.db.sql, shop)).length > 0 && paying === undefined
      const main = html`<h1>${say`Payment methods`}</h1>
${done === 'removed' && toast(say`Removed`, say`This card is never charged again.`)}
${(done === 'added' || done === 'chosen') && methods.length > 0 && toast(done === 'added' ? say`Added` : say`Changed`, say`${methods[0]?.label ?? ''} is now your default.`)}
${came.words}
${owes && notice('bad', say`A payment failed`, say`Try your card again, or choose or add another one: what is due is charged to it at once.`)}
${methods.length === 0 ? nothing() : list(call.csrf, shop, methods, owes)}
${shop.may('paymentMethods.manage') && html`<p>${linkButton(say`Add a payment method`, `${PATHS.paymentMethods}/add`, { kind: 'primary' })}</p>`}`
      const waits = came.isUnderWay ? { refreshSeconds: REFRESH_SECONDS } : {}
      return framed(call, shop, { title: say`Payment methods`, part: 'paymentMethods', main, ...waits })
    },
  })
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

function nothing(): Html {
  return emptyState(say`No payment method`, say`Add one before your first payment is due.`)
}

function list(csrf: string, shop: Shop, methods: readonly PaymentMethod[], owes: boolean): Html {
  return html`<ul class="rows">${methods.map(
    (method, i) => html`
<li class="row"><span class="stack"><span><strong>${method.label}</strong> ${i === 0 && badge(say`Default`, 'good')}</span>${validity(method, shop)}</span>
${shop.may('paymentMethods.manage') && buttons(i > 0 || owes ? choose(csrf, method, { owes, isDefault: i === 0 }) : html``, remove(method))}</li>`,
  )}
</ul>`
}

/** The last month of the card, and a warning shortly before and after. */
function validity({ card }: PaymentMethod, { now }: Shop): Html | false {
  if (card === undefined) return false
  const [year = '', month = ''] = card.expires.split('-')
  const standing = cardStanding(card, now)
  return html` <span>${standing === 'EXPIRED' && badge(say`Expired`, 'bad')}${standing === 'EXPIRING' && badge(say`Expires soon`, 'warn')}
<small class="fine">${say`ends in ${card.last4}, valid until ${month}/${year}`}</small></span>`
}

function remove({ paymentMethodId, label }: PaymentMethod): Html {
  return linkButton(say`Remove`, `${PATHS.paymentMethods}/${paymentMethodId}/remove`, {
    ...{ kind: 'quiet', size: 'small', about: label },
  })
}

interface Choosing {
  readonly owes: boolean
  readonly isDefault: boolean
}

function choose(csrf: string, { paymentMethodId, label }: PaymentMethod, { owes, isDefault }: Choosing): Html {
  const action = `${PATHS.paymentMethods}/${paymentMethodId}/default`
  const whileOwing = isDefault ? say`Try this card again` : say`Pay with this now`
  const text = owes ? whileOwing : say`Make default`
  return press(action, csrf, text, label)
}

type ChangePorts = Parameters<typeof addPaymentMethod>[0] & Pick<Ports, 'gateways'>

const path = `${PATHS.paymentMethods}/add`
const operation = 'paymentMethods.manage'

/** Adds or selects a payment method. Overdue invoices are charged at once. */
export function changePaymentMethodPages(ports: ChangePorts): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path, operation, name: 'enterPaymentMethod' },
      handle: (call, shop) => enter(ports, call, shop, { once: ports.newId() }),
    }),
    ownPage(ports, {
      ...{ method: 'POST', path, operation, name: 'addOwnPaymentMethod' },
      form: CardForm,
      handle: (call, shop) => add(ports, call, shop, call.form),
    }),
    ownPage(ports, {
      ...{ method: 'POST', path: `${PATHS.paymentMethods}/:paymentMethodId/default`, operation },
      name: 'chooseOwnPaymentMethod',
      params: Type.Object({ paymentMethodId: Uuid }),
      async handle(call, shop) {
        const { businessId } = shop
        const owed = await findOwed(call.db.sql, shop)
        const { paymentMethodId } = call.params
        const chosen = await choosePaymentMethod(
          { ...ports, db: call.db },
          { businessId, paymentMethodId, isAgain: true },
        )
        return isRejection(chosen) ? chosen : redirect(doneAddress('chosen', owed))
      },
    }),
    ...removePages(ports),
  ]
}

/** Asks, then removes. */
function removePages(ports: ChangePorts): AnyPage[] {
  const path = `${PATHS.paymentMethods}/:paymentMethodId/remove`
  const params = Type.Object({ paymentMethodId: Uuid })
  return [
    ownPage(ports, {
      ...{ method: 'GET', path, operation, params, name: 'askBeforeRemovingPaymentMethod' },
      handle: (call, shop) => askToRemove(call, shop),
    }),
    ownPage(ports, {
      ...{ method: 'POST', path, operation, params, name: 'removeOwnPaymentMethod' },
      async handle(call, shop) {
        const { businessId } = shop
        const { paymentMethodId } = call.params
        const removed = await removePaymentMethod({ ...ports, db: call.db }, { businessId, paymentMethodId })
        if (removed === null) return redirect(`${PATHS.paymentMethods}?done=removed`)
        const problem = PROBLEMS_OF_REMOVING[removed.rejected]
        return problem === undefined ? removed : askToRemove(call, shop, sayText(problem))
      },
    }),
  ]
}

const PROBLEMS_OF_REMOVING: Partial<Record<Rejection['rejected'], string>> = {
  PAYMENT_METHOD_IN_USE: english('Your subscriptions are paid with this card. Make another card the default first.'),
  CHARGE_IN_PROGRESS: english('A payment with this card is under way. Try again in a few minutes.'),
}

async function askToRemove(
  call: PageCall<{ readonly paymentMethodId: string }>,
  shop: Shop,
  problem?: string,
): Promise<PageAnswer | Rejection> {
  const methods = await listPaymentMethods(call.db.sql, shop.businessId)
  const method = methods.find(({ paymentMethodId }) => paymentMethodId === call.params.paymentMethodId)
  if (method === undefined) {
    return reject('PAYMENT_METHOD_NOT_FOUND', 'The business has no payment method with this paymentMethodId.')
  }
  const main = html`${problem !== undefined && notice('bad', say`Not removed`, problem)}
${confirmation(call, {
  title: say`Remove ${method.label}?`,
  words: html`<p class="lead">${say`It is never charged again. To use it later, add it again.`}</p>`,
  verb: say`Remove`,
  isDangerous: true,
  backHref: PATHS.paymentMethods,
  backText: say`Keep it`,
})}`
  const status = problem === undefined ? {} : { status: 409 }
  return framed(
    call,
    shop,
    { title: say`Remove a payment method`, part: 'paymentMethods', width: 'narrow', main },
    status,
  )
}

async function add(ports: ChangePorts, call: PageCall, shop: Shop, entered: CardForm): Promise<PageAnswer | Rejection> {
  const { businessId, business } = shop
  const entry = await saveEntered(ports, business, entered)
  if (isRejection(entry)) return entry
  if ('problems' in entry) return enter(ports, call, shop, entry)
  const owed = await findOwed(call.db.sql, shop)
  const added = await addPaymentMethod({ ...ports, db: call.db }, { businessId, saved: entry.saved })
  return isRejection(added) ? added : redirect(doneAddress('added', owed))
}

async function enter(
  ports: ChangePorts,
  call: PageCall,
  shop: Shop,
  { problems = {}, ...entered }: CardForm & { readonly problems?: Problems },
): Promise<PageAnswer | Rejection> {
  const options = { csrf: call.csrf, problems, backHref: PATHS.paymentMethods, ...entered }
  const entry = await cardEntry(ports, shop.business, options)
  if (isRejection(entry)) return entry
  const main = html`<h1>${say`Add a payment method`}</h1>
<p class="lead">${say`It becomes the default for all your subscriptions. If a payment has failed, we charge this method at once.`}</p>
${entry.body}`
  const frame = { title: say`Add a payment method`, part: 'paymentMethods', width: 'narrow', main, problems } as const
  return framed(call, shop, frame, entry.sources && { sources: entry.sources })
}

function doneAddress(done: 'added' | 'chosen', owed: readonly string[]): string {
  const paying = owed.length > 0 ? `&paying=${owed.join(',')}` : ''
  return `${PATHS.paymentMethods}?done=${done}${paying}`
}

/** The oldest unpaid invoice of each subscription: what a new payment method is charged for at once. */
async function findOwed(sql: Sql, { businessId }: Shop): Promise<string[]> {
  const live = await listOfBusiness(sql, { businessId, status: 'ACTIVE', limit: 200 })
  const unpaid = live.filter(({ paymentStatus }) => paymentStatus === 'PAST_DUE')
  const open = await findOpenInvoices(
    sql,
    unpaid.map(({ subscriptionId }) => subscriptionId),
  )
  return [...open.values()].flatMap(([oldest]) => (oldest ? [oldest.invoiceId] : [])).slice(0, MOST_PAYING)
}

interface Submission {
  readonly words: Html
  /** An outcome is not known yet, so the page refreshes. */
  readonly isUnderWay: boolean
}

/** The latest payment of these invoices, in words. */
export async function payingOf(
  { db }: Pick<Ports, 'db'>,
  { businessId }: Shop,
  invoiceIds: readonly string[],
): Promise<Submission> {
  const invoices = await findInvoices(db.sql, invoiceIds)
  const own = invoices.filter(invoice => invoice.businessId === businessId)
  const outcomes: { outcome: PurchaseOutcome; what: string }[] = []
  for (const { invoiceId, amount, currency, lines } of own) {
    const what = say`${moneyWords({ amount, currency })} for ${lines[0]?.description ?? say`a subscription`}`
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
      return notice('good', say`Paid: ${what}`)
    case 'PENDING':
      return notice('warn', say`Pending: ${what}`, say`This page updates by itself. Nothing is charged twice.`)
    case 'ACTION_REQUIRED':
      return html`${notice('warn', say`Your bank needs you to confirm: ${what}`, say`The payment is not complete until you confirm.`)}
${outcome.actionUrl !== undefined && html`<p>${linkButton(say`Confirm with your bank`, outcome.actionUrl, { kind: 'primary' })}</p>`}`
    case 'DECLINED':
      return notice('bad', say`Declined: ${what}`, declinedWords(outcome.reason))
  }
}

/** The reason without details: whether a card was reported stolen is between the holder and the bank. */
function declinedWords(reason: string | undefined): string {
  if (reason === 'insufficient_funds')
    return say`There was not enough money on the account. Try another payment method.`
  return say`The bank declined the payment. Try another payment method, or ask your bank.`
}
