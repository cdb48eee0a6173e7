import {
  checkPlanDefinition,
  MAX_PLANS_PER_APP,
  type PlanDefinition,
  type PlanDefinitionInput,
} from '../../core/plan-definition.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { ApkFacts, Package, PackageKind, Release } from '../../core/release.ts'
import type { Ports } from '../../ports.ts'
import { lockApp } from '../apps/store.ts'
import { lockOrganization } from '../organizations/store.ts'
import { readApk } from './apk/read-apk.ts'
import type { Readable } from './apk/zip.ts'
import { insertPackage } from './package-store.ts'
import { exceedsBytes, type ReleaseWithPlans, recordRelease, rejectTooMany } from './record.ts'

export interface SubmitRelease {
  readonly appId: string
  readonly version: string
  readonly plans: readonly PlanDefinitionInput[]
  /** For the reviewer. */
  readonly notes?: string
  readonly file?: Package & Readable & { chunks(): AsyncIterable<Buffer> }
  /** Absent: APK. */
  readonly packageKind?: PackageKind
}

/** Uploads a version of an app with its plans and optional package, INACTIVE and unreadable until the review. Decisions 4. */
export async function submitRelease(
  { db, clock, newId, settings }: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>,
  { appId, version, plans: inputs, notes, file, packageKind = 'APK' }: SubmitRelease,
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
    const overQuota = file && (await exceedsBytes(sql, app, { bytes: file.size, quotas: settings.quotas }))
    if (overQuota) return overQuota
    const made = await recordRelease(sql, app, {
      release: {
        ...{ releaseId: newId(), appId, version, status: 'SUBMITTED', createdAt: clock.now() },
        ...(notes !== undefined && { notes }),
        ...packageOf(file, apk),
      },
      plans: definitions.map(definition => ({ ...definition, planId: newId() })),
      quotas: settings.quotas,
    })
    if (isRejection(made) || file === undefined) return made
    await insertPackage(sql, { releaseId: made.release.releaseId, chunks: file.chunks() })
    return made
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
