import { eventually } from '../../support/waiting.ts'
import { START } from '../../support/webhooks.ts'
import type { Job } from './job.ts'

/** Portal 3: "Webhooks", "Endpoint", "Delivery" and "Events". */
export const WEBHOOK_JOBS: readonly Job[] = [
  [
    'add an endpoint after a check of its URL',
    async (who, { listenerUrl }) => {
      await who.go('Apps')
      await who.press('Table Planner')
      await who.press('Add an endpoint')
      await who.fill('URL', `${listenerUrl}/hooks`)
      await who.press('Check the URL')
      await who.see('The URL works')
      await who.check(/^APPLICATION_SUBSCRIPTION_PLAN_CHANGE/)
      await who.check(/^APPLICATION_SUBSCRIPTION_PAYMENT_FAIL/, false)
      await who.press('Add the endpoint')
      await who.see('whsec_')
      await who.press('Open the endpoint')
    },
  ],
  [
    'send a test of an event',
    async who => {
      await who.press('Send a test')
      await who.choose('Event', 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS')
      await who.press('Send the test')
      await who.see('Acknowledged: HTTP 200')
      await who.press('Send it yourself with curl')
      await who.see('curl ')
      await who.press('Back to the endpoint')
    },
  ],
  [
    'edit the events of an endpoint',
    async who => {
      await who.press('More')
      await who.press('Edit')
      await who.check(/^APPLICATION_SUBSCRIPTION_PAYMENT_FAIL/)
      await who.press('Save')
      await who.see('Endpoint saved')
    },
  ],
  [
    'replace the secret of an endpoint',
    async who => {
      await who.press('More')
      await who.press('Replace the secret')
      await who.press('Replace the secret')
      await who.see('whsec_')
      await who.press('Back to the endpoint')
    },
  ],
  [
    'switch an endpoint off and on',
    async who => {
      await who.press('More')
      await who.press('Switch off')
      await who.press('Switch off')
      await who.see('Endpoint disabled')
      await who.press('Switch on')
      await who.check(/^Skip them/)
      await who.press('Switch on')
      await who.see('Endpoint enabled')
    },
  ],
]

/** After events: deliveries, and how they are sent again. */
export const DELIVERY_JOBS: readonly Job[] = [
  [
    'find a delivery, read it and send it again',
    async who => {
      await who.go('Webhooks')
      await who.press(/^http:\/\/127/)
      await who.choose('State', 'Delivered')
      await who.choose('Event', 'SUBSCRIPTION_START')
      await who.press('Apply')
      await who.press('SUBSCRIPTION_START')
      await who.press('Send again')
      await who.see(/again/)
      await who.press('More')
      await who.press('Send to another endpoint')
      await who.press(/^Send again to/)
      await who.see('Queued to be sent')
      await who.go('Webhooks')
      await who.press(/^http:\/\/127/)
      await who.press('SUBSCRIPTION_START')
      await who.press('Older delivery')
      await who.press('Newer delivery')
      await who.press('Back to the endpoint')
    },
  ],
  [
    'send chosen deliveries again',
    async who => {
      await who.check(/^Choose SUBSCRIPTION_START/)
      await who.check('Choose all on this page')
      await who.press('Send the chosen again')
      await who.see(/sent again/)
    },
  ],
  [
    'send a range of deliveries again, and cancel',
    async who => {
      await who.press('Send deliveries again')
      await who.check(/^In a range/)
      await who.fill('From (UTC)', '01/31/2020 10:00 AM')
      await who.check(/^All/)
      await who.press('Send again')
      await who.see('Running')
      await who.press('Cancel')
      await who.see('Cancelled')
      await who.press('Back to the endpoint')
    },
  ],
  [
    'send deliveries again since an endpoint failed',
    async (who, { call, merchant, organizationId, listenerUrl }) => {
      const { appId } = (await call('GET', `/apps?organizationId=${organizationId}`)).apps[0]
      const { planId } = (await call('GET', `/apps/${appId}/plans`)).list[0]
      const deliveryUrl = `${listenerUrl}/broken`
      const hook = { applicationId: appId, deliveryUrl, secret: 'secret', eventTypes: [START] }
      const { id: hookId } = await call('POST', '/hooks', hook)
      const { businessId } = await merchant()
      await call('POST', `/apps/${appId}/subscriptions`, { businessId, planId })
      await eventually(async () => (await call('GET', `/hooks/${hookId}`)).health?.failingSince !== undefined)
      await who.go('Webhooks')
      await who.press(/broken$/)
      await who.press('Send deliveries again')
      await who.check(/^Since the endpoint began to fail/)
      await who.check(/^Retrying/)
      await who.press('Send again')
      await who.see('Deliveries sent again')
      await who.press('Back to the endpoint')
    },
  ],
  [
    'delete an endpoint',
    async who => {
      await who.press('More')
      await who.press('Delete')
      await who.dismiss()
      await who.press('More')
      await who.press('Delete')
      await who.press('Delete the endpoint')
      await who.see('Endpoint deleted')
    },
  ],
  [
    'pause live events and resume them',
    async who => {
      await who.go('Live events')
      await who.press('Pause')
      await who.press('Resume')
    },
  ],
]
