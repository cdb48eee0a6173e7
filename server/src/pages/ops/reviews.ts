import { Type } from 'typebox'
import { v7 } from 'uuid'
import { findApp, findApps } from '../../catalog/apps/store.ts'
import { findOrganization, findOrganizations } from '../../catalog/organizations/store.ts'
import { decide, writeMessage } from '../../catalog/releases/decide.ts'
import { getReview, type Review } from '../../catalog/releases/get.ts'
import { pageOfAllReleases, REVIEW_QUEUE } from '../../catalog/releases/list.ts'
import { findLastAuthors } from '../../catalog/releases/message-store.ts'
import type { App } from '../../core/app.ts'
import type { Organization } from '../../core/organization.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { MAX_MESSAGE_LENGTH, RELEASE_STATUSES, type Release } from '../../core/release.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { badge, emptyState, facts, notice, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import {
  button,
  buttons,
  form,
  linkButton,
  type Problems,
  press,
  textArea,
} from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { addressOf, filter, filterBy, pager, table } from '../../platform/web/components/table.ts'
import { moment, shortMoment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { messageProblem, permissionDiff, planDiff, reviewTimeline } from '../release-review.ts'
import { appLink, type Desk, framed, ON_A_PAGE, opsPage, organizationLink } from './ops-page.ts'
import { releaseBadge, sizeWords } from './words.ts'

const path = OPERATOR_PATHS.reviews
const onePath = `${path}/:appId/:releaseId`
const params = Type.Object({ appId: Uuid, releaseId: Uuid })

/** Releases that wait for review, and the decision about one. */
export function reviewPages(ports: Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'>): AnyPage[] {
  return [
    opsPage({
      ...{ method: 'GET', path, name: 'showReviews', operation: 'apps.read' },
      query: Type.Object({ status: Type.Optional(Type.Enum(RELEASE_STATUSES)), after: Type.Optional(Uuid) }),
      async handle(call) {
        const { status = 'SUBMITTED', after } = call.query
        const slice = { limit: ON_A_PAGE, ...(after !== undefined && { after }) }
        const releases = status === 'SUBMITTED' ? REVIEW_QUEUE : { status }
        const { items, next } = await pageOfAllReleases({ db: call.db }, releases, slice)
        const main = html`<h1>Reviews</h1>
<p class="lead">Approve a release to put its plans on sale.</p>
${filterBy('Filter by state', { path, name: 'status', value: status, texts: STATES })}
${items.length === 0 ? emptyState(...EMPTY[status]) : await releaseTable(call.db.sql, items, status === 'SUBMITTED' ? 'oldest first' : 'newest first')}
${pager('More releases', { path, kept: { status }, after, next })}`
        return framed(call, { title: 'Reviews', part: 'reviews', main })
      },
    }),
    opsPage({
      ...{ method: 'GET', path: onePath, params, name: 'showReview', operation: 'apps.read' },
      query: Type.Object({
        done: Type.Optional(Type.Enum(Object.keys(DONE) as Done[])),
        template: Type.Optional(Type.Enum(Object.keys(TEMPLATES) as Template[])),
      }),
      handle: (call, desk) => show(call, call.params, { desk, ...call.query }),
    }),
    opsPage({
      ...{ method: 'POST', path: `${onePath}/approve`, params, name: 'approveReview', operation: 'releases.decide' },
      async handle(call) {
        const decided = await decide({ ...ports, db: call.db }, { ...call.params, decision: { status: 'APPROVED' } })
        if (isRejection(decided) && decided.rejected !== 'RELEASE_ALREADY_DECIDED') return decided
        return redirect(pathAfter(call.params, isRejection(decided) ? undefined : 'approved'))
      },
    }),
    opsPage({
      ...{ method: 'POST', path: `${onePath}/reject`, params, name: 'rejectReview', operation: 'releases.decide' },
      form: Type.Object({ reason: Text(MAX_MESSAGE_LENGTH * 2, 0) }),
      async handle(call, desk) {
        const reason = typed(call.form.reason)
        const problem = isUnfinished(reason)
          ? 'Replace the … of the template by what you found.'
          : messageProblem(reason, 'Say what the developer must change.')
        if (problem) return show(call, call.params, { desk, reason, problems: { reason: problem }, status: 400 })
        const decision = { status: 'REJECTED', reason } as const
        const decided = await decide({ ...ports, db: call.db }, { ...call.params, decision })
        if (isRejection(decided) && decided.rejected !== 'RELEASE_ALREADY_DECIDED') return decided
        return redirect(pathAfter(call.params, isRejection(decided) ? undefined : 'rejected'))
      },
    }),
    opsPage({
      ...{ method: 'POST', path: `${onePath}/ask`, params, name: 'askDeveloper', operation: 'releases.decide' },
      form: Type.Object({ messageId: Uuid, text: Text(MAX_MESSAGE_LENGTH * 2, 0) }),
      async handle(call, desk) {
        const text = typed(call.form.text)
        const problem = messageProblem(text, 'Enter your question.')
        if (problem) return show(call, call.params, { desk, question: text, problems: { text: problem }, status: 400 })
        const message = { messageId: call.form.messageId, author: 'OPERATOR', text } as const
        const written = await writeMessage({ ...ports, db: call.db }, { ...call.params, ...message })
        if (isRejection(written) && written.rejected !== 'RELEASE_ALREADY_DECIDED') return written
        return redirect(pathAfter(call.params, isRejection(written) ? undefined : 'asked'))
      },
    }),
  ]
}

/** A template with a gap, as the page offers it. */
function isUnfinished(reason: string): boolean {
  return reason.includes('…') && Object.values(TEMPLATES).some(([, text]) => text === reason)
}

/** A browser sends line breaks as two characters. */
function typed(text: string): string {
  return text.replaceAll('\r\n', '\n').trim()
}

export function pathOfReview({ appId, releaseId }: Pick<Release, 'appId' | 'releaseId'>): string {
  return `${path}/${appId}/${releaseId}`
}

function pathAfter(release: Pick<Release, 'appId' | 'releaseId'>, done: string | undefined): string {
  return addressOf(pathOfReview(release), { done })
}

const STATES = { SUBMITTED: 'Waiting', APPROVED: 'Approved', REJECTED: 'Rejected', WITHDRAWN: 'Withdrawn' } as const

/** Title and words. */
const EMPTY: Readonly<Record<Release['status'], readonly [title: string, words: string]>> = {
  SUBMITTED: ['Nothing waits for review', 'A release that a developer submits appears here.'],
  APPROVED: ['No approved releases', 'Approved releases appear here.'],
  REJECTED: ['No rejected releases', 'Rejected releases appear here with their reason.'],
  WITHDRAWN: ['No withdrawn releases', 'Releases that developers took back appear here.'],
}

async function releaseTable(sql: Sql, releases: readonly Release[], order: string): Promise<Html> {
  const apps = await findApps(sql, [...new Set(releases.map(({ appId }) => appId))])
  const organizations = await findOrganizations(sql, [...new Set(apps.map(({ organizationId }) => organizationId))])
  const appOf = new Map(apps.map(app => [app.appId, app]))
  const nameOf = new Map(organizations.map(({ organizationId, name }) => [organizationId, name]))
  const lastAuthorOf = await findLastAuthors(
    sql,
    releases.map(({ releaseId }) => releaseId),
  )
  const developerOf = (app: App | undefined) => app && nameOf.get(app.organizationId)
  return table<Release>({
    caption: `Releases, ${order}`,
    rows: releases,
    columns: [
      {
        name: 'Release',
        cell: release =>
          html`<a href="${pathOfReview(release)}">${appOf.get(release.appId)?.name ?? 'An app'} ${release.version}</a>`,
      },
      { name: 'Developer', cell: ({ appId }) => developerOf(appOf.get(appId)) },
      { name: 'Submitted (UTC)', cell: ({ createdAt }) => shortMoment(createdAt) },
      { name: 'State', cell: release => html`${releaseBadge(release)} ${questionBadge(release, lastAuthorOf)}` },
    ],
  })
}

function questionBadge(
  { releaseId, status }: Release,
  lastAuthorOf: Awaited<ReturnType<typeof findLastAuthors>>,
): Html | false {
  const author = lastAuthorOf.get(releaseId)
  if (status !== 'SUBMITTED' || author === undefined) return false
  return author === 'OPERATOR' ? badge('Question sent') : badge('Answered', 'good')
}

interface ShowOptions {
  readonly desk: Desk
  readonly done?: Done | undefined
  /** Fills the reason. */
  readonly template?: Template | undefined
  readonly reason?: string
  readonly question?: string
  readonly problems?: Problems
  readonly status?: number
}

const DONE = {
  approved: 'Release approved. Its plans are on sale.',
  rejected: 'Release rejected',
  asked: 'Question sent. The release stays in review.',
} as const
type Done = keyof typeof DONE

const TEMPLATES = {
  permissions: [
    'Too many permissions',
    'The app asks for permissions that it does not need: … Remove them, or say in the notes what each is for.',
  ],
  crash: ['Does not start', 'The app closes or freezes after: … Test it on a terminal and send the release again.'],
  plans: ['Unclear plans', 'The name or the description of a plan does not say what the merchant gets: …'],
  prices: ['Prices do not match', 'The price of a plan differs from what the app shows: …'],
  marks: ['Name or icon of another company', 'The name or the icon shows the trademark of another company: …'],
  login: ['No test login', 'The review needs a login. Add one to the notes and send the release again.'],
} as const
type Template = keyof typeof TEMPLATES

async function show(
  call: PageCall,
  of: { readonly appId: string; readonly releaseId: string },
  { desk, done, status = 200, ...entered }: ShowOptions,
): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const review = await getReview({ db: call.db }, of)
  if (isRejection(review)) return review
  const app = await findApp(sql, of.appId)
  if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
  const organization = await findOrganization(sql, app.organizationId)
  const { release } = review
  const content = html`${release.notes !== undefined && html`<h2>Notes of the developer</h2><p class="typed">${release.notes}</p>`}
${reviewTimeline(review)}
${permissionDiff(review)}
${planDiff(review)}`
  const main = html`${pageHead({ title: `${app.name} ${release.version}`, above: [{ text: 'Reviews', href: path }], badge: releaseBadge(release) })}
${done && toast(DONE[done])}
${release.reason !== undefined && notice('bad', 'Why it was rejected', release.reason)}
${done && done !== 'asked' && html`<div class="section">${buttons(await nextReview(call))}</div>`}
${withDetails(content, facts(factsOf(review, app, organization)))}
${release.status === 'SUBMITTED' && desk.may('releases.decide') && decision(call.csrf, release, entered)}`
  return framed(call, { title: `${app.name} ${release.version}`, part: 'reviews', main }, { status })
}

/** The release that has waited longest; the list, if no release waits. */
async function nextReview({ db }: Pick<PageCall, 'db'>): Promise<Html> {
  const [next] = (await pageOfAllReleases({ db }, REVIEW_QUEUE, { limit: 1 })).items
  return next === undefined ? linkButton('Back to the reviews', path) : linkButton('Next review', pathOfReview(next))
}

function factsOf({ release, earlier }: Review, app: App, organization: Organization | null): Fact[] {
  const { package: file } = release
  const apk = file?.apk
  return [
    ['App', html`${appLink({ ...app, appName: app.name })}, <code>${app.packageName}</code>`],
    ['Developer', organization && organizationLink(organization)],
    ['Submitted', moment(release.createdAt)],
    release.decidedAt && ['Decided', moment(release.decidedAt)],
    [
      'Compared with',
      earlier ? html`<a href="${pathOfReview(earlier)}">${earlier.version}</a>` : 'No approved release',
    ],
    ['Package', file ? `${sizeWords(file.size)}, ${apk ? 'APK' : file.contentType}` : 'None'],
    file && ['SHA-256', html`<code>${file.sha256}</code>`],
    apk && ['Version code', String(apk.versionCode)],
    apk && ['Signed by', html`<code>${apk.signerSha256}</code>`],
    ['ID', copyId('release', release.releaseId, 'the release ID')],
  ]
}

function decision(csrf: string, release: Release, entered: Omit<ShowOptions, 'desk'>): Html {
  const own = pathOfReview(release)
  const { template, problems = {}, question = '' } = entered
  const reason = entered.reason ?? (template === undefined ? '' : TEMPLATES[template][1])
  return html`<h2>Decision</h2>
${press(`${own}/approve`, csrf, buttons(button('Approve', { kind: 'primary' }), linkButton('Back to the reviews', path)))}
<h2>Or ask a question</h2>
${form({
  csrf,
  action: `${own}/ask`,
  hidden: { messageId: v7() },
  problems: problems.text === undefined ? {} : problems,
  body: html`${textArea({ name: 'text', label: 'Question', hint: 'The developer reads it by mail and answers on the page of the release, which stays in review.', maxlength: MAX_MESSAGE_LENGTH, rows: 3, value: question, problem: problems.text })}
${buttons(button('Ask'))}`,
})}
<h2 id="reject">Or reject</h2>
${filter(
  'Begin with a template',
  (Object.keys(TEMPLATES) as Template[]).map(one => ({
    text: TEMPLATES[one][0],
    href: `${addressOf(own, { template: one })}#reject`,
    isCurrent: one === template,
  })),
)}
${form({
  csrf,
  action: `${own}/reject`,
  problems: problems.reason === undefined ? {} : problems,
  body: html`${textArea({ name: 'reason', label: 'Reason', hint: 'The developer reads it. A template fills the field; change the text as you need.', maxlength: MAX_MESSAGE_LENGTH, value: reason, problem: problems.reason })}
${buttons(button('Reject', { kind: 'danger' }))}`,
})}`
}
