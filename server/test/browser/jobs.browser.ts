import { after, before, test } from 'node:test'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { type Actor, keyboard, mouse } from './actors.ts'
import { type PageOptions, withPage } from './chromium.ts'
import { expectAccessible } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

/** `npm run test:browser -- --jobs`: both actors at both widths in both themes. By default the keyboard on a desktop in light. */
const isWhole = process.env.TILLHOOK_TEST_JOBS === 'whole'
const ACTORS = isWhole ? { keyboard, mouse } : { keyboard }
const VIEWPORTS = isWhole ? (['desktop', 'phone'] as const) : (['desktop'] as const)
const THEMES = isWhole ? (['light', 'dark'] as const) : (['light'] as const)

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world?.close())

let apps = 0
/** In order: a job begins where the job before ends. */
const JOBS: Readonly<Record<'developer' | 'operator', readonly (readonly [string, (who: Actor) => Promise<void>])[]>> =
  {
    developer: [
      [
        'create an app',
        async who => {
          await who.go('Apps')
          await who.press('Create an app')
          await who.fill('Name', 'Table Planner')
          await who.fill('Package name', `com.example.jobs${++apps}`)
          await who.press('Create the app')
          await who.see('BEGIN PRIVATE KEY')
          await who.press('Go to Table Planner')
        },
      ],
      [
        'submit a release',
        async who => {
          await who.press('New release')
          await who.fill(/^Version/, '1.0')
          await who.press('Continue')
          await who.press('Add a plan')
          await who.fill('Name', 'Pro')
          await who.fill('Price', '5.00')
          await who.press('Save the plan')
          await who.see('Plans of this release')
          await who.press('Continue')
          await who.fill(/^Notes for the reviewer/, 'Try the table plan.')
          await who.press('Continue')
          await who.press('Send for review')
          await who.see('Release submitted')
        },
      ],
      [
        'add an endpoint',
        async who => {
          await who.go('Apps')
          await who.press('Table Planner')
          await who.press('Add an endpoint')
          await who.fill('URL', 'http://127.0.0.1:9/hooks')
          await who.press('Add the endpoint')
          await who.see('whsec_')
          await who.press('Open the endpoint')
        },
      ],
      [
        'create a test merchant',
        async who => {
          await who.go('Test merchants')
          await who.press('Create a test merchant')
          await who.see('Test merchant created')
        },
      ],
    ],
    operator: [
      [
        'create an organization',
        async who => {
          await who.go('Organizations')
          await who.press('New organization')
          await who.fill('Name', 'Orchard Apps')
          await who.fill('E-mail', 'dev@orchard.example')
          await who.press('Create the organization')
          await who.see('Organization created')
        },
      ],
      [
        'see as the organization, and stop',
        async who => {
          await who.press('See as')
          await who.see('Nothing can be changed')
          await who.press('Stop seeing as')
          await who.see('Orchard Apps')
        },
      ],
    ],
  }

for (const [actorName, actor] of Object.entries(ACTORS)) {
  for (const viewport of VIEWPORTS) {
    for (const theme of THEMES) {
      for (const who of ['developer', 'operator'] as const) {
        test(`each job of a ${who} by ${actorName} alone: ${viewport}, ${theme}`, t =>
          signedIn(who, { viewport, theme }, async page => {
            for (const [name, does] of JOBS[who]) {
              await t.test(name, async () => {
                await does(actor(page))
                if (isWhole) await expectAccessible(page)
              })
            }
          }))
      }
    }
  }
}

async function signedIn(
  who: 'developer' | 'operator',
  options: Omit<PageOptions, 'baseUrl'>,
  work: Parameters<typeof withPage>[1],
): Promise<void> {
  const organization = { name: 'Lakeside', email: 'dev@lake.example' }
  const { organizationId } = await world.call('POST', '/organizations', organization)
  const workspace = who === 'operator' ? { kind: 'OPERATOR' as const } : { kind: 'DEVELOPER' as const, organizationId }
  const person = await newPerson(world, workspace, 'ADMIN')
  if (who === 'operator') await proveSecondFactor(world, person)
  await withPage({ baseUrl: world.baseUrl, ...options }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: person.token, url: world.baseUrl }])
    await page.goto(who === 'operator' ? '/ops' : '/dev')
    await work(page, context)
  })
}
