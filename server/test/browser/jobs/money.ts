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
