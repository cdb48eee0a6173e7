import { Type } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import { type CatchUp, isUndecided } from '../../core/catch-up.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { CATCH_UP_DECISIONS, decideCatchUp, MAX_SPREAD_DAYS } from '../../money/catch-up/decide.ts'
import { type DryRunRow, dryRun } from '../../money/catch-up/dry-run.ts'
import { findBillingProgress } from '../../money/catch-up/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { emptyState, facts } from '../../platform/web/components/content.ts'
import { button, buttons, choices, form, textField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { table } from '../../platform/web/components/table.ts'
import { day, moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { MONEY_PATHS, moneyParts } from './money-parts.ts'
import { appLink, type Desk, framed, opsPage } from './ops-page.ts'

export const CATCH_UP_PATH = MONEY_PATHS.missed

const STATES: Readonly<Record<CatchUp['state'], string>> = {
  WAITING: 'Charged without a decision',
  RELEASED: 'Charged at once',
  SPREAD: 'Spread over days',
  WAIVED: 'Waived',
}

/** The charges that wait after an outage of billing, and the operator's decision. */
export function catchUpPages(ports: Pick<Ports, 'db' | 'clock' | 'wake'>): AnyPage[] {
  return [
    opsPage({
      ...{ path: CATCH_UP_PATH, method: 'GET', name: 'showCatchUp', operation: 'operations.read' },
      handle: (call, desk) => show(ports, call, desk),
    }),
    opsPage({
      ...{ path: CATCH_UP_PATH, method: 'POST', name: 'decideAboutCatchUp', operation: 'catchUp.decide' },
      form: Type.Object({ decision: Type.Enum([...CATCH_UP_DECISIONS]), days: Type.Optional(Type.String()) }),
      async handle(call, desk): Promise<PageAnswer | Rejection> {
        const { decision, days = '' } = call.form
        const typed = Number(days)
        const isDays = Number.isInteger(typed) && typed >= 1 && typed <= MAX_SPREAD_DAYS
        if (decision === 'SPREAD' && !isDays) return show(ports, call, desk, days)
        const made = await decideCatchUp({ ...ports, db: call.db }, { decision, ...(isDays && { spreadDays: typed }) })
        // Another operator decided first, or the time has run out: the page shows it.
        return isRejection(made) && made.rejected !== 'NO_CATCH_UP' ? made : redirect(CATCH_UP_PATH)
      },
    }),
  ]
}

/** `wrongDays`: the entered text, if it is not a valid number of days. */
async function show(
  { clock }: Pick<Ports, 'clock'>,
  call: PageCall,
  desk: Desk,
  wrongDays?: string,
): Promise<PageAnswer> {
  const { sql } = call.db
  const catchUp = (await findBillingProgress(sql))?.catchUp ?? null
  const isOpen = catchUp !== null && isUndecided(catchUp, clock.now())
  const main = html`${pageHead({ title: 'Missed charges', lead: 'Charges that became due while billing stood still.' })}
${moneyParts('missed')}
${catchUp === null ? emptyState('Nothing was missed', 'If billing stands still for more than a day, the missed charges wait here for your decision.') : outageOf(catchUp, isOpen)}
${isOpen && (await waiting(sql, catchUp))}
${isOpen && desk.may('catchUp.decide') && decision(call.csrf, wrongDays)}`
  return framed(call, { title: 'Missed charges', part: 'money', main }, wrongDays === undefined ? {} : { status: 400 })
}

function outageOf({ outageFrom, outageUntil, state, goesOnAt, decidedAt, spreadDays }: CatchUp, isOpen: boolean): Html {
  return html`<div class="section">${facts([
    ['Billing stood still', html`${moment(outageFrom)} to ${moment(outageUntil)}`],
    ['Missed charges', isOpen ? html`wait until ${moment(goesOnAt)}, and are charged then` : STATES[state]],
    spreadDays !== undefined && ['Days', String(spreadDays)],
    decidedAt !== undefined && ['Decided', moment(decidedAt)],
  ])}</div>`
}

async function waiting(sql: Sql, catchUp: CatchUp): Promise<Html> {
  const { rows, isCut } = await dryRun(sql, catchUp)
  if (rows.length === 0) return html`<p>No missed charge is left.</p>`
  const names = new Map<string, string>()
  for (const { appId } of rows) {
    if (!names.has(appId)) names.set(appId, (await findApp(sql, appId))?.name ?? 'An app')
  }
  return html`${table<DryRunRow>({
    caption: 'Missed charges, if each succeeds',
    rows,
    columns: [
      { name: 'Due', cell: row => day(row.day) },
      {
        name: 'App',
        cell: ({ appId }) => appLink({ appId, appName: names.get(appId) ?? '' }),
      },
      { name: 'Charges', isNumber: true, cell: ({ charges }) => String(charges) },
      { name: 'Amount', isNumber: true, cell: moneyWords },
    ],
  })}
${isCut && html`<p class="fine">More subscriptions wait. The list shows those that were due first.</p>`}`
}

function decision(csrf: string, wrongDays?: string): Html {
  const range = `1 to ${MAX_SPREAD_DAYS}`
  const problem = wrongDays === undefined ? undefined : `Enter a number of days from ${range}.`
  return html`<h2>Decide</h2>
${form({
  csrf,
  ...(problem && { problems: { days: problem } }),
  action: CATCH_UP_PATH,
  body: html`${choices({
    ...{ name: 'decision', legend: 'The missed charges', value: 'SPREAD' },
    options: [
      {
        value: 'SPREAD',
        text: 'Spread over days',
        detail: 'The missed charges follow over several days, in the order in which they were due.',
      },
      {
        value: 'RELEASE',
        text: 'Charge now',
        detail: 'A subscription is charged for each missed period, one after another.',
      },
      {
        value: 'WAIVE',
        text: 'Waive',
        detail: 'The missed periods are free. The next period begins now and is charged now.',
      },
    ],
  })}
${textField({ name: 'days', label: 'Days', hint: `${range}. Only for charges that are spread.`, value: wrongDays ?? '7', ...(problem && { problem }), maxlength: 2, inputmode: 'numeric', autocomplete: 'off' })}
${buttons(button('Confirm', { kind: 'primary' }))}`,
})}`
}
