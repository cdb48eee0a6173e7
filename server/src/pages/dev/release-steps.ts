import type { Static } from 'typebox'
import { Type } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import { findPlansOfReleases } from '../../catalog/plans/store.ts'
import { discardDraft, submitDraft } from '../../catalog/releases/draft.ts'
import { findDraft } from '../../catalog/releases/draft-store.ts'
import { findLastApproved } from '../../catalog/releases/store.ts'
import type { App } from '../../core/app.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { compareReleases } from '../../core/release-diff.ts'
import type { ReleaseDraft } from '../../core/release-draft.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { asset } from '../../platform/web/assets.ts'
import { breadcrumb } from '../../platform/web/components/breadcrumb.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { emptyState, facts, notice } from '../../platform/web/components/content.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { button, buttons, confirmation, confirmLink, form, linkButton } from '../../platform/web/components/form.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { sizeWords } from '../ops/words.ts'
import { permissionDiff, planDiff } from '../release-review.ts'
import { pathAfter } from './app-page.ts'
import { AppParams, pathOf, pathOfRelease } from './apps.ts'
import { devPage, framed } from './dev-page.ts'

/** The four steps of a new release, one page each. */
const STEPS = { package: 'Package', plans: 'Plans', notes: 'Notes', send: 'Review and send' } as const
type ReleaseStep = keyof typeof STEPS

export const RELEASE_PATH = `${DEVELOPER_PATHS.apps}/:appId/release`
export const OF_RELEASE = { params: AppParams, operation: 'apps.manage' } as const
type Call<F = unknown> = PageCall<Static<typeof AppParams>, unknown, F>

/** The revision of the draft that the form was filled in for. */
export const Revision = Text(9, 1)
export const revisionOf = (form: { readonly revision: string }) => Number(form.revision)

export function pathOfStep(app: Pick<App, 'appId'>, step: ReleaseStep): string {
  return step === 'package' ? `${pathOf(app)}/release` : `${pathOf(app)}/release/${step}`
}

export interface Drafted {
  readonly app: App
  /** Null: nothing was entered yet. */
  readonly draft: ReleaseDraft | null
}

export async function findDrafted({ db, params }: Call): Promise<Drafted | Rejection> {
  const app = await findApp(db.sql, params.appId)
  if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
  return { app, draft: await findDraft(db.sql, app.appId) }
}

interface StepShown extends Drafted {
  readonly step: ReleaseStep
  readonly main: Part
  readonly problems?: Problems
  readonly status?: number | undefined
  /** Another person changed the draft while this form was open. */
  readonly isChanged?: boolean
}

/** A step in its frame: the app, the way through the steps, and the step. */
export function stepShown(call: Call, { app, draft, step, main, problems, status, isChanged = false }: StepShown) {
  const version = draft?.version ? ` ${draft.version}` : ''
  const whole = html`${breadcrumb([
    { href: DEVELOPER_PATHS.apps, text: 'Apps' },
    { href: pathOf(app), text: app.name },
  ])}
<h1>New release${version}</h1>
${stepLinks(app, draft, step)}
${isChanged && notice('warn', 'Another person has changed this draft', 'Your entries are still in the form. Check them and save again.')}
${main}`
  const head = html`<link rel="stylesheet" href="${asset('release.css')}">
<script type="module" src="${asset('release.js')}"></script>
`
  const frame = { title: `New release of ${app.name}`, part: 'apps', main: whole, head, problems } as const
  return framed(call, frame, { status: isChanged ? 409 : status })
}

function stepLinks(app: App, draft: ReleaseDraft | null, current: ReleaseStep): Html {
  const isDone: Readonly<Record<ReleaseStep, boolean>> = {
    package: (draft?.version ?? '') !== '',
    plans: (draft?.plans.length ?? 0) > 0,
    notes: (draft?.notes ?? '') !== '',
    send: false,
  }
  return html`<ol class="steps linked">${Object.entries(STEPS).map(([key, name]) => {
    const step = key as ReleaseStep
    const attributes = {
      class: isDone[step] ? 'done' : undefined,
      'aria-current': step === current ? 'step' : undefined,
    }
    return html`<li ${attributes}><a href="${pathOfStep(app, step)}">${name}</a>${isDone[step] && html`<span class="unseen"> (done)</span>`}</li>`
  })}</ol>`
}

/** A form whose entries survive the end of the session: the browser keeps them until the draft has another revision. */
export function kept(draft: ReleaseDraft | null, key: string, content: Part): Html {
  return html`<kept-form ${{ 'data-key': `${key} ${draft?.draftId ?? 'new'} ${draft?.revision ?? 0}` }}>${content}</kept-form>`
}

export const hiddenOf = (draft: ReleaseDraft | null) => ({ revision: String(draft?.revision ?? 0) })

/** Step 4 of a new release: everything, beside the last approved release, and the button to send. */
export function sendPages(ports: Pick<Ports, 'db' | 'clock' | 'settings'>): AnyPage[] {
  const path = `${RELEASE_PATH}/send`
  return [
    devPage({
      ...{ ...OF_RELEASE, method: 'GET', path, name: 'reviewRelease' },
      async handle(call) {
        const drafted = await findDrafted(call)
        return isRejection(drafted) ? drafted : sendStep(call, drafted)
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, method: 'POST', path, name: 'sendRelease' },
      form: Type.Object({ draftId: Uuid, revision: Revision }),
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { app } = drafted
        const of = { appId: app.appId, draftId: call.form.draftId, revision: revisionOf(call.form) }
        const sent = await submitDraft({ ...ports, db: call.db }, of)
        if (!isRejection(sent)) return redirect(addressOf(pathOfRelease(sent.release), { done: 'submitted' }))
        if (sent.rejected === 'DRAFT_CHANGED') return sendStep(call, drafted, { isChanged: true })
        return sendStep(call, drafted, { problem: `${PROBLEMS[sent.rejected].message} ${sent.developerMessage}` })
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, method: 'GET', path: `${RELEASE_PATH}/discard`, name: 'askBeforeDiscarding' },
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { app, draft } = drafted
        if (draft === null) return redirect(pathOf(app))
        const main = confirmation(call, {
          title: 'Discard this draft?',
          words: html`<p>The version, the package, the plans and the notes of the draft are deleted. Releases that were sent stay as they are.</p>`,
          verb: 'Discard the draft',
          isDangerous: true,
          backHref: pathOfStep(app, 'send'),
          hidden: { draftId: draft.draftId },
        })
        return framed(call, { title: 'Discard a draft', part: 'apps', main, width: 'narrow' })
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, method: 'POST', path: `${RELEASE_PATH}/discard`, name: 'discardRelease', audited: false },
      form: Type.Object({ draftId: Uuid }),
      async handle(call) {
        const appId = call.params.appId
        await discardDraft({ db: call.db }, { appId, draftId: call.form.draftId })
        return redirect(pathAfter({ appId }, 'discarded'))
      },
    }),
  ]
}

async function sendStep(
  call: Call,
  drafted: Drafted,
  { isChanged = false, problem }: { readonly isChanged?: boolean; readonly problem?: string } = {},
) {
  const { app, draft } = drafted
  if (draft === null) {
    const begin = linkButton('Begin a release', pathOfStep(app, 'package'), { kind: 'primary' })
    const main = emptyState('There is no draft', 'A draft begins with the first step.', begin)
    return stepShown(call, { ...drafted, step: 'send', main })
  }
  const missing = missingOf(draft)
  const ready = missing === undefined
  const main = html`${problem !== undefined && notice('bad', 'The release was not sent', problem)}
<div class="section">${facts(factsOf(draft))}</div>
${await diffOf(call, draft)}
${
  ready
    ? form({
        csrf: call.csrf,
        action: pathOfStep(app, 'send'),
        hidden: { ...hiddenOf(draft), draftId: draft.draftId },
        body: html`<p>The operator reviews the release. Its plans are on sale from the approval on, and their prices never change.</p>
${buttons(button('Send for review', { kind: 'primary' }), linkButton('Back to the notes', pathOfStep(app, 'notes'), { kind: 'quiet' }))}`,
      })
    : html`${notice('warn', missing.title, missing.words)}${buttons(linkButton(missing.verb, pathOfStep(app, missing.step), { kind: 'primary' }))}`
}
${buttons(confirmLink('Discard the draft', `${pathOf(app)}/release/discard`, { size: 'small' }))}`
  const status = problem === undefined ? undefined : 409
  return stepShown(call, { ...drafted, step: 'send', main, status, isChanged })
}

function missingOf({ version, plans, package: file }: ReleaseDraft) {
  if (version === '') {
    const words = 'Enter it, or upload a package that names it.'
    return { title: 'The version is missing', words, verb: 'Enter the version', step: 'package' } as const
  }
  if (plans.length > 0 || file !== undefined) return undefined
  const words = 'A release brings a package, plans, or both.'
  return { title: 'The release is empty', words, verb: 'Add a plan', step: 'plans' } as const
}

function factsOf({ version, notes, package: file }: ReleaseDraft): Fact[] {
  return [
    ['Version', version === '' ? 'Missing' : version],
    ['Package', file === undefined ? 'None' : `${file.apk?.label ?? 'Package'}, ${sizeWords(file.size)}`],
    file && ['SHA-256', html`<code>${file.sha256}</code>`],
    ['Notes', notes === '' ? 'None' : html`<span class="typed">${notes}</span>`],
  ]
}

/** The differences to the last approved release, as the reviewer will see them. */
async function diffOf({ db }: Call, draft: ReleaseDraft) {
  const { draftId: releaseId, appId, updatedAt: createdAt } = draft
  const plans = draft.plans.map(plan => ({
    ...plan,
    ...{ appId, releaseId, status: 'INACTIVE' as const, createdAt, updatedAt: createdAt },
  }))
  const release = { ...(draft.package && { package: draft.package }) }
  const last = await findLastApproved(db.sql, appId)
  const earlier = last && { release: last, plans: await findPlansOfReleases(db.sql, [last.releaseId]) }
  const diff = compareReleases({ release, plans }, earlier)
  return html`${permissionDiff({ release, diff })}${planDiff({ diff })}`
}
