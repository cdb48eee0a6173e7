import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { checkUpgrade, type Package, type PackageKind } from '../../core/release.ts'
import { changeReleaseDraft, type DraftChange, type ReleaseDraft } from '../../core/release-draft.ts'
import type { Ports } from '../../ports.ts'
import { lockApp } from '../apps/store.ts'
import { lockOrganization } from '../organizations/store.ts'
import { readApk } from './apk/read-apk.ts'
import { deleteDraft, findDraft, saveDraft } from './draft-store.ts'
import { withPlans } from './get.ts'
import { deletePackage, insertPackage } from './package-store.ts'
import { exceedsBytes, type ReleaseWithPlans, recordRelease } from './record.ts'
import { findLastApk, findRelease } from './store.ts'
import type { SubmitRelease } from './submit.ts'

interface OfDraft {
  readonly appId: string
  /** The revision of the draft on the person's page; 0 if no draft existed. */
  readonly revision: number
}

/** Changes the draft of the app's next release, or begins the draft. Rejects: APPLICATION_NOT_FOUND, DRAFT_CHANGED. */
export async function changeDraft(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { appId, revision, change }: OfDraft & { readonly change: DraftChange },
): Promise<ReleaseDraft | Rejection> {
  return db.transaction(async ({ sql }) => {
    if ((await lockApp(sql, appId)) === null) return noApp()
    const before = (await findDraft(sql, appId)) ?? emptyDraft(appId, { draftId: newId(), now: clock.now() })
    const draft = changeReleaseDraft(before, revision, change, clock.now())
    if (isRejection(draft)) return draft
    if (change.package === null) await deletePackage(sql, draft.draftId)
    await saveDraft(sql, draft)
    return draft
  })
}

interface AttachPackage extends OfDraft {
  /** If empty, the version in the APK. */
  readonly version: string
  readonly packageKind: PackageKind
  readonly file: NonNullable<SubmitRelease['file']>
}

/**
 * Reads a package, compares it with the app and its last package, and replaces the draft's package. Rejects: APPLICATION_NOT_FOUND,
 * DRAFT_CHANGED, QUOTA_EXCEEDED, and the rejections of a package in `submit.ts`.
 */
export async function attachPackage(
  { db, clock, newId, settings }: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>,
  { appId, revision, version, packageKind, file }: AttachPackage,
): Promise<ReleaseDraft | Rejection> {
  const apk = packageKind === 'OTHER' ? undefined : await readApk(file)
  if (isRejection(apk)) return apk
  return db.transaction(async ({ sql }) => {
    const app = await lockApp(sql, appId)
    if (app === null) return noApp()
    const unfit = apk && checkUpgrade(apk, app.packageName, await findLastApk(sql, appId))
    if (unfit) return unfit
    await lockOrganization(sql, app.organizationId)
    const before = (await findDraft(sql, appId)) ?? emptyDraft(appId, { draftId: newId(), now: clock.now() })
    const bytes = file.size - (before.package?.size ?? 0)
    const overQuota = await exceedsBytes(sql, app, { bytes, quotas: settings.quotas })
    if (overQuota) return overQuota
    const { size, sha256, contentType } = file
    const found: Package = { size, sha256, contentType, ...(apk && { apk }) }
    const change = { version: version === '' ? (apk?.versionName ?? '') : version, package: found }
    const draft = changeReleaseDraft(before, revision, change, clock.now())
    if (isRejection(draft)) return draft
    await deletePackage(sql, draft.draftId)
    await insertPackage(sql, { releaseId: draft.draftId, chunks: file.chunks() })
    await saveDraft(sql, draft)
    return draft
  })
}

/** Submits a draft for review. If the draft was submitted before, returns its release. Rejects like the API's submission of a release. */
export async function submitDraft(
  { db, clock, settings }: Pick<Ports, 'db' | 'clock' | 'settings'>,
  { appId, draftId, revision }: OfDraft & { readonly draftId: string },
): Promise<ReleaseWithPlans | Rejection> {
  return db.transaction(async ({ sql }) => {
    const app = await lockApp(sql, appId)
    if (app === null) return noApp()
    const sent = await findRelease(sql, { appId, releaseId: draftId })
    if (sent !== null) return withPlans(sql, sent)
    const draft = await findDraft(sql, appId)
    if (draft?.draftId !== draftId) return reject('RELEASE_NOT_FOUND', 'The draft was discarded.')
    if (draft.revision !== revision) return reject('DRAFT_CHANGED', 'Read the draft again before you send it.')
    const { version, notes, plans, package: file } = draft
    if (version === '') return rejectField('version', 'is missing')
    if (plans.length === 0 && file === undefined) return rejectField('plans', 'are missing: add a plan or a package')
    const made = await recordRelease(sql, app, {
      release: {
        ...{ releaseId: draftId, appId, version, status: 'SUBMITTED', createdAt: clock.now() },
        ...(notes !== '' && { notes }),
        ...(file && { package: file }),
      },
      ...{ plans, quotas: settings.quotas },
    })
    if (!isRejection(made)) await deleteDraft(sql, draftId)
    return made
  })
}

/** Deletes the draft and its package. A draft that is gone already counts as deleted. */
export async function discardDraft({ db }: Pick<Ports, 'db'>, of: { appId: string; draftId: string }): Promise<void> {
  await db.transaction(async ({ sql }) => {
    if ((await lockApp(sql, of.appId)) === null) return
    if ((await findDraft(sql, of.appId))?.draftId !== of.draftId) return
    await deleteDraft(sql, of.draftId)
    await deletePackage(sql, of.draftId)
  })
}

function emptyDraft(appId: string, { draftId, now }: { readonly draftId: string; readonly now: Date }): ReleaseDraft {
  return { draftId, appId, revision: 0, version: '', notes: '', plans: [], updatedAt: now }
}

function noApp(): Rejection {
  return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
}
