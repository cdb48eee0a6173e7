import { after, before, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Workspace } from '../../src/core/membership.ts'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { openListener } from '../support/webhooks.ts'
import { type Actor, keyboard, mouse } from './actors.ts'
import { type PageOptions, withPage } from './chromium.ts'
import { expectNoViolations, shownBy } from './inspect.ts'
import { APP_JOBS, PLAN_JOBS } from './jobs/apps.ts'
import type { Given, Job } from './jobs/job.ts'
import { MERCHANT_JOBS, openShop, SHOP_JOBS } from './jobs/merchant.ts'
import { BILLING_JOBS, CLOCK_JOBS, MONEY_JOBS, TEST_MERCHANT_JOBS } from './jobs/money.ts'
import { CUSTOMER_JOBS, PAYMENT_JOBS, REVIEW_JOBS } from './jobs/operator.ts'
import { PLATFORM_JOBS } from './jobs/platform.ts'
import { SHELL_JOBS } from './jobs/shell.ts'
import { DELIVERY_JOBS, WEBHOOK_JOBS } from './jobs/webhooks.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

/** `npm run test:browser -- --jobs`: both actors at both widths in both themes. By default the keyboard on a desktop in light. */
const isWhole = process.env.TILLHOOK_TEST_JOBS === 'whole'
const ACTORS = isWhole ? { keyboard, mouse } : { keyboard }
const VIEWPORTS = isWhole ? (['desktop', 'phone'] as const) : (['desktop'] as const)
const THEMES = isWhole ? (['light', 'dark'] as const) : (['light'] as const)
const LIMIT_MS = 1_200_000
const WAIT_MS = 20_000
const PAUSE_MS = 50

/** The jobs that only `--jobs` does. */
const rest = (...jobs: readonly (readonly Job[])[]) => (isWhole ? jobs.flat() : [])

const JOBS: Readonly<Record<'developer' | 'operator' | 'merchant', readonly Job[]>> = {
  developer: [
    ...[...APP_JOBS, ...rest(WEBHOOK_JOBS), ...TEST_MERCHANT_JOBS, ...MONEY_JOBS],
    ...rest(CLOCK_JOBS, BILLING_JOBS, DELIVERY_JOBS, PLAN_JOBS, SHELL_JOBS),
  ],
  operator: [...REVIEW_JOBS, ...CUSTOMER_JOBS, ...PAYMENT_JOBS, ...rest(PLATFORM_JOBS, SHELL_JOBS)],
  merchant: [...MERCHANT_JOBS, ...rest(SHOP_JOBS, SHELL_JOBS)],
}
const HOME = { developer: '/dev', operator: '/ops', merchant: '/my' } as const

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
            for (const job of JOBS[who]) await doJob(t, job, { page, who: actor(page), given, home: HOME[who] })
          }))
      }
    }
  }
}

/** After a job that fails, the next job begins at home. */
async function doJob(
  t: TestContext,
  [name, does]: Job,
  {
    page,
    who,
    given,
    home,
  }: { readonly page: Page; readonly who: Actor; readonly given: Given; readonly home: string },
): Promise<void> {
  await t.test(name, async () => {
    try {
      await does(who, given)
      if (isWhole) await expectNoViolations(page)
    } catch (error) {
      const shown = await shownBy(page.context())
      await page.goto(home)
      throw new Error(`${error instanceof Error ? error.message : error}\n${shown}`, { cause: error })
    }
  })
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
  const workspace = await workspaceOf(who, tag)
  const person = await newPerson(world, workspace, who === 'merchant' ? 'OWNER' : 'ADMIN')
  if (who === 'operator') await proveSecondFactor(world, person)
  const { url: listenerUrl } = await openListener(t, ({ path }, response) => {
    response.writeHead(path.endsWith('/broken') ? 500 : 200).end()
  })
  const colleague = async () => {
    const name = `Cy ${tag}`
    await newPerson(world, workspace, 'VIEWER', { name })
    return name
  }
  await withPage({ baseUrl: world.baseUrl, limitMs: LIMIT_MS, ...options }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: person.token, url: world.baseUrl }])
    page.setDefaultTimeout(WAIT_MS)
    await page.goto(HOME[who])
    await jobs(page, { ...world, organizationId: '', ...workspace, tag, listenerUrl, colleague })
  })
}

async function workspaceOf(who: keyof typeof JOBS, tag: string): Promise<Workspace> {
  if (who === 'operator') return { kind: 'OPERATOR' }
  if (who === 'merchant') return { kind: 'MERCHANT', businessId: await openShop(world, tag) }
  const organization = { name: `Lakeside ${tag}`, email: 'dev@lake.example' }
  const { organizationId } = await world.call('POST', '/organizations', organization)
  return { kind: 'DEVELOPER', organizationId }
}
