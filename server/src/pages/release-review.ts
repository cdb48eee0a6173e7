import type { ReleaseWithPlans } from '../catalog/releases/record.ts'
import type { Release } from '../core/release.ts'
import { MAX_MESSAGE_LENGTH } from '../core/release.ts'
import { type ComparedPlan, PLAN_TERMS, type ReleaseDiff } from '../core/release-diff.ts'
import { badge, facts } from '../platform/web/components/content.ts'
import { table } from '../platform/web/components/table.ts'
import { type TimelineEntry, timeline } from '../platform/web/components/timeline.ts'
import { type Html, html, type Part } from '../platform/web/html.ts'
import { TERM_WORDS, termWords } from './ops/words.ts'

const DECIDED = { APPROVED: 'Approved', REJECTED: 'Rejected', WITHDRAWN: 'Withdrawn' } as const
const TONES = { APPROVED: 'good', REJECTED: 'bad', WITHDRAWN: 'plain' } as const

/** A release from its submission to the decision, with the questions and answers between. */
export function reviewTimeline({
  release: { status, createdAt, decidedAt, reason },
  messages,
}: Pick<ReleaseWithPlans, 'release' | 'messages'>): Html {
  const said = messages.map(
    ({ author, text, createdAt: at }): TimelineEntry => ({
      ...{ at, title: author === 'OPERATOR' ? 'Question of the operator' : 'Answer of the developer' },
      ...{ detail: html`<span class="typed">${text}</span>`, tone: author === 'OPERATOR' ? 'warn' : 'plain' },
    }),
  )
  const submitted: TimelineEntry = { at: createdAt, title: 'Submitted', tone: 'good' }
  const inReview: TimelineEntry = {
    ...{ at: createdAt, title: 'In review', tone: 'warn' },
    detail: 'The operator compares the package and the plans.',
  }
  const entries =
    status === 'SUBMITTED'
      ? [submitted, inReview, ...said]
      : [
          ...[submitted, ...said],
          {
            ...{ at: decidedAt ?? createdAt, title: DECIDED[status], tone: TONES[status] },
            detail: status === 'APPROVED' ? 'The plans are on sale.' : reason,
          },
        ]
  return html`<section class="section"><h2>Review</h2>${timeline('The way of the release', entries)}</section>`
}

/** Why a text cannot be sent. `asked` is the sentence for an empty one. */
export function messageProblem(text: string, asked: string): string | undefined {
  if (text === '') return asked
  if ([...text].length > MAX_MESSAGE_LENGTH) return `Enter at most ${MAX_MESSAGE_LENGTH} characters.`
  return undefined
}

interface Compared {
  readonly release: Pick<Release, 'package'>
  readonly diff: ReleaseDiff
}

/** The permissions of the package beside those of the package before it. */
export function permissionDiff({ release, diff }: Compared): Html | false {
  const apk = release.package?.apk
  if (apk === undefined) return false
  const { addedPermissions: added, removedPermissions: removed } = diff
  const kept = apk.permissions.filter(permission => !added.includes(permission))
  const rows = [
    ...added.map(permission => ({ permission, state: badge('New', 'warn') })),
    ...removed.map(permission => ({ permission, state: badge('Removed') })),
    ...kept.map(permission => ({ permission, state: badge('As before') })),
  ]
  if (rows.length === 0) return html`<h2>Permissions</h2><p>The package asks for none.</p>`
  return table({
    caption: 'Permissions',
    rows,
    columns: [
      { name: 'Permission', cell: ({ permission }) => html`<code>${permission}</code>` },
      { name: 'Compared', cell: ({ state }) => state },
    ],
  })
}

/** The plans beside those of the same name in the last approved release. */
export function planDiff({ diff }: Pick<Compared, 'diff'>): Html {
  if (diff.plans.length === 0) return html`<h2>Plans</h2><p>This release adds no plans.</p>`
  return html`<h2>Plans</h2>
<ul class="cards">${diff.plans.map(compared => html`<li>${planCard(compared)}</li>`)}</ul>`
}

function planCard({ plan, earlier, changed }: ComparedPlan): Html {
  const state =
    earlier === undefined ? badge('New', 'warn') : changed.length > 0 ? badge('Changed', 'warn') : badge('As before')
  const hasTrial = plan.trialPeriodDays > 0 || changed.includes('trialEligibility')
  // The words of the interval name the count.
  const terms = PLAN_TERMS.filter(term => term !== 'intervalCount' && (hasTrial || term !== 'trialEligibility'))
  const rows = terms.map((term): [string, Part] => [
    TERM_WORDS[term],
    earlier !== undefined && (changed.includes(term) || (term === 'interval' && changed.includes('intervalCount')))
      ? html`<ins>${termWords(plan, term)}</ins><br><del>${termWords(earlier, term)}</del>`
      : termWords(plan, term),
  ])
  return html`<section class="card"><div class="card-head"><h3>${plan.name}</h3>${state}</div>${facts(rows)}</section>`
}
