import type { Given, Job } from './job.ts'

const PLAN = {
  name: 'Pro',
  amounts: [{ country: 'US', currency: 'USD', value: 500 }],
  interval: 'MONTH',
  scope: 'BUSINESS',
}

const submit = ({ call }: Given, appId: string, version: string) =>
  call('POST', `/apps/${appId}/releases`, { version, plans: [PLAN] })

/** Portal 4: "Reviews → one". */
export const REVIEW_JOBS: readonly Job[] = [
  [
    'ask a question about a release, and approve it',
    async (who, given) => {
      const { appId } = await given.developer(given.tag)
      await submit(given, appId, '1.0')
      await who.go('Reviews')
      await who.press(`${given.tag} 1.0`)
      await who.fill('Question', 'What is a table?')
      await who.press('Ask')
      await who.see('Question sent')
      await who.press('Approve')
      await who.see('Release approved')
      await submit(given, appId, '1.1')
    },
  ],
  [
    'reject a release with a template',
    async (who, { tag }) => {
      await who.go('Reviews')
      await who.press(`${tag} 1.1`)
      await who.press('Reject')
      await who.see('Say what the developer must change.')
      await who.press('Unclear plans')
      await who.press('Reject')
      await who.see('Replace the … of the template by what you found.')
      await who.fill('Reason', 'The name of the plan does not say how many tables are included.')
      await who.press('Reject')
      await who.see('Release rejected')
    },
  ],
]

/** Portal 4: "Organizations, Apps, Merchants → one" and "Terminals". */
export const CUSTOMER_JOBS: readonly Job[] = [
  [
    'create an organization and invite a member',
    async (who, { tag }) => {
      await who.go('Organizations')
      await who.press('New organization')
      await who.fill('Name', `Orchard ${tag}`)
      await who.fill('E-mail', 'dev@orchard.example')
      await who.press('Create the organization')
      await who.see('Organization created')
      await who.press('Invite a member')
      await who.fill('E-mail', `amy@${tag}.example`)
      await who.check(/^Member/)
      await who.press('Send the invitation')
      await who.see('Invitation sent')
    },
  ],
  [
    'see as the organization, and stop',
    async (who, { tag }) => {
      await who.press('More')
      await who.press('See as')
      await who.see('Nothing can be changed')
      await who.press('Stop seeing as')
      await who.see(`Orchard ${tag}`)
    },
  ],
  [
    'book a payout by hand',
    async who => {
      await who.press('Payouts')
      await who.press('Book by hand')
      await who.choose('Kind', 'Fee: the developer bears it')
      await who.choose('Currency', 'EUR')
      await who.fill('Amount', '9.50')
      await who.fill('Reference', 'Transfer abroad')
      await who.press('Book')
      await who.see('The booking is made')
    },
  ],
  [
    'find an app, disable it, end its subscriptions and enable it',
    async (who, given) => {
      const { appId } = (await given.call('GET', `/apps?q=${given.tag}`)).apps[0]
      const { planId } = (await given.call('GET', `/apps/${appId}/plans`)).list[0]
      const { businessId } = await given.merchant()
      await given.call('POST', `/apps/${appId}/subscriptions`, { businessId, planId })
      await who.go('Apps')
      await who.fill('Name, package name or ID', given.tag)
      await who.press('Apply')
      await who.press(given.tag)
      await who.press('Disable the app')
      await who.press('Disable the app')
      await who.see('App disabled')
      await who.press('End all subscriptions')
      await who.check(/^Refund the unused time/)
      await who.press('End all subscriptions')
      await who.press('Enable the app')
      await who.press('Enable the app')
      await who.see('App enabled')
    },
  ],
  [
    'create a merchant with a store, a terminal and a person',
    async (who, { tag }) => {
      await who.go('Merchants')
      await who.press('New merchant')
      await who.fill('Legal name', `Harbour ${tag}`)
      await who.fill('E-mail', 'cafe@harbour.example')
      await who.choose('Country', 'United States')
      await who.press('Create the merchant')
      await who.press('Add a store')
      await who.fill('Name', 'Pier 4')
      await who.press('Add the store')
      await who.press('Add a terminal to Pier 4')
      await who.fill('Name', 'Till 1')
      await who.fill('Serial number', `S-${tag}`)
      await who.press('Add the terminal')
      await who.press(/^New activation code/)
      await who.see(/activat/i)
      await who.search(`Harbour ${tag}`, new RegExp(`^Harbour ${tag}`))
      await who.press('Invite a person')
      await who.fill('E-mail', `joe@${tag}.example`)
      await who.check(/^Manager/)
      await who.press('Send the invitation')
      await who.see('Invitation sent')
    },
  ],
  [
    'see as the merchant, and stop',
    async (who, { tag }) => {
      await who.press('See as')
      await who.see('Nothing can be changed')
      await who.press('Stop seeing as')
      await who.see(`Harbour ${tag}`)
    },
  ],
  [
    'find a terminal by its serial number and make an activation code',
    async (who, { tag }) => {
      await who.go('Terminals')
      await who.press('Not activated')
      await who.fill('Name, serial number or ID', `S-${tag}`)
      await who.press('Apply')
      await who.press('Till 1')
      await who.press('New activation code for Till 1')
      await who.see(/activat/i)
    },
  ],
  [
    'close a store of a merchant with its terminals',
    async (who, { tag }) => {
      await who.search(`Harbour ${tag}`, new RegExp(`^Harbour ${tag}`))
      await who.press('Close the store Pier 4')
      await who.press('Close the store')
      await who.see('Store closed')
    },
  ],
]

/** Portal 4: "Money". */
export const PAYMENT_JOBS: readonly Job[] = [
  [
    'charge a past-due subscription now, in test data',
    async (who, given) => {
      const late = await given.merchant({ at: '2026-01-31T00:00:00Z' })
      await given.call('PATCH', `/businesses/${late.businessId}`, { doingBusinessAs: `Late ${given.tag}` })
      await late.renewWith(await given.plan(), 'tok_insufficient_funds')
      await who.press('Test')
      await who.go('Money')
      await who.press('Past due')
      await who.fill('Merchant name, e-mail or ID', `Late ${given.tag}`)
      await who.press('Apply')
      await who.press(`Retry now for Late ${given.tag}`)
      await who.see(/retr/i)
    },
  ],
]
