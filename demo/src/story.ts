import { setTimeout as wait } from 'node:timers/promises'
import { type AppRole, introduce, type MerchantRole, saveCard } from './cast.ts'
import { createClient, requestTokens, UnexpectedAnswer } from './client.ts'
import type { Invoice } from './print.ts'
import { expectToBe, passTimeTo, play, type Stage } from './stage.ts'
import type { HistoryEntry } from './verdict.ts'

/** The outcome of the story. */
export interface Ending {
  readonly organizationId: string
  readonly businessId: string
  readonly invoices: readonly Invoice[]
  readonly history: readonly HistoryEntry[]
}

/** Interface, Subscription; decisions 5. */
interface Subscription {
  readonly subscriptionId: string
  readonly phase: string
  readonly status: string
  readonly paymentStatus: string
  readonly currentPeriodEnd: string
}

/** The service saves the last acknowledgements shortly after it receives them; a busy machine takes longer. */
const SETTLED_WITHIN_MS = 60_000
const POLL_MS = 100

/** Plays the story over HTTP as operator, merchant and app. */
export async function tellStory(stage: Stage): Promise<Ending> {
  const { operator, printer, inbox } = stage
  const { app, merchant, organizationId, planId, basicPlanId, hookId } = await introduce(stage)
  const { businessId, testClockId } = merchant
  const subscriptions = `/apps/${app.appId}/subscriptions`

  await play(stage, 'declined', async () => {
    await saveCard(stage, businessId, 'tok_insufficient_funds')
    const code = await codeOf(operator.post(subscriptions, { businessId, planId: basicPlanId }))
    expectToBe('code', code, 'PAYMENT_DECLINED')
    printer.say('The response is 409 PAYMENT_DECLINED: a paid plan starts when its first payment succeeds.')
    printer.say('To show a retry, the listener responds to its first notification with 500.')
    printer.say('Tillhook sends the notification again after about 5 seconds.')
  })
  const subscriptionId = await play(stage, 'subscribe', async () => {
    await saveCard(stage, businessId, 'tok_ok')
    return (await operator.post<Subscription>(subscriptions, { businessId, planId })).subscriptionId
  })
  const readSubscription = () => app.client.get<Subscription>(`${subscriptions}/${subscriptionId}`)

  await play(stage, 'firstCharge', () => passTimeTo(stage, testClockId, '2026-01-31T10:00:00Z'))
  await play(stage, 'february', () => passTimeTo(stage, testClockId, '2026-02-28T10:00:00Z'))
  await play(stage, 'march', () => passTimeTo(stage, testClockId, '2026-03-31T10:00:00Z'))

  await play(stage, 'declinedRenewal', async () => {
    await saveCard(stage, businessId, 'tok_insufficient_funds')
    await passTimeTo(stage, testClockId, '2026-04-30T10:00:00Z')
    const { status, paymentStatus } = await readSubscription()
    expectToBe('status', status, 'ACTIVE')
    expectToBe('paymentStatus', paymentStatus, 'PAST_DUE')
    printer.say(`The app reads the subscription: ${paymentStatus}, but still ${status}. The merchant keeps access.`)
  })

  await play(stage, 'declinedAgain', () => passTimeTo(stage, testClockId, '2026-05-01T10:00:00Z'))
  await play(stage, 'recovered', () => saveCard(stage, businessId, 'tok_ok'))

  await play(stage, 'refund', async () => {
    const { paymentStatus, currentPeriodEnd } = await readSubscription()
    expectToBe('paymentStatus', paymentStatus, 'CURRENT')
    expectToBe('currentPeriodEnd', currentPeriodEnd, '2026-05-31T09:30:00Z')
    printer.say(
      'The app reads the subscription: everything is paid, and the next charge is on 31 May, as before the decline.',
    )
    const last = (await readInvoices(stage, merchant)).at(-1)
    if (last === undefined) throw new Error('The merchant has no invoice.')
    const refund = { amount: 200, reason: 'Two days of trouble with the card' }
    await operator.post(`/businesses/${businessId}/invoices/${last.invoiceId}/refunds`, refund)
  })
  const [creditNote] = (await readInvoices(stage, merchant)).flatMap(({ creditNotes = [] }) => creditNotes)
  expectToBe('amount of the credit note', creditNote?.amount, 200)
  printer.say(`Credit note ${creditNote?.number} for $2.00 documents the refund. The invoice itself never changes.`)

  await play(stage, 'order', async () => {
    const { storeId, deviceId } = merchant
    const orders = `/businesses/${businessId}/orders`
    const lunch = { storeId, deviceId, amount: 1850, currency: 'USD', reference: 'Table 4' }
    const { orderId } = await operator.post<{ orderId: string }>(orders, lunch)
    await operator.patch(`${orders}/${orderId}`, { status: 'COMPLETED' })
  })

  await play(stage, 'receipt', async () => {
    const address = 'owner@harbourbooks.example'
    const bookshop = { legalName: 'Harbour Books LLC', emailAddress: address, country: 'US', type: 'MERCHANT' }
    const { businessId } = await operator.post<{ businessId: string }>('/businesses', bookshop)
    await saveCard(stage, businessId, 'tok_ok')
    await operator.post(subscriptions, { businessId, planId: basicPlanId })
    const { subject, text } = await stage.waitForMail({ to: address, holding: /Table Planner/ })
    printer.say(`Mail to ${address}: ${subject}`)
    const [, sentences = ''] = text.split('\n\n')
    for (const line of sentences.split('\n')) printer.say(`  ${line}`)
  })

  const renewed = await play(stage, 'cancel', async () => {
    const { refreshToken } = app.tokens
    const { accessToken } = await requestTokens(stage, { grantType: 'REFRESH_TOKEN', refreshToken })
    const client = createClient({ ...stage, bearer: accessToken })
    const { status } = await client.delete<Subscription>(`${subscriptions}/${subscriptionId}`)
    expectToBe('status', status, 'ENDED')
    return { ...app, client }
  })

  const history = await play(stage, 'history', () => readHistory(stage, renewed, hookId))
  const received = new Set(inbox.receipts.map(({ id }) => id))
  const found = history.filter(({ id, status }) => status === 'DELIVERED' && received.has(id)).length
  printer.say(`The history holds ${history.length} notifications; ${found} of them were delivered and received.`)
  return { organizationId, businessId, invoices: await readInvoices(stage, merchant), history }
}

/** The code of a rejection that the story expects. */
async function codeOf(answer: Promise<unknown>): Promise<string | undefined> {
  try {
    await answer
    return undefined
  } catch (error) {
    if (error instanceof UnexpectedAnswer) return error.code
    throw error
  }
}

async function readInvoices({ operator }: Stage, { businessId }: MerchantRole): Promise<Invoice[]> {
  return (await operator.get<{ list: Invoice[] }>(`/businesses/${businessId}/invoices`)).list
}

async function readHistory({ signal }: Stage, { appId, client }: AppRole, hookId: string): Promise<HistoryEntry[]> {
  const giveUpAt = performance.now() + SETTLED_WITHIN_MS
  for (;;) {
    const path = `/apps/${appId}/deliveries?hookId=${hookId}&limit=100`
    const { deliveries } = await client.get<{ deliveries: HistoryEntry[] }>(path)
    if (deliveries.every(({ status }) => status === 'DELIVERED') || performance.now() > giveUpAt) return deliveries
    await wait(POLL_MS, undefined, { signal })
  }
}
