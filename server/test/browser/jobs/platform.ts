import { v7 } from 'uuid'
import { pngOf } from '../../support/pictures.ts'
import type { Given, Job } from './job.ts'

/** Portal 4: "Money", "Webhooks", "Reports", "Audit" and "System". */
export const PLATFORM_JOBS: readonly Job[] = [
  [
    'look at charges, disputes and upcoming renewals',
    async (who, given) => {
      const shop = await given.merchant({ type: 'MERCHANT' })
      await shop.subscribe(await given.plan({ interval: 'WEEK' }))
      await who.go('Money')
      await who.press('All open')
      await who.press('Missed charges')
      await who.go('Money')
      await who.press('Disputes')
      await who.press('Lost')
      await who.press('Upcoming')
      await who.press(/^Show as a table/)
      await who.press('Live')
    },
  ],
  [
    'look a charge up at the gateway',
    async (who, { merchant, call, tag }) => {
      const slow = await merchant({ at: '2026-01-31T00:00:00Z', card: 'tok_pending' })
      await call('PATCH', `/businesses/${slow.businessId}`, { doingBusinessAs: `Slow ${tag}` })
      await slow.subscribeAfterTrial()
      await who.go('Money')
      await who.press('Waiting for the payer or the bank')
      await who.press(`Look up now the charge of Slow ${tag}`)
      await who.see(/still waits for the payer/)
    },
  ],
  [
    'mark an owed refund as paid, and send another again',
    async (who, given) => {
      const shop = await given.merchant({ type: 'MERCHANT' })
      await given.call('PATCH', `/businesses/${shop.businessId}`, { doingBusinessAs: `Owed ${given.tag}` })
      for (let n = 0; n < 2; n++) await shop.subscribe(await given.plan())
      for (const { invoiceId } of await shop.invoices()) await owe(given, invoiceId)
      await who.go('Money')
      await who.press(`Mark as paid for Owed ${given.tag}`)
      await who.fill('Reference of the payment', 'Transfer 4711')
      await who.press('Mark $1.00 as paid')
      await who.see('Refund marked as paid')
      await who.press(`Refund again for Owed ${given.tag}`)
      await who.see('Refund sent')
    },
  ],
  [
    'find a subscription, refund its invoice and end it',
    async (who, { call, merchant, plan, tag }) => {
      const shop = await merchant({ type: 'MERCHANT' })
      await call('PATCH', `/businesses/${shop.businessId}`, { doingBusinessAs: `Sorry ${tag}` })
      await shop.subscribe(await plan())
      const [invoice] = await shop.invoices()
      await who.go('Invoices')
      await who.press('Paid')
      await who.fill('Merchant, number or ID', `Sorry ${tag}`)
      await who.press('Apply')
      await who.press(invoice?.number ?? '')
      await who.press(`Refund invoice ${invoice?.number}`)
      await who.fill('Amount in USD', '2.00')
      await who.press('Show the effect')
      await who.see('Taken from the developer’s balance')
      await who.press('Refund $2.00')
      await who.see('Refund ordered')
      await who.press('End now')
      await who.press('End the subscription')
      await who.see('Subscription ended')
    },
  ],
  [
    'note something about a merchant',
    async (who, { call, merchant, tag }) => {
      const { businessId } = await merchant({ type: 'MERCHANT' })
      await call('PATCH', `/businesses/${businessId}`, { doingBusinessAs: `Noted ${tag}` })
      await who.go('Merchants')
      await who.fill('Name, e-mail or ID', `Noted ${tag}`)
      await who.press('Apply')
      await who.press(`Noted ${tag}`)
      await who.fill('New note', 'Calls on Mondays')
      await who.press('Add the note')
      await who.see('Calls on Mondays')
    },
  ],
  [
    'close a terminal',
    async (who, { call, merchant, tag }) => {
      const { businessId } = await merchant({ type: 'MERCHANT' })
      const { storeId } = await call('POST', `/businesses/${businessId}/stores`, { displayName: 'Pier 5' })
      const device = { name: `Lost ${tag}`, serialNumber: `L-${tag}` }
      await call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
      await who.go('Terminals')
      await who.press(`Lost ${tag}`)
      await who.press('Close the terminal')
      await who.see(/^No subscription is for this terminal alone/)
      await who.press('Close the terminal')
      await who.see('Terminal closed')
    },
  ],
  [
    'disable all apps of a developer, and enable them',
    async (who, { developer, tag }) => {
      await developer(`rogue.${tag}`)
      await who.go('Organizations')
      await who.fill('Name, e-mail or ID', `rogue.${tag}`)
      await who.press('Apply')
      await who.press(`rogue.${tag}`)
      for (const [press, done] of [
        ['Disable all apps', 'All apps disabled'],
        ['Enable all apps', 'Apps enabled'],
      ] as const) {
        await who.press('More')
        await who.press(press)
        await who.press(press)
        await who.see(done)
      }
    },
  ],
  [
    'find the worst endpoint',
    async who => {
      await who.go('Failing endpoints')
      await who.press('All endpoints')
      await who.press(/^http:\/\/127/)
      await who.see('Deliveries')
    },
  ],
  [
    'read the reports of a year as a table',
    async who => {
      await who.go('Reports')
      await who.press('12 months')
      await who.press(/^Show as a table/)
    },
  ],
  [
    'set a tax rate and remove it',
    async who => {
      await who.go('Tax')
      await who.choose('Country of the merchant', 'Austria')
      await who.fill('From', '01/01/2040')
      await who.fill('Name of the tax', 'VAT')
      await who.fill('Rate in percent', '20')
      await who.check(/^Tax is included/)
      await who.press('Set the rate')
      await who.see('The rate is set')
      await who.press(/^Remove the rate of Austria/)
      await who.see('The rate is removed')
      await who.press('Collected tax by country and month')
    },
  ],
  [
    'find a change and its values',
    async who => {
      await who.go('Audit')
      await who.choose('Kind', 'Tax rate')
      await who.fill('From', '01/01/2020')
      await who.press('Apply')
      await who.press(/values?$/)
    },
  ],
  [
    'rotate the signing key',
    async who => {
      await who.go('System')
      await who.press('Rotate the signing key')
      await who.press('Rotate the signing key')
      await who.see(/key/)
    },
  ],
  [
    'send a test mail',
    async (who, { mails }) => {
      await who.go('System')
      await who.press('Send a test mail')
      await who.see('The test mail waits')
      await mails()
      await who.see('Test mail sent')
    },
  ],
  [
    'preview a mail in German',
    async who => {
      await who.go('System')
      await who.press('Preview each mail')
      await who.choose('Mail', 'Your card expires soon')
      await who.choose('Language of mails to merchants', 'Deutsch')
      await who.press('Show')
    },
  ],
  [
    'change the brand and its logo',
    async who => {
      await who.go('Brand')
      await who.fill('Support', 'https://help.example/')
      await who.press('Preview')
      await who.see('This is a preview')
      await who.press('Save')
      await who.see('Brand saved')
      await who.upload('Picture', { name: 'logo.png', mimeType: 'image/png', buffer: pngOf() })
      await who.press('Upload the logo')
      await who.see('Logo saved')
      await who.press('Remove the logo')
      await who.see('Logo removed')
    },
  ],
]

/** A late payment that could not be refunded. */
async function owe({ app }: Given, invoiceId: string): Promise<void> {
  await app.ports.db.sql`
    insert into refunds (refund_id, invoice_id, business_id, amount, currency, reason, origin, status, failure, created_at,
      updated_at, poll_count)
    select ${v7()}, invoice_id, business_id, 100, currency, '', 'LATE_SUCCESS', 'FAILED', 'expired_card', created_at,
      created_at, 1
    from invoices where invoice_id = ${invoiceId}`
}
