import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileOf } from '../../../test/support/upload.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { checkPlanDefinition } from '../../core/plan-definition.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { DraftPlan } from '../../core/release-draft.ts'
import { attachPackage, changeDraft, discardDraft, submitDraft } from './draft.ts'
import { findDraft } from './draft-store.ts'
import { packageBytesOf, readPackage } from './package-store.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const apk = (name: string) => readFileSync(new URL(`../../../test/vectors/apk/${name}.apk`, import.meta.url))

async function newApp(packageName = `com.example.draft${world.app.ports.newId().slice(-12)}`) {
  const { organizationId } = await world.call('POST', '/organizations', { name: 'Lakeside', email: 'a@lake.example' })
  const made = await world.call('POST', '/apps', { organizationId, name: 'Till helper', packageName })
  return { organizationId: organizationId as string, appId: made.appId.slice('urn:aid:'.length) as string }
}

function planOf(name: string): DraftPlan {
  const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
  const plan = checkPlanDefinition({ name, amounts, interval: 'MONTH', scope: 'BUSINESS' }, 'plan')
  assert.ok(!isRejection(plan))
  return { ...plan, planId: world.app.ports.newId() }
}

async function done<T>(work: Promise<T | Rejection>): Promise<T> {
  const result = await work
  assert.ok(!isRejection(result), JSON.stringify(result))
  return result
}

async function code(work: Promise<unknown>) {
  const result = await work
  return typeof result === 'object' && result !== null && 'rejected' in result ? result.rejected : undefined
}

test('a sent draft becomes the release with its id, plans and package, and no longer exists as a draft', async () => {
  const { ports } = world.app
  const { appId } = await newApp('com.example.till')
  const file = fileOf(apk('version-1'))
  const read = await done(attachPackage(ports, { appId, revision: 0, version: '', packageKind: 'APK', file }))
  assert.deepEqual([read.revision, read.version, read.package?.apk?.label], [1, '1.1', 'Till helper'])
  const plans = [planOf('Pro'), planOf('Team')]
  const draft = await done(changeDraft(ports, { appId, revision: 1, change: { plans, notes: 'Try it.' } }))
  const { draftId } = draft
  const { release } = await done(submitDraft(ports, { appId, draftId, revision: 2 }))
  assert.deepEqual([release.releaseId, release.version, release.notes], [draftId, '1.1', 'Try it.'])
  const published = await world.call('GET', `/apps/urn:aid:${appId}/releases/${draftId}`)
  assert.deepEqual(
    published.plans.map(({ name }: { name: string }) => name),
    ['Pro', 'Team'],
  )
  const kept: Buffer[] = []
  for await (const bytes of readPackage(ports.db.sql, draftId)) kept.push(bytes)
  assert.deepEqual(Buffer.concat(kept), apk('version-1'))
  assert.equal(await findDraft(ports.db.sql, appId), null)
})

test('a draft that is sent twice, also concurrently, creates one release', async () => {
  const { ports } = world.app
  const { appId } = await newApp()
  const { draftId } = await done(
    changeDraft(ports, { appId, revision: 0, change: { version: '1.0', plans: [planOf('Pro')] } }),
  )
  const of = { appId, draftId, revision: 1 }
  const sent = await Promise.all([submitDraft(ports, of), submitDraft(ports, of), submitDraft(ports, of)])
  for (const one of sent) assert.ok(!isRejection(one) && one.release.releaseId === draftId && one.plans.length === 1)
  assert.equal((await world.call('GET', `/apps/urn:aid:${appId}/releases`)).total, 1)
})

test('when two people change the same revision, the second gets a conflict', async () => {
  const { ports } = world.app
  const { appId } = await newApp()
  const changes = ['Ann', 'Bob'].map(notes => changeDraft(ports, { appId, revision: 0, change: { notes } }))
  const codes = (await Promise.all(changes)).map(one => (isRejection(one) ? one.rejected : 'saved'))
  assert.deepEqual(codes.sort(), ['DRAFT_CHANGED', 'saved'])
  const draft = await findDraft(ports.db.sql, appId)
  assert.equal(draft?.revision, 1)
  const { draftId } = draft
  assert.equal(await code(submitDraft(ports, { appId, draftId, revision: 0 })), 'DRAFT_CHANGED')
})

test('a draft without a version, or without plans and a package, cannot be sent', async () => {
  const { ports } = world.app
  const { appId } = await newApp()
  const { draftId } = await done(changeDraft(ports, { appId, revision: 0, change: { plans: [planOf('Pro')] } }))
  assert.equal(await code(submitDraft(ports, { appId, draftId, revision: 1 })), 'INVALID_PARAMETER')
  await done(changeDraft(ports, { appId, revision: 1, change: { plans: [], version: '1.0' } }))
  assert.equal(await code(submitDraft(ports, { appId, draftId, revision: 2 })), 'INVALID_PARAMETER')
  assert.equal((await world.call('GET', `/apps/urn:aid:${appId}/releases`)).total, 0)
})

test('a package is compared at upload and again when the draft is sent', async () => {
  const { ports } = world.app
  const { appId } = await newApp('com.example.other')
  const attach = (file: Buffer, revision = 0) =>
    attachPackage(ports, { appId, revision, version: '', packageKind: 'APK', file: fileOf(file) })
  assert.equal(await code(attach(Buffer.from('no apk'))), 'INVALID_PARAMETER')
  assert.equal(await code(attach(apk('version-1'))), 'INVALID_PARAMETER', 'another package name')
  assert.equal(await findDraft(ports.db.sql, appId), null)
})

test('a package counts towards the quota once, and is deleted with its draft', async () => {
  const { ports } = world.app
  const { appId, organizationId } = await newApp()
  const attach = (revision: number, size: number) =>
    done(
      attachPackage(ports, {
        ...{ appId, revision, version: '1', packageKind: 'OTHER' as const },
        file: fileOf(Buffer.alloc(size, 7)),
      }),
    )
  const { draftId } = await attach(0, 3_000_000)
  await attach(1, 2_000_000)
  assert.equal(await packageBytesOf(ports.db.sql, organizationId), 2_000_000)
  await discardDraft(ports, { appId, draftId })
  await discardDraft(ports, { appId, draftId })
  assert.equal(await packageBytesOf(ports.db.sql, organizationId), 0)
  const [left] = await ports.db.sql`select from package_chunks where release_id = ${draftId}`
  assert.equal(left, undefined)
})

test('a withdrawn release frees its version code and its plans', async () => {
  const { ports } = world.app
  const { appId } = await newApp()
  const { draftId } = await done(
    changeDraft(ports, { appId, revision: 0, change: { version: '1.0', plans: [planOf('Pro')] } }),
  )
  await done(submitDraft(ports, { appId, draftId, revision: 1 }))
  const path = `/apps/urn:aid:${appId}/releases/${draftId}`
  assert.equal((await world.call('POST', `${path}/withdraw`, {}, 200)).status, 'WITHDRAWN')
  assert.equal((await world.call('POST', `${path}/withdraw`, {}, 409)).code, 'RELEASE_ALREADY_DECIDED')
  assert.equal((await world.call('POST', `${path}/approve`, {}, 409)).code, 'RELEASE_ALREADY_DECIDED')
  assert.equal((await world.call('GET', `/apps/urn:aid:${appId}/plans`)).total, 0)
})
