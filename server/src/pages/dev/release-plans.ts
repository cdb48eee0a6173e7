import { Type } from 'typebox'
import { v7 } from 'uuid'
import { changeDraft } from '../../catalog/releases/draft.ts'
import { isRejection } from '../../core/rejection.ts'
import { type DraftPlan, withPlan } from '../../core/release-draft.ts'
import { type AnyPage, type PageCall, redirect, shown } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton } from '../../platform/web/components/form.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { TERM_COLUMNS } from '../ops/words.ts'
import { emptyCard, findFace, planCard } from '../plan-card.ts'
import { devPage } from './dev-page.ts'
import { definitionOf, entriesOf, NEW_PLAN, PLAN_FIELDS, type PlanEntries, withPrices } from './plan-entries.ts'
import { planForm } from './plan-form.ts'
import {
  type Drafted,
  findDrafted,
  hiddenOf,
  OF_RELEASE,
  pathOfStep,
  RELEASE_PATH,
  Revision,
  revisionOf,
  stepShown,
} from './release-steps.ts'

type PlanPorts = Pick<Ports, 'db' | 'clock' | 'newId'>
type Call = PageCall<{ readonly appId: string }, unknown, unknown>
const PLAN_PATH = `${RELEASE_PATH}/plans/:planId`

/** Step 2 of a new release: its plans, and one in the editor beside the screen of the terminal. */
export function planPages(ports: PlanPorts): AnyPage[] {
  const params = Type.Object({ ...OF_RELEASE.params.properties, planId: Uuid })
  return [
    devPage({
      ...{ ...OF_RELEASE, method: 'GET', path: `${RELEASE_PATH}/plans`, name: 'showReleasePlans' },
      async handle(call) {
        const drafted = await findDrafted(call)
        return isRejection(drafted) ? drafted : plansStep(call, drafted)
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, params, method: 'GET', path: PLAN_PATH, name: 'editReleasePlan' },
      query: Type.Object({ like: Type.Optional(Uuid) }),
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { planId } = call.params
        const find = (id: string | undefined) => drafted.draft?.plans.find(one => one.planId === id)
        const known = find(planId) ?? find(call.query.like)
        return editor(ports, call, drafted, { planId, entries: known ? entriesOf(known) : NEW_PLAN })
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, params, method: 'POST', path: PLAN_PATH, name: 'saveReleasePlan', audited: false },
      form: Type.Object({ ...PLAN_FIELDS, revision: Revision, do: Type.Optional(Text(20, 0)) }),
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { app, draft } = drafted
        const { do: what = 'save', ...entries } = call.form
        const planId = call.params.planId
        const [, row] = /^remove-(\d+)$/.exec(what) ?? []
        if (row !== undefined || what === 'row') {
          const changed = withPrices(entries, row === undefined ? 'add' : { remove: Number(row) })
          return editor(ports, call, drafted, { planId, entries: changed })
        }
        const definition = definitionOf(entries)
        if ('problems' in definition) return editor(ports, call, drafted, { planId, entries, ...definition })
        const plans = withPlan(draft?.plans ?? [], { ...definition, planId })
        const change = { appId: app.appId, revision: revisionOf(call.form), change: { plans } }
        const saved = await changeDraft({ ...ports, db: call.db }, change)
        if (!isRejection(saved)) return redirect(pathOfStep(app, 'plans'))
        if (saved.rejected === 'DRAFT_CHANGED') {
          return editor(ports, call, drafted, { planId, entries, isChanged: true })
        }
        return saved
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, params, method: 'POST', path: `${PLAN_PATH}/card`, name: 'showPlanCard', audited: false },
      form: Type.Object({ ...PLAN_FIELDS, revision: Revision }),
      async handle(call) {
        const card = await cardOf(ports, call, call.form)
        return shown(() => html`<!doctype html><title>Plan</title>${card}`)
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, params, method: 'POST', path: `${PLAN_PATH}/remove`, name: 'removeReleasePlan' },
      audited: false,
      form: Type.Object({ revision: Revision }),
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { app, draft } = drafted
        const plans = (draft?.plans ?? []).filter(({ planId }) => planId !== call.params.planId)
        const change = { appId: app.appId, revision: revisionOf(call.form), change: { plans } }
        const saved = await changeDraft({ ...ports, db: call.db }, change)
        if (isRejection(saved) && saved.rejected === 'DRAFT_CHANGED') return plansStep(call, drafted, true)
        return isRejection(saved) ? saved : redirect(pathOfStep(app, 'plans'))
      },
    }),
  ]
}

function plansStep(call: Call, drafted: Drafted, isChanged = false) {
  const { app, draft } = drafted
  const path = pathOfStep(app, 'plans')
  const plans = draft?.plans ?? []
  // The id is made here, so that a form that is sent twice makes one plan.
  const add = linkButton(plans.length === 0 ? 'Add a plan' : 'Add another plan', `${path}/${v7()}`, {
    ...(plans.length === 0 && { kind: 'primary' }),
  })
  const main = html`${
    plans.length === 0
      ? emptyState(
          'No plans in this release',
          'A release without plans only brings a new package. Plans of earlier releases stay on sale.',
          add,
        )
      : table<DraftPlan>({
          caption: 'Plans of this release',
          rows: plans,
          columns: [
            { name: 'Name', cell: ({ planId, name }) => html`<a href="${`${path}/${planId}`}">${name}</a>` },
            ...TERM_COLUMNS,
            {
              name: 'Actions',
              cell: ({ planId, name }) =>
                html`<div class="actions">${linkButton('Copy', addressOf(`${path}/${v7()}`, { like: planId }), { size: 'small', about: name })}${form(
                  {
                    csrf: call.csrf,
                    action: `${path}/${planId}/remove`,
                    hidden: hiddenOf(draft),
                    body: button('Remove', { size: 'small', about: name }),
                  },
                )}</div>`,
            },
          ],
        })
  }
${buttons(...(plans.length === 0 ? [] : [add]), linkButton('Continue', pathOfStep(app, 'notes'), plans.length === 0 ? {} : { kind: 'primary' }), linkButton('Back to the package', pathOfStep(app, 'package'), { kind: 'quiet' }))}`
  return stepShown(call, { ...drafted, step: 'plans', main, isChanged })
}

interface Edited {
  readonly planId: string
  readonly entries: PlanEntries
  readonly problems?: Readonly<Record<string, string>>
  readonly isChanged?: boolean
}

async function editor(
  ports: PlanPorts,
  call: Call,
  drafted: Drafted,
  { planId, entries, problems = {}, isChanged = false }: Edited,
) {
  const { app, draft } = drafted
  const card = await cardOf(ports, call, entries)
  const main = planForm({
    csrf: call.csrf,
    path: `${pathOfStep(app, 'plans')}/${planId}`,
    draft,
    entries,
    problems,
    card,
  })
  return stepShown(call, { app, draft, step: 'plans', main, problems, isChanged })
}

async function cardOf({ clock }: PlanPorts, { db, params }: Call, entries: PlanEntries) {
  const face = await findFace(db.sql, params.appId)
  const definition = definitionOf(entries)
  return 'problems' in definition ? emptyCard(face) : planCard(face, definition, clock.now())
}
