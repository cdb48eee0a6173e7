import type { Static } from 'typebox'
import { Type } from 'typebox'
import { attachPackage, changeDraft } from '../../catalog/releases/draft.ts'
import { findLastApproved } from '../../catalog/releases/store.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { MAX_NOTES_LENGTH, type Package } from '../../core/release.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { isLine, Text } from '../../platform/http/wire.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { badge, facts } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  checkbox,
  fileField,
  form,
  linkButton,
  type Problems,
  textArea,
  textField,
} from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { sizeWords } from '../ops/words.ts'
import { pathOf } from './apps.ts'
import { devPage } from './dev-page.ts'
import {
  type Drafted,
  findDrafted,
  hiddenOf,
  kept,
  OF_RELEASE,
  pathOfStep,
  RELEASE_PATH,
  Revision,
  revisionOf,
  stepShown,
} from './release-steps.ts'

type DraftPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>
type Call = PageCall<{ readonly appId: string }>

const PackageForm = Type.Object({
  ...{ revision: Revision, version: Text(255, 0) },
  ...{ other: Type.Optional(Text(10, 0)), remove: Type.Optional(Text(10, 0)) },
})

/** Steps 1 and 3 of a new release: the version with its package, and the notes for the reviewer. */
export function packagePages(ports: DraftPorts): AnyPage[] {
  return [
    devPage({
      ...{ ...OF_RELEASE, method: 'GET', path: RELEASE_PATH, name: 'showNewRelease' },
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        return packageStep(call, drafted, { version: drafted.draft?.version ?? '', isOther: false })
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, method: 'POST', path: RELEASE_PATH, name: 'savePackage', audited: false },
      form: PackageForm,
      file: 'package',
      handle: call => savePackage(ports, call),
    }),
    devPage({
      ...{ ...OF_RELEASE, method: 'GET', path: `${RELEASE_PATH}/notes`, name: 'showReleaseNotes' },
      async handle(call) {
        const drafted = await findDrafted(call)
        return isRejection(drafted) ? drafted : notesStep(call, drafted, drafted.draft?.notes ?? '')
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, method: 'POST', path: `${RELEASE_PATH}/notes`, name: 'saveReleaseNotes', audited: false },
      form: Type.Object({ revision: Revision, notes: Text(MAX_NOTES_LENGTH * 2, 0) }),
      async handle(call) {
        const notes = call.form.notes.replaceAll('\r\n', '\n').trim()
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { app } = drafted
        if ([...notes].length > MAX_NOTES_LENGTH) {
          return notesStep(call, drafted, notes, { notes: `Enter at most ${MAX_NOTES_LENGTH} characters.` })
        }
        const change = { appId: app.appId, revision: revisionOf(call.form), change: { notes } }
        const saved = await changeDraft({ ...ports, db: call.db }, change)
        if (!isRejection(saved)) return redirect(pathOfStep(app, 'send'))
        return saved.rejected === 'DRAFT_CHANGED' ? notesStep(call, drafted, notes, 'changed') : saved
      },
    }),
  ]
}

interface EnteredPackage {
  readonly version: string
  readonly isOther: boolean
}

async function savePackage(
  ports: DraftPorts,
  call: PageCall<{ readonly appId: string }, unknown, Static<typeof PackageForm>>,
) {
  const drafted = await findDrafted(call)
  if (isRejection(drafted)) return drafted
  const { app, draft } = drafted
  const { form, file } = call
  const version = form.version.trim()
  const entered = { version, isOther: form.other !== undefined }
  if (!isLine(version)) return packageStep(call, drafted, entered, { version: 'Enter a version such as 1.0.' })
  const of = { appId: app.appId, revision: revisionOf(form) }
  const own = { ...ports, db: call.db }
  const packageKind = entered.isOther ? 'OTHER' : 'APK'
  const saved =
    file !== undefined
      ? await attachPackage(own, { ...of, version, packageKind, file })
      : await changeDraft(own, { ...of, change: { version, ...(form.remove && { package: null }) } })
  if (isRejection(saved)) {
    return saved.rejected === 'DRAFT_CHANGED'
      ? packageStep(call, drafted, entered, 'changed')
      : packageStep(call, drafted, entered, { package: packageWords(saved) })
  }
  // The page shows the data of a new package before the next step.
  if (file !== undefined || form.remove !== undefined) return redirect(pathOfStep(app, 'package'))
  if (saved.version !== '') return redirect(pathOfStep(app, 'plans'))
  return packageStep(call, { app, draft: saved }, entered, {
    version: draft?.package ? 'Enter the version.' : 'Enter the version, or upload a package that names it.',
  })
}

function packageWords({ rejected, fields = [], developerMessage }: Rejection): string {
  const [field] = fields
  if (field?.path === 'package') {
    const problem = field.problem.replace(/\.? Send packageKind OTHER.*$/, '.')
    return `The file ${problem}`.replace(/([^.])$/, '$1.')
  }
  const { message } = PROBLEMS[rejected]
  return `${message} ${developerMessage}`
}

async function packageStep(
  call: Call,
  drafted: Drafted,
  { version, isOther }: EnteredPackage,
  outcome: Problems | 'changed' = {},
) {
  const { app, draft } = drafted
  const problems = outcome === 'changed' ? {} : outcome
  const file = draft?.package
  const main = html`<div class="beside"><div>
${kept(
  draft,
  'package',
  form({
    csrf: call.csrf,
    action: pathOfStep(app, 'package'),
    hidden: hiddenOf(draft),
    problems,
    hasFile: true,
    body: html`${textField({ name: 'version', label: 'Version', hint: 'Leave this empty to use the version in the APK.', maxlength: 255, autocomplete: 'off', isOptional: file === undefined, value: version, problem: problems.version })}
${checkbox({ name: 'other', text: 'The package is not for Android', detail: 'Tillhook stores it without reading it.', isChecked: isOther })}
${fileField({ name: 'package', label: file === undefined ? 'Package' : 'Another package', hint: 'An APK of up to 100 MiB. Drop the file here or choose it. A release without a package only adds plans.', isOptional: true, accept: isOther ? undefined : '.apk,application/vnd.android.package-archive', problem: problems.package })}
${buttons(button('Continue', { kind: 'primary' }), linkButton('Back to the app', pathOf(app), { kind: 'quiet' }))}`,
  }),
)}</div>
<section class="card" aria-label="The package">${file === undefined ? html`<h2>No package yet</h2><p>Tillhook reads the name, version, permissions, icon and signer of the APK and compares them with the app.</p>` : await packageCard(call, drafted, file)}</section></div>`
  return stepShown(call, { ...drafted, step: 'package', main, problems, isChanged: outcome === 'changed' })
}

/** The data of the package, compared with the last approved package. */
async function packageCard(call: Call, { app, draft }: Drafted, file: Package): Promise<Html> {
  const { apk } = file
  const icon = apk?.icon && html`<img ${{ class: 'app-icon', src: apk.icon, alt: 'The icon', width: 52, height: 52 }}>`
  const rows: Fact[] = [
    ['Size', sizeWords(file.size)],
    ['SHA-256', html`<code>${file.sha256}</code>`],
    ...(apk === undefined ? [] : await apkFacts(call.db.sql, { appId: app.appId, apk })),
  ]
  return html`<div class="app">${icon}<div><h2>${apk?.label ?? apk?.packageName ?? 'A package'}</h2>
<p class="fine">${apk === undefined ? file.contentType : html`<code>${apk.packageName}</code>`}</p></div></div>
${facts(rows)}
${form({
  csrf: call.csrf,
  action: pathOfStep(app, 'package'),
  hidden: { ...hiddenOf(draft), version: draft?.version ?? '', remove: 'package' },
  body: button('Remove the package', { size: 'small' }),
})}`
}

async function apkFacts(
  sql: Sql,
  { appId, apk }: { readonly appId: string; readonly apk: NonNullable<Package['apk']> },
): Promise<Fact[]> {
  const before = (await findLastApproved(sql, appId))?.package?.apk
  const earlier = new Set(before?.permissions)
  const removed = [...earlier].filter(one => !apk.permissions.includes(one))
  const permission = (name: string) =>
    html`<li><code>${name.replace(/^android\.permission\./, '')}</code>${before !== undefined && !earlier.has(name) && html` ${badge('New', 'warn')}`}</li>`
  return [
    [
      'Version',
      html`${apk.versionName ?? 'Unnamed'}, code ${String(apk.versionCode)}${before && html` <span class="fine">last approved: ${before.versionName ?? 'unnamed'}, code ${String(before.versionCode)}</span>`}`,
    ],
    [
      'Signer',
      html`${before === undefined ? badge('First package') : badge('As before', 'good')} <code>${apk.signerSha256}</code>`,
    ],
    [
      'Permissions',
      apk.permissions.length + removed.length === 0
        ? 'None'
        : html`<ul class="plain">${apk.permissions.map(permission)}${removed.map(name => html`<li><code>${name.replace(/^android\.permission\./, '')}</code> ${badge('Removed')}</li>`)}</ul>`,
    ],
  ]
}

function notesStep(call: Call, drafted: Drafted, notes: string, outcome: Problems | 'changed' = {}) {
  const { app, draft } = drafted
  const problems = outcome === 'changed' ? {} : outcome
  const main = kept(
    draft,
    'notes',
    form({
      csrf: call.csrf,
      action: pathOfStep(app, 'notes'),
      hidden: hiddenOf(draft),
      problems,
      body: html`${textArea({ name: 'notes', label: 'Notes for the reviewer', hint: 'What is new, how to try it, and a test login if the app needs one.', isOptional: true, maxlength: MAX_NOTES_LENGTH, value: notes, problem: problems.notes })}
${buttons(button('Continue', { kind: 'primary' }), linkButton('Back to the plans', pathOfStep(app, 'plans'), { kind: 'quiet' }))}`,
    }),
  )
  return stepShown(call, { ...drafted, step: 'notes', main, problems, isChanged: outcome === 'changed' })
}
