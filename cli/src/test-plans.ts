import { type Plan, type Tillhook, TillhookError } from '../../sdk/typescript/src/index.ts'
import { CliError } from './errors.ts'

const definition = (name: string, more: object = {}) => ({
  ...{ name, interval: 'MONTH' as const, scope: 'BUSINESS' as const },
  amounts: [{ country: 'US', currency: 'USD', value: 500 }],
  ...more,
})

/** The plans that triggers subscribe to, by their names. */
const DEFINITIONS = {
  monthly: definition('tillhook CLI monthly'),
  larger: definition('tillhook CLI larger', { amounts: [{ country: 'US', currency: 'USD', value: 900 }] }),
  trial: definition('tillhook CLI trial', { trialPeriodDays: 14 }),
  untilPeriodEnd: definition('tillhook CLI until period end', { cancelPolicy: 'BILLING' }),
  perDevice: definition('tillhook CLI per device', { scope: 'DEVICE' }),
}

/** Prefix of the version of a release with these plans. */
const VERSIONS = 'cli-'

export type TestPlan = keyof typeof DEFINITIONS

/** The plan's id. Plans that the app lacks are submitted and approved in one release, which only the operator can do. */
export async function testPlan(tillhook: Tillhook, appId: string, plan: TestPlan): Promise<string> {
  const wanted = DEFINITIONS[plan].name
  const found = await findPlan(tillhook, appId, wanted)
  if (found) return found.planId
  const waiting = await findWaiting(tillhook, appId)
  if (waiting !== undefined) throw needsReview(waiting)
  const plans = Object.values(DEFINITIONS)
  const version = `${VERSIONS}${Date.now()}`
  const { releaseId } = await tillhook.submitRelease({ appId, body: { version, packageKind: 'OTHER', plans } })
  await tillhook.approveRelease({ appId, releaseId }).catch(error => {
    throw error instanceof TillhookError && error.status === 403 ? needsReview(releaseId) : error
  })
  const made = await findPlan(tillhook, appId, wanted)
  if (made === undefined)
    throw new CliError(`the release of the plan "${wanted}" was approved, but the plan is missing`)
  return made.planId
}

/** The id of a release of these plans that was submitted and not reviewed. */
async function findWaiting(tillhook: Tillhook, appId: string): Promise<string | undefined> {
  for await (const { version, status, releaseId } of tillhook.each('listReleases', { appId })) {
    if (version.startsWith(VERSIONS) && status === 'SUBMITTED') return releaseId
  }
  return undefined
}

function needsReview(releaseId: string): CliError {
  return new CliError(
    `The operator must approve release ${releaseId}, which has the plans that trigger needs. Then run the command again.`,
    3,
  )
}

async function findPlan(tillhook: Tillhook, appId: string, wanted: string): Promise<Plan | undefined> {
  for await (const plan of tillhook.each('listPlans', { appId })) if (plan.name === wanted) return plan
  return undefined
}
