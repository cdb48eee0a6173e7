import type { ReleaseWithPlans } from '../catalog/releases/record.ts'
import { MAX_MESSAGE_LENGTH } from '../core/release.ts'
import { type TimelineEntry, timeline } from '../platform/web/components/timeline.ts'
import { type Html, html } from '../platform/web/html.ts'

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
