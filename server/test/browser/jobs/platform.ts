import { pngOf } from '../../support/pictures.ts'
import type { Job } from './job.ts'

/** Portal 4: "Money", "Webhooks", "Reports", "Audit" and "System". */
export const PLATFORM_JOBS: readonly Job[] = [
  [
    'look at charges, disputes and upcoming renewals',
    async (who, given) => {
      const shop = await given.merchant({ type: 'MERCHANT' })
      await shop.subscribe(await given.plan({ interval: 'WEEK' }))
      await who.go('Money')
      await who.press('All open')
      await who.press('Missed charges after an outage')
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
      await who.press('Waiting for the payer')
      await who.press(`Look up now the charge of Slow ${tag}`)
      await who.see(/still waits for the payer/)
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
