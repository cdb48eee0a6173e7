import type { Static } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import { findDraft } from '../../catalog/releases/draft-store.ts'
import type { App } from '../../core/app.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { ReleaseDraft } from '../../core/release-draft.ts'
import type { PageCall } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { asset } from '../../platform/web/assets.ts'
import { breadcrumb } from '../../platform/web/components/breadcrumb.ts'
import { notice } from '../../platform/web/components/content.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import { AppParams, pathOf } from './apps.ts'
import { framed } from './dev-page.ts'

/** The four steps of a new release, one page each. */
const STEPS = { package: 'Package', plans: 'Plans', notes: 'Notes', send: 'Review and send' } as const
export type ReleaseStep = keyof typeof STEPS

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
