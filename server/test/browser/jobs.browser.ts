import { after, before, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { openListener } from '../support/webhooks.ts'
import { type Actor, keyboard, mouse } from './actors.ts'
import { type PageOptions, withPage } from './chromium.ts'
import { expectAccessible } from './inspect.ts'
import { APP_JOBS, PLAN_JOBS } from './jobs/apps.ts'
import type { Given, Job } from './jobs/job.ts'
import { ORGANIZATION_JOBS } from './jobs/operator.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

/** `npm run test:browser -- --jobs`: both actors at both widths in both themes. By default the keyboard on a desktop in light. */
const isWhole = process.env.TILLHOOK_TEST_JOBS === 'whole'
const ACTORS = isWhole ? { keyboard, mouse } : { keyboard }
const VIEWPORTS = isWhole ? (['desktop', 'phone'] as const) : (['desktop'] as const)
const THEMES = isWhole ? (['light', 'dark'] as const) : (['light'] as const)
const LIMIT_MS = 1_200_000
const PAUSE_MS = 50

const JOBS: Readonly<Record<'developer' | 'operator', readonly Job[]>> = {
  developer: [...APP_JOBS, ...PLAN_JOBS],
  operator: ORGANIZATION_JOBS,
}

let world: ListeningWorld
let working: Promise<void>
let isOver = false
before(async () => {
  world = await listeningWorld()
  working = work()
})
after(async () => {
  isOver = true
  await working
  await world?.close()
})

/** The background jobs that a running service repeats. */
async function work(): Promise<void> {
  while (!isOver) {
    await world.work()
    await world.app.sender.runOnce()
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}

for (const [actorName, actor] of Object.entries(ACTORS)) {
  for (const viewport of VIEWPORTS) {
    for (const theme of THEMES) {
      for (const who of Object.keys(JOBS) as (keyof typeof JOBS)[]) {
        const tag = `${who}.${actorName}.${viewport}.${theme}`
        test(`each job of a ${who} by ${actorName} alone: ${viewport}, ${theme}`, t =>
          signedIn(t, { who, tag, viewport, theme }, async (page, given) => {
            for (const job of JOBS[who]) await doJob(t, job, { page, who: actor(page), given })
          }))
      }
    }
  }
}

/** A job that fails ends the run: the next job begins where the job ends. */
async function doJob(
  t: TestContext,
  [name, does]: Job,
  { page, who, given }: { readonly page: Page; readonly who: Actor; readonly given: Given },
): Promise<void> {
  let problem: unknown
  await t.test(name, async () => {
    try {
      await does(who, given)
      if (isWhole) await expectAccessible(page)
    } catch (error) {
      problem = error
      throw error
    }
  })
  if (problem !== undefined) throw problem
}

interface Run extends Omit<PageOptions, 'baseUrl'> {
  readonly who: keyof typeof JOBS
  readonly tag: string
}

async function signedIn(
  t: TestContext,
  { who, tag, ...options }: Run,
  jobs: (page: Page, given: Given) => Promise<void>,
): Promise<void> {
  const organization = { name: `Lakeside ${tag}`, email: 'dev@lake.example' }
  const { organizationId } = await world.call('POST', '/organizations', organization)
  const workspace = who === 'operator' ? { kind: 'OPERATOR' as const } : { kind: 'DEVELOPER' as const, organizationId }
  const person = await newPerson(world, workspace, 'ADMIN')
  if (who === 'operator') await proveSecondFactor(world, person)
  const { url: listenerUrl } = await openListener(t)
  await withPage({ baseUrl: world.baseUrl, limitMs: LIMIT_MS, ...options }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: person.token, url: world.baseUrl }])
    await page.goto(who === 'operator' ? '/ops' : '/dev')
    await jobs(page, { call: world.call, tag, organizationId, listenerUrl })
  })
}
