import type { Release } from '../core/release.ts'
import { type ComparedPlan, PLAN_TERMS, type ReleaseDiff } from '../core/release-diff.ts'
import { badge, facts } from '../platform/web/components/content.ts'
import { table } from '../platform/web/components/table.ts'
import { type Html, html, type Part } from '../platform/web/html.ts'
import { TERM_WORDS, termWords } from './ops/words.ts'

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
