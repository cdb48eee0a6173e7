import type { Plan } from '../../core/plan.ts'
import {
  checkPlanDefinition,
  MAX_PLANS_PER_APP,
  type PlanDefinition,
  type PlanDefinitionInput,
} from '../../core/plan-definition.ts'
import { exceeds } from '../../core/quota.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { type ApkFacts, checkUpgrade, type Package, type PackageKind, type Release } from '../../core/release.ts'
import type { Ports } from '../../ports.ts'
import { lockApp } from '../apps/store.ts'
import { lockOrganization } from '../organizations/store.ts'
import { countPlans, insertPlans } from '../plans/store.ts'
import { readApk } from './apk/read-apk.ts'
import type { Readable } from './apk/zip.ts'
import { insertPackage, packageBytesOf } from './package-store.ts'
import { countReleases, findLastApk, insertRelease } from './store.ts'

export interface SubmitRelease {
  readonly appId: string
  readonly version: string
  readonly plans: readonly PlanDefinitionInput[]
  readonly file?: Package & Readable & { chunks(): AsyncIterable<Buffer> }
  /** APK where nothing is said. */
  readonly packageKind?: PackageKind
}

export interface ReleaseWithPlans {
  readonly release: Release
  readonly plans: readonly Plan[]
}

/** Uploads a version of an app with its plans and optional package, INACTIVE and unreadable until the review. Decisions 4. */
export async function submitRelease(
  { db, clock, newId, settings }: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>,
  { appId, version, plans: inputs, file, packageKind = 'APK' }: SubmitRelease,
): Promise<ReleaseWithPlans | Rejection> {
  if (inputs.length > MAX_PLANS_PER_APP) return rejectTooMany()
  const definitions = checkDefinitions(inputs)
  if (isRejection(definitions)) return definitions
  const apk = file === undefined || packageKind === 'OTHER' ? undefined : await readApk(file)
  if (isRejection(apk)) return apk
  return db.transaction(async ({ sql }) => {
    const app = await lockApp(sql, appId)
    if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
    // All apps of the organization share the quota of bytes.
    if (file !== undefined) await lockOrganization(sql, app.organizationId)
    const overQuota =
      exceeds('releases', (await countReleases(sql, appId)) + 1, settings.quotas) ??
      (file && exceeds('packageBytes', (await packageBytesOf(sql, app.organizationId)) + file.size, settings.quotas))
    if (overQuota) return overQuota
    const unfit = apk && checkUpgrade(apk, app.packageName, await findLastApk(sql, appId))
    if (unfit) return unfit
    if ((await countPlans(sql, appId)) + definitions.length > MAX_PLANS_PER_APP) return rejectTooMany()
    const now = clock.now()
    const release: Release = {
      releaseId: newId(),
      appId,
      version,
      status: 'SUBMITTED',
      ...packageOf(file, apk),
      createdAt: now,
    }
    const plans = definitions.map(definition => newPlan(definition, { planId: newId(), release }))
    await insertRelease(sql, release)
    await insertPlans(sql, plans)
    if (file !== undefined) await insertPackage(sql, { releaseId: release.releaseId, chunks: file.chunks() })
    return { release, plans }
  })
}

function packageOf(file: SubmitRelease['file'], apk: ApkFacts | undefined): Pick<Release, 'package'> {
  if (file === undefined) return {}
  const { size, sha256, contentType } = file
  return { package: { size, sha256, contentType, ...(apk && { apk }) } }
}

function checkDefinitions(inputs: readonly PlanDefinitionInput[]): PlanDefinition[] | Rejection {
  const definitions: PlanDefinition[] = []
  for (const [index, input] of inputs.entries()) {
    const definition = checkPlanDefinition(input, `plans[${index}]`)
    if (isRejection(definition)) return definition
    definitions.push(definition)
  }
  return definitions
}

function newPlan(definition: PlanDefinition, { planId, release }: { planId: string; release: Release }): Plan {
  const { appId, releaseId, createdAt } = release
  return { planId, appId, releaseId, ...definition, status: 'INACTIVE', createdAt, updatedAt: createdAt }
}

function rejectTooMany(): Rejection {
  return reject(
    'TOO_MANY_PLANS',
    `An app has at most ${MAX_PLANS_PER_APP} plans, those of its other releases included.`,
  )
}
