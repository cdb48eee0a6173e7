import { Type } from 'typebox'
import { createBusinessUser } from '../../access/business-users/create.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { DISPUTE_STATUSES, type DisputeStatus } from '../../core/dispute.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { renewActivationCode } from '../../merchants/businesses/devices.ts'
import { findDevices } from '../../merchants/businesses/store.ts'
import { disputeAtSandbox, recordTestDispute } from '../../money/billing/test-dispute.ts'
import type { Invoice } from '../../money/invoices/store.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { card, facts } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, selectField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { devPage, framed } from './dev-page.ts'
import { aboveOf, findOwn, pathOfMerchant } from './test-merchants.ts'

const WORDS: Readonly<Record<DisputeStatus, string>> = {
  OPEN: 'Opens a dispute',
  LOST: 'Takes the money back: the dispute is lost',
  WON: 'Leaves the money: the dispute is won',
}

const pathOf = (business: BusinessRecord) => `${pathOfMerchant(business)}/dispute`

/** The payer's bank of a test merchant: opens and decides disputes of paid invoices. */
export function testDisputePages(ports: Ports): AnyPage[] {
  const definition = {
    path: `${DEVELOPER_PATHS.testMerchants}/:businessId/dispute`,
    params: Type.Object({ businessId: Uuid }),
    operation: 'disputes.simulate',
  } as const
  return [
    // A reload after the session has ended arrives here by GET.
    devPage({
      ...{ ...definition, method: 'GET', name: 'showTestDispute' },
      async handle(call, own) {
        const business = await findOwn({ db: call.db }, own, call.params.businessId)
        return isRejection(business) ? business : redirect(pathOfMerchant(business))
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'disputeTestInvoice' },
      form: Type.Object({ invoiceId: Uuid, status: Type.Enum([...DISPUTE_STATUSES]) }),
      async handle(call, own) {
        const business = await findOwn({ db: call.db }, own, call.params.businessId)
        if (isRejection(business)) return business
        const { invoiceId, status } = call.form
        const made = await disputeAtSandbox(ports, { businessId: business.businessId, invoiceId, status })
        if (isRejection(made)) return made
        await recordTestDispute({ ...ports, db: call.db }, { invoiceId, made })
        return redirect(addressOf(pathOfMerchant(business), { done: 'disputed' }))
      },
    }),
  ]
}

/** Renders nothing if no invoice was paid. */
export function disputeForm(csrf: string, business: BusinessRecord, invoices: readonly Invoice[]): Html | false {
  const paid = invoices.filter(({ amountPaid }) => amountPaid > 0)
  const [first] = paid
  if (first === undefined) return false
  const invoice = {
    ...{ name: 'invoiceId', label: 'Invoice', value: first.invoiceId },
    options: paid.map(one => ({ value: one.invoiceId, text: `${one.number}, ${moneyWords(one)}` })),
  }
  const options = DISPUTE_STATUSES.map(value => ({ value, text: WORDS[value] }))
  return card({
    title: 'Dispute',
    body: html`<p class="fine">To answer an open dispute, send evidence under <a href="${DEVELOPER_PATHS.disputes}">Disputes</a>.</p>
${form({
  csrf,
  action: pathOf(business),
  body: html`${selectField(invoice)}
${selectField({ name: 'status', label: 'The payer’s bank', value: 'OPEN', options })}
${buttons(button('Apply'))}`,
})}`,
  })
}

/** Every test merchant has the same user and passcode, because no real money moves. */
const CASHIER = { userId: 'cashier', passcode: '7391', name: 'Cashier', role: 'MANAGER' } as const

const simulatorPathOf = (business: BusinessRecord) => `${pathOfMerchant(business)}/simulator`

/** The terminal of a test merchant in the simulator: a new activation code, and a person who signs in there. */
export function testSimulatorPages(ports: Ports): AnyPage[] {
  const definition = {
    path: `${DEVELOPER_PATHS.testMerchants}/:businessId/simulator`,
    params: Type.Object({ businessId: Uuid }),
    operation: 'businesses.create',
  } as const
  return [
    // A reload after the session has ended arrives here by GET.
    devPage({
      ...{ ...definition, method: 'GET', name: 'showTestTerminal' },
      async handle(call, own) {
        const business = await findOwn({ db: call.db }, own, call.params.businessId)
        return isRejection(business) ? business : redirect(pathOfMerchant(business))
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'openTestTerminal' },
      async handle(call, own) {
        const business = await findOwn({ db: call.db }, own, call.params.businessId)
        if (isRejection(business)) return business
        const { businessId } = business
        const [device] = await findDevices(call.db.sql, businessId)
        if (device === undefined) return reject('DEVICE_NOT_FOUND', 'The merchant has no terminal.')
        const user = await createBusinessUser({ ...ports, db: call.db }, { ...CASHIER, businessId })
        // The second press finds the person of the first.
        if (isRejection(user) && user.rejected !== 'USER_ID_TAKEN') return user
        const made = await renewActivationCode({ ...ports, db: call.db }, { businessId, deviceId: device.deviceId })
        if (isRejection(made)) return made
        const { activationCode, activationExpiresAt } = made
        const href = `/simulator#${new URLSearchParams({ activationCode, userId: CASHIER.userId })}`
        const main = html`${pageHead({ title: 'Terminal', above: aboveOf(business) })}
${facts([
  ['Activation code', html`<code>${activationCode}</code>`],
  ['Good once, until', moment(activationExpiresAt)],
  ['User ID', html`<code>${CASHIER.userId}</code>`],
  ['Passcode', html`<code>${CASHIER.passcode}</code>`],
])}
${buttons(linkButton('Open the simulator', href, { kind: 'primary' }), linkButton('Back to the merchant', pathOfMerchant(business)))}`
        return framed(call, { title: 'Terminal in the simulator', part: 'testMerchants', main, width: 'narrow' })
      },
    }),
  ]
}

export function simulatorForm(csrf: string, business: BusinessRecord): Html {
  return card({
    title: 'Terminal',
    body: html`<p>The simulator is a terminal in the browser. It sells your app as the merchant's own terminal does.</p>
${form({ csrf, action: simulatorPathOf(business), body: buttons(button('Open the simulator')) })}`,
  })
}
