import type { Job } from './job.ts'

/** Portal 3: "Test merchants". */
export const TEST_MERCHANT_JOBS: readonly Job[] = [
  [
    'create a test merchant',
    async who => {
      await who.go('Test merchants')
      await who.fill('Name', 'Test bakery')
      await who.press('Create a test merchant')
      await who.see('Test merchant created')
    },
  ],
  [
    'subscribe a test merchant',
    async who => {
      await who.choose('Plan', 'Table Planner, Large')
      await who.press('Subscribe')
      await who.see('Active')
    },
  ],
  [
    'change the plan of a test merchant after a look at the effect',
    async who => {
      await who.press('Change plan Large')
      await who.check(/^Pro/)
      await who.check(/^Now/)
      await who.press('Show the effect')
      await who.press(/^Change the plan|and change$/)
      await who.see('The plan change was saved')
    },
  ],
]

/** Portal 3: the clock and the cards of "Test merchants". */
export const CLOCK_JOBS: readonly Job[] = [
  [
    'subscribe another test merchant, and move its clock by a month with a card that is declined',
    async who => {
      await who.go('Test merchants')
      await who.fill('Name', 'Test bistro')
      await who.press('Create a test merchant')
      await who.choose('Plan', 'Table Planner, Large')
      await who.press('Subscribe')
      await who.see('Active')
      await who.choose('The next charges', 'Declined: not enough money; retries follow')
      await who.press('Use this card')
      await who.see('The card is the default now')
      await who.press('Forward 1 month')
      await who.see('What will happen')
      await who.dismiss()
      await who.press('Forward 1 month')
      await who.press('Move the clock')
      await who.see('The clock was moved')
      await who.see('Past due')
    },
  ],
  [
    'move the clock to a day with a card that pays',
    async who => {
      await who.choose('The next charges', 'Pays')
      await who.press('Use this card')
      await who.see('Active')
      await who.press('To the next charge')
      await who.press('Move the clock')
      await who.see('The clock was moved')
    },
  ],
  [
    'move the clock to a date',
    async who => {
      await who.fill('To the beginning of a day (UTC)', '2020-01-01')
      await who.press('Show the forecast')
      await who.see(/A clock moves forward only/)
      await who.press('Forward 1 day')
      await who.press('Move the clock')
      await who.see('The clock was moved')
    },
  ],
  [
    'open the terminal of a test merchant in the simulator',
    async who => {
      await who.press('Open the simulator')
      await who.see('Back to the merchant')
      await who.press('Back to the merchant')
    },
  ],
  [
    'dispute a payment of a test merchant',
    async who => {
      await who.choose('The payer’s bank', 'Opens a dispute')
      await who.press('Apply', 'The payer’s bank')
      await who.see('The bank’s word is recorded')
    },
  ],
]

/** Portal 3: "Merchants", "Revenue" and "API log". */
export const MONEY_JOBS: readonly Job[] = [
  [
    'find a merchant',
    async who => {
      await who.go('Merchants')
      await who.fill('Name, e-mail or ID', 'bakery')
      await who.press('Apply')
      await who.press('Test bakery')
      await who.see('Lifetime value')
    },
  ],
  [
    'read the revenue of a plan as a table',
    async who => {
      await who.go('Revenue')
      await who.press('12 months')
      await who.choose('Plan', 'Pro')
      await who.press('Apply')
      await who.press(/^Show as a table/)
    },
  ],
  [
    'find a rejected request',
    async who => {
      await who.go('API log')
      await who.press('Rejected')
      await who.choose('Method', 'POST')
      await who.press('Apply')
      await who.see('No requests here')
    },
  ],
]

/** Portal 3: "Subscriptions", and "Invoices, refunds, disputes". */
export const BILLING_JOBS: readonly Job[] = [
  [
    'find a subscription and refund a payment after a look at the effect',
    async who => {
      await who.go('Subscriptions')
      await who.press(/^All active/)
      await who.fill('Merchant or ID', 'bistro')
      await who.press('Apply')
      await who.press('Test bistro')
      await who.see('Timeline')
      await who.press(/^Refund invoice/)
      await who.fill(/^Amount in/, '2.00')
      await who.fill('Reason', 'Two bad days')
      await who.press('Show the effect')
      await who.press(/^Refund /)
      await who.see('Refund ordered')
    },
  ],
  [
    'find an invoice by day and state',
    async who => {
      await who.go('Invoices')
      await who.press('Paid')
      await who.fill('From', '01/01/2020')
      await who.fill('To', '12/31/2099')
      await who.press('Apply')
      await who.press(/^T-20\d\d-/)
      await who.see('Timeline')
    },
  ],
  [
    'find a dispute and send evidence',
    async who => {
      await who.go('Disputes')
      await who.fill('Merchant or ID', 'bistro')
      await who.press('Apply')
      await who.press(/^T-20\d\d-/)
      await who.fill('What was sold', 'A table plan for each day.')
      await who.press('Send to the bank')
      await who.see('Evidence sent')
    },
  ],
  [
    'cancel a subscription',
    async who => {
      await who.go('Subscriptions')
      await who.fill('Merchant or ID', 'bistro')
      await who.press('Apply')
      await who.press('Test bistro')
      await who.press('Cancel')
      await who.dismiss()
      await who.press('Cancel')
      await who.press('Cancel the subscription')
      await who.see('Subscription cancelled')
    },
  ],
  [
    'name the seller on invoices',
    async who => {
      await who.go('Tax')
      await who.fill('Legal name', 'Lakeside GmbH')
      await who.choose('Country', 'Germany')
      await who.press('Save the seller')
      await who.see(/New invoices name this seller/)
    },
  ],
  [
    'read a statement',
    async (who, { call, merchant, organizationId }) => {
      const { appId } = (await call('GET', `/apps?organizationId=${organizationId}`)).apps[0]
      const { planId } = (await call('GET', `/apps/${appId}/plans`)).list[0]
      const { businessId } = await merchant({ type: 'MERCHANT' })
      await call('POST', `/apps/${appId}/subscriptions`, { businessId, planId })
      await who.press('Live')
      await who.go('Statements')
      await who.press(/ 20\d\d$/)
      await who.press('Statements')
      await who.press('Payouts')
      await who.press('Test')
    },
  ],
]
