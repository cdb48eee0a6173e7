import { Type } from 'typebox'
import { v7 } from 'uuid'
import { findApp } from '../../catalog/apps/store.ts'
import { decide, writeMessage } from '../../catalog/releases/decide.ts'
import { changeDraft } from '../../catalog/releases/draft.ts'
import { findDraft } from '../../catalog/releases/draft-store.ts'
import { getReview, type Review } from '../../catalog/releases/get.ts'
import type { App } from '../../core/app.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { MAX_MESSAGE_LENGTH } from '../../core/release.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { facts, notice, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import {
  button,
  buttons,
  confirmation,
  confirmLink,
  form,
  type Problems,
  press,
  textArea,
} from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { releaseBadge, sizeWords } from '../ops/words.ts'
import { messageProblem, permissionDiff, planDiff, reviewTimeline } from '../release-review.ts'
import { AppParams, pathOf, pathOfRelease } from './apps.ts'
import { devPage, framed, type Own } from './dev-page.ts'
import { pathOfStep } from './release-steps.ts'

const path = `${DEVELOPER_PATHS.apps}/:appId/releases/:releaseId`
const params = Type.Object({ ...AppParams.properties, releaseId: Uuid })
const DONE = { submitted: 'Release submitted', withdrawn: 'Release withdrawn', answered: 'Answer sent' } as const
type Done = keyof typeof DONE
type Call = PageCall<{ readonly appId: string; readonly releaseId: string }>

/** A release that was sent: its way through the review, its difference to the last one, and taking it back or sending it again. */
export function releasePages(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>): AnyPage[] {
  return [
    devPage({
      ...{ method: 'GET', path, params, name: 'showRelease', operation: 'apps.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as Done[])) }),
      handle: (call, own) => show(call, own, { ...(call.query.done && { done: call.query.done }) }),
    }),
    devPage({
      ...{ method: 'GET', path: `${path}/withdraw`, params, name: 'askBeforeWithdrawing', operation: 'apps.manage' },
      async handle(call) {
        const found = await findShown(call)
        if (isRejection(found)) return found
        const { release } = found.review
        if (release.status !== 'SUBMITTED') return redirect(pathOfRelease(release))
        const main = confirmation(call, {
          title: `Withdraw ${release.version}?`,
          words: html`<p>The operator no longer reviews the release, and its package is deleted. You can send it again as a new release.</p>`,
          verb: 'Withdraw the release',
          isDangerous: true,
          backHref: pathOfRelease(release),
        })
        return framed(call, { title: 'Withdraw a release', part: 'apps', main, width: 'narrow' })
      },
    }),
    devPage({
      ...{ method: 'POST', path: `${path}/withdraw`, params, name: 'withdrawOwnRelease', operation: 'apps.manage' },
      async handle(call) {
        const of = { appId: call.params.appId, releaseId: call.params.releaseId }
        const taken = await decide({ ...ports, db: call.db }, { ...of, decision: { status: 'WITHDRAWN' } })
        // Decided meanwhile, or withdrawn by the first of two presses: the page shows which.
        if (isRejection(taken) && taken.rejected !== 'RELEASE_ALREADY_DECIDED') return taken
        return redirect(addressOf(pathOfRelease(of), isRejection(taken) ? {} : { done: 'withdrawn' }))
      },
    }),
    devPage({
      ...{ method: 'POST', path: `${path}/answer`, params, name: 'answerQuestion', operation: 'apps.manage' },
      form: Type.Object({ messageId: Uuid, text: Text(MAX_MESSAGE_LENGTH * 2, 0) }),
      async handle(call, own) {
        const of = { appId: call.params.appId, releaseId: call.params.releaseId }
        const text = call.form.text.replaceAll('\r\n', '\n').trim()
        const problem = messageProblem(text, 'Enter your answer.')
        if (problem) return show(call, own, { problems: { text: problem }, status: 400 })
        const message = { messageId: call.form.messageId, author: 'DEVELOPER', text } as const
        const written = await writeMessage({ ...ports, db: call.db }, { ...of, ...message })
        if (isRejection(written) && written.rejected !== 'RELEASE_ALREADY_DECIDED') return written
        return redirect(addressOf(pathOfRelease(of), isRejection(written) ? {} : { done: 'answered' }))
      },
    }),
    devPage({
      ...{ method: 'POST', path: `${path}/again`, params, name: 'draftAgain', operation: 'apps.manage' },
      audited: false,
      async handle(call) {
        const found = await findShown(call)
        if (isRejection(found)) return found
        const { app, review } = found
        const { version, notes = '' } = review.release
        const revision = (await findDraft(call.db.sql, app.appId))?.revision
        if (revision !== undefined) return redirect(pathOfStep(app, 'package'))
        const plans = review.plans.map(({ appId, releaseId, status, createdAt, updatedAt, ...plan }) => ({
          ...plan,
          planId: ports.newId(),
        }))
        const change = { appId: app.appId, revision: 0, change: { version, notes, plans } }
        const begun = await changeDraft({ ...ports, db: call.db }, change)
        return isRejection(begun) && begun.rejected !== 'DRAFT_CHANGED' ? begun : redirect(pathOfStep(app, 'package'))
      },
    }),
  ]
}

interface Found {
  readonly app: App
  readonly review: Review
}

async function findShown({ db, params }: Call): Promise<Found | Rejection> {
  const app = await findApp(db.sql, params.appId)
  if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
  const review = await getReview({ db }, { appId: app.appId, releaseId: params.releaseId })
  return isRejection(review) ? review : { app, review }
}

interface ShowOptions {
  readonly done?: Done
  readonly problems?: Problems
  readonly status?: number
}

async function show(
  call: Call,
  own: Own,
  { done, problems = {}, status = 200 }: ShowOptions,
): Promise<PageAnswer | Rejection> {
  const found = await findShown(call)
  if (isRejection(found)) return found
  const { app, review } = found
  const { release } = review
  const again = (await findDraft(call.db.sql, app.appId)) === null ? 'Send again' : 'Continue the draft'
  const ended = release.status === 'REJECTED' || release.status === 'WITHDRAWN'
  const actions =
    own.may('apps.manage') &&
    (release.status === 'SUBMITTED'
      ? confirmLink('Withdraw', `${pathOfRelease(release)}/withdraw`)
      : ended && press(`${pathOfRelease(release)}/again`, call.csrf, button(again, { kind: 'primary' })))
  const main = html`${pageHead({
    title: `${app.name} ${release.version}`,
    above: [
      { href: DEVELOPER_PATHS.apps, text: 'Apps' },
      { href: pathOf(app), text: app.name },
    ],
    badge: releaseBadge(release),
    actions,
  })}
${done && toast(DONE[done], done === 'submitted' && 'The operator reviews it. Its plans are on sale after the approval.')}
${release.reason !== undefined && notice('bad', 'Why it was rejected', release.reason)}
${withDetails(html`${reviewTimeline(review)}${own.may('apps.manage') && answerForm(call.csrf, review, problems)}${planDiff(review)}${permissionDiff(review)}`, facts(factsOf(review)))}`
  return framed(call, { title: `${app.name} ${release.version}`, part: 'apps', main }, { status })
}

function answerForm(csrf: string, { release, messages }: Review, problems: Problems) {
  if (release.status !== 'SUBMITTED' || messages.at(-1)?.author !== 'OPERATOR') return false
  return html`<section class="section"><h2>Answer</h2>${form({
    csrf,
    action: `${pathOfRelease(release)}/answer`,
    hidden: { messageId: v7() },
    problems,
    body: html`${textArea({ name: 'text', label: 'Your answer', hint: 'The operator reads it beside the release.', maxlength: MAX_MESSAGE_LENGTH, problem: problems.text })}
${buttons(button('Send the answer', { kind: 'primary' }))}`,
  })}</section>`
}

function factsOf({ release, earlier }: Review): Fact[] {
  const { package: file, notes } = release
  const apk = file?.apk
  return [
    [
      'Compared with',
      earlier ? html`<a href="${pathOfRelease(earlier)}">${earlier.version}</a>` : 'No approved release',
    ],
    ['Package', file ? `${sizeWords(file.size)}, ${apk ? 'APK' : file.contentType}` : 'None'],
    file && ['SHA-256', html`<code>${file.sha256}</code>`],
    apk && ['Version code', String(apk.versionCode)],
    apk && ['Signer', html`<code>${apk.signerSha256}</code>`],
    notes !== undefined && ['Notes', html`<span class="typed">${notes}</span>`],
    ['ID', copyId('release-id', release.releaseId, 'the release id')],
  ]
}
