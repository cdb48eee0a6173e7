import { fileURLToPath } from 'node:url'
import { pngOf } from '../../support/pictures.ts'
import type { Given, Job } from './job.ts'

const ICON = { name: 'icon.png', mimeType: 'image/png', buffer: pngOf() }
const PACKAGE = fileURLToPath(new URL('../../vectors/apk/version-1.apk', import.meta.url))

/** Portal 3: "Apps → app", "New release", "Release" and "Keys". */
export const APP_JOBS: readonly Job[] = [
  [
    'create an app',
    async (who, { tag }) => {
      await who.go('Apps')
      await who.press('Create an app')
      await who.fill('Name', 'Table Planner')
      await who.fill('Package name', `com.example.${tag}`)
      await who.press('Create the app')
      await who.see('BEGIN PRIVATE KEY')
      await who.press('Go to Table Planner')
    },
  ],
  [
    'set the callback and the icon of an app',
    async who => {
      await who.press('Settings')
      await who.fill('Callback URLs', 'https://tables.example/back')
      await who.upload('Icon', ICON)
      await who.press('Save')
      await who.see('App saved')
    },
  ],
  [
    'stop and resume the sale of an app',
    async who => {
      await who.press('Settings')
      await who.press('Disable the app')
      await who.see('App disabled')
      await who.press('Settings')
      await who.press('Enable the app')
      await who.see('App enabled')
    },
  ],
  [
    'replace a key',
    async who => {
      await who.press('Keys')
      await who.press('Create a key')
      await who.see('BEGIN PRIVATE KEY')
      await who.press('Go to Table Planner')
      await who.press('Keys')
      await who.press(/^Revoke/)
      await who.dismiss()
      await who.press(/^Revoke/)
      await who.press('Revoke the key')
      await who.see('Key revoked')
    },
  ],
  [
    'begin a release and discard it',
    async who => {
      await who.press('New release')
      await who.fill('Version', '0.9')
      await who.press('Continue')
      await who.press('Review and send')
      await who.press('Discard the draft')
      await who.dismiss()
      await who.press('Discard the draft')
      await who.press('Discard the draft')
      await who.see('Draft discarded')
    },
  ],
  [
    'submit a release with a package and prices in two countries',
    async who => {
      await who.press('New release')
      await who.fill('Version', '1.0')
      await who.check(/^The package is not for Android/)
      await who.upload('Package', PACKAGE)
      await who.press('Continue')
      await who.press('Plans')
      await who.press('Add a plan')
      await who.fill('Name', 'Pro')
      await who.fill('Price', '5.00')
      await who.press('Add a country')
      await who.fill('Country', 'DE', 'Price 2')
      await who.fill('Currency', 'EUR', 'Price 2')
      await who.fill('Price', '4.50', 'Price 2')
      await who.choose('Interval', 'Years')
      await who.choose('Interval', 'Months')
      await who.check(/^At once/)
      await who.press('Save the plan')
      await who.see('Plans of this release')
      await who.press('Continue')
      await who.fill('Notes for the reviewer', 'Try the table plan.')
      await who.press('Continue')
      await who.press('Send for review')
      await who.see('Release submitted')
    },
  ],
  [
    'withdraw a release, change it and send it again',
    async who => {
      await who.press('Withdraw')
      await who.dismiss()
      await who.press('Withdraw')
      await who.press('Withdraw the release')
      await who.see('Release withdrawn')
      await who.press('Send again')
      await who.press('Plans')
      await who.press('Add another plan')
      await who.fill('Name', 'Large')
      await who.fill('Price', '20.00')
      await who.press('Save the plan')
      await who.press('Review and send')
      await who.press('Send for review')
      await who.see('Release submitted')
    },
  ],
  [
    'answer a question of the reviewer',
    async (who, given) => {
      const { appId, releaseId } = await submittedRelease(given)
      await given.call('POST', `/apps/${appId}/releases/${releaseId}/messages`, { text: 'What is a table?' }, 200)
      await who.go('Apps')
      await who.press('Table Planner')
      await who.press('Releases')
      await who.press('1.0')
      await who.fill('Your answer', 'A place to sit.')
      await who.press('Send the answer')
      await who.see('Answer sent')
      await given.call('POST', `/apps/${appId}/releases/${releaseId}/approve`, {}, 200)
    },
  ],
]

/** Portal 3, "Plans" of an app: after everything that sells the plan. */
export const PLAN_JOBS: readonly Job[] = [
  [
    'retire a plan',
    async who => {
      await who.go('Apps')
      await who.press('Table Planner')
      await who.press('Plans')
      await who.press('Retire Large')
      await who.dismiss()
      await who.press('Retire Large')
      await who.press('Retire the plan')
      await who.see('Retired')
    },
  ],
  [
    'change the e-mail of the organization',
    async (who, { tag }) => {
      await who.go('Organization')
      await who.fill('E-mail', `${tag}@lakeside.example`)
      await who.press('Save')
      await who.see('Organization saved')
    },
  ],
]

async function submittedRelease({ call, organizationId }: Given) {
  const { releases } = await call('GET', `/releases?status=SUBMITTED&organizationId=${organizationId}`)
  return releases[0]
}
