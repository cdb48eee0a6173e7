import { listing } from '../../platform/web/components/facts.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/dates.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { type Attempt, type Attempts, SHOWN_ATTEMPTS } from '../../webhooks/notifications/history-store.ts'
import { attemptBadge } from './delivery-words.ts'

/** The attempts: when, what came back, how long it took, and what the listener said. */
export function attemptTable({ latest, hasEarlier }: Attempts): Html {
  if (latest.length === 0) return html`<h2>Attempts</h2><p>None yet.</p>`
  const attempts = table<Attempt>({
    caption: 'Attempts',
    rows: latest,
    columns: [
      { name: 'When', cell: ({ attemptedAt }) => moment(attemptedAt) },
      { name: 'Outcome', cell: attemptBadge },
      { name: 'Took', isNumber: true, cell: ({ durationMs }) => `${durationMs} ms` },
      { name: 'Answer', cell: answerCell },
    ],
  })
  return html`${attempts}${hasEarlier && html`<p class="fine">Only the latest ${SHOWN_ATTEMPTS} are shown.</p>`}`
}

/** Its beginning: no more of it is kept. */
function answerCell({ answer, attemptedAt }: Attempt): Part {
  if (answer === '') return 'Empty'
  const about = html`<span class="unseen"> of ${moment(attemptedAt)}</span>`
  return html`<details><summary>Show${about}</summary>${listing(answer)}</details>`
}
