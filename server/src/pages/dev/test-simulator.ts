import { Type } from 'typebox'
import { createBusinessUser } from '../../access/business-users/create.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { renewActivationCode } from '../../merchants/businesses/devices.ts'
import { findDevices } from '../../merchants/businesses/store.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { card, facts } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { devPage, framed } from './dev-page.ts'
import { aboveOf, findOwn, pathOfMerchant } from './test-merchants.ts'

/** Every test merchant has the same user and passcode, because no real money moves. */
const CASHIER = { userId: 'cashier', passcode: '7391', name: 'Cashier', role: 'MANAGER' } as const

const pathOf = (business: BusinessRecord) => `${pathOfMerchant(business)}/simulator`

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
${form({ csrf, action: pathOf(business), body: buttons(button('Open the simulator')) })}`,
  })
}
