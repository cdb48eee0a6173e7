import { type Static, Type } from 'typebox'
import { DELIVERY_STATUSES } from '../../core/delivery.ts'
import type { Hook } from '../../core/hook.ts'
import { UUID } from '../../core/id.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { badge, facts } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  choices,
  form,
  linkButton,
  type Problems,
  press,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { progress } from '../../platform/web/components/progress.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { findHookHealth } from '../../webhooks/hooks/health.ts'
import { redeliverOne } from '../../webhooks/redeliveries/redeliver-one.ts'
import { percentOf, type Redelivery, redeliveryNotFound } from '../../webhooks/redeliveries/redelivery.ts'
import { cancelRedelivery, startRedelivery } from '../../webhooks/redeliveries/start.ts'
import { findRedelivery } from '../../webhooks/redeliveries/store.ts'
import { aboveOf, framed, HookParams, hookPage, pathOfHook, type ShownHook } from './hook-page.ts'
import { STATUS_WORDS } from './words.ts'

const PATH = `${WEBHOOKS_PATH}/:hookId/resend`
const JOB_PATH = `${PATH}/:redeliveryId`
const JobParams = Type.Object({ hookId: Uuid, redeliveryId: Uuid })
const REFRESH_SECONDS = 3
/** More than a page of deliveries shows. */
const MOST_CHOSEN = 100

const HOUR_MS = 3_600_000
const SPANS = { HOUR: HOUR_MS, DAY: 24 * HOUR_MS, WEEK: 7 * 24 * HOUR_MS } as const

const Entered = Type.Object({
  once: Uuid,
  since: Type.Enum(['HOUR', 'DAY', 'WEEK', 'FAILING', 'RANGE']),
  which: Type.Enum([...DELIVERY_STATUSES, 'ALL']),
  startAt: Type.String({ maxLength: 40 }),
  endAt: Type.String({ maxLength: 40 }),
})
type Entered = Static<typeof Entered>

/** Sends many deliveries of an endpoint again: since the endpoint began to fail, of a recent time, or of a range. */
export function resendPages(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'dispatch'>): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path: PATH, params: HookParams, name: 'askWhatToResend', operation: 'deliveries.redeliver' },
      async handle(call, shown) {
        if (!shown.hook.active) return redirect(`${pathOfHook(shown.hook)}/on`)
        const since = (await failingSince(call, shown.hook)) === undefined ? 'DAY' : 'FAILING'
        return resendForm(call, shown, { once: ports.newId(), since, which: 'ERRORED', startAt: '', endAt: '' })
      },
    }),
    hookPage({
      ...{ method: 'POST', path: PATH, params: HookParams, name: 'resendMany', operation: 'deliveries.redeliver' },
      form: Entered,
      async handle(call, shown) {
        const { hook } = shown
        const range = await rangeOf(call, hook, { entered: call.form, now: ports.clock.now() })
        const { once, which } = call.form
        const started = await startRedelivery({ ...ports, db: call.db }, call.principal, {
          ...{ appId: hook.appId, hookId: hook.hookId, redeliveryId: once, ...range },
          ...(which === 'ALL' ? {} : { status: which }),
        })
        if (!isRejection(started)) return redirect(pathOfJob(hook, started))
        const problems = problemsOf(started)
        return problems === undefined
          ? started
          : resendForm(call, shown, { ...call.form, once: ports.newId() }, problems)
      },
    }),
    hookPage({
      ...{ method: 'POST', path: `${PATH}/chosen`, params: HookParams, name: 'resendChosen' },
      operation: 'deliveries.redeliver',
      audited: false,
      form: Type.Object({ chosen: Type.Optional(Type.Array(Text(36, 0), { maxItems: MOST_CHOSEN })) }),
      async handle({ db, form, principal }, { hook }) {
        let sent = 0
        const ids = [...new Set(form.chosen)]
        for (const notificationId of ids) {
          if (!UUID.test(notificationId)) continue
          const of = { appId: hook.appId }
          const again = await redeliverOne({ ...ports, db }, { of, principal, notificationId })
          if (!isRejection(again)) sent++
        }
        const outcome = { sent: String(sent), skipped: String(ids.length - sent) }
        return redirect(addressOf(pathOfHook(hook), outcome))
      },
    }),
    hookPage({
      ...{ method: 'GET', path: JOB_PATH, params: JobParams, name: 'showResend', operation: 'deliveries.read' },
      async handle(call, shown) {
        const job = await findJob(call, shown.hook)
        return isRejection(job) ? job : showJob(call, shown, job)
      },
    }),
    hookPage({
      ...{ method: 'POST', path: `${JOB_PATH}/cancel`, params: JobParams, name: 'cancelResend' },
      operation: 'deliveries.redeliver',
      async handle(call, { hook }) {
        const job = await findJob(call, hook)
        if (isRejection(job)) return job
        const ended = await cancelRedelivery({ ...ports, db: call.db }, job.redeliveryId, { appId: hook.appId })
        return isRejection(ended) ? ended : redirect(pathOfJob(hook, job))
      },
    }),
  ]
}

function pathOfJob(hook: Hook, { redeliveryId }: Redelivery): string {
  return `${pathOfHook(hook)}/resend/${redeliveryId}`
}

async function failingSince({ db }: PageCall, { hookId }: Hook): Promise<Date | undefined> {
  return (await findHookHealth(db.sql, [hookId])).get(hookId)?.failingSince
}

/** A problem appears beside its field. Other rejections have their own page. */
function problemsOf({ rejected, fields, developerMessage }: Rejection): Problems | undefined {
  if (rejected === 'TOO_MANY_REDELIVERIES') return { '': developerMessage }
  const field = fields?.[0]
  if (field === undefined) return undefined
  return { [field.path === 'endAt' ? 'endAt' : 'startAt']: `The time ${field.problem}.` }
}

async function rangeOf(
  call: PageCall,
  hook: Hook,
  { entered, now }: { readonly entered: Omit<Entered, 'once' | 'which'>; readonly now: Date },
): Promise<{ readonly startAt?: string; readonly endAt?: string }> {
  const { since, startAt, endAt } = entered
  if (since === 'RANGE') {
    return { startAt: instantText(startAt), ...(endAt.trim() === '' ? {} : { endAt: instantText(endAt) }) }
  }
  const from = since === 'FAILING' ? await failingSince(call, hook) : new Date(now.getTime() - SPANS[since])
  // The endpoint has recovered since the form was shown.
  return { startAt: (from ?? new Date(now.getTime() - SPANS.DAY)).toISOString() }
}

/** The browser sends "2026-03-01T10:00", which is in UTC; other texts are read as RFC 3339. */
function instantText(text: string): string {
  const [, day, minute, second = ':00'] = /^\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?\s*$/.exec(text) ?? []
  return day === undefined ? text.trim() : `${day}T${minute}${second}Z`
}

async function resendForm(call: PageCall, { hook, appName }: ShownHook, entered: Entered, problems: Problems = {}) {
  const failing = await failingSince(call, hook)
  const main = html`${pageHead({ title: 'Send deliveries again', above: aboveOf(hook), lead: `Endpoint of ${appName}` })}
<p>Payloads and IDs stay the same, so a listener that ignores known IDs handles each event once.</p>
${form({
  csrf: call.csrf,
  action: `${pathOfHook(hook)}/resend`,
  hidden: { once: entered.once },
  problems,
  body: html`${choices({
    name: 'since',
    legend: 'Events recorded',
    value: entered.since,
    options: [
      ...(failing === undefined
        ? []
        : [{ value: 'FAILING', text: 'Since the endpoint began to fail', detail: moment(failing) }]),
      { value: 'HOUR', text: 'In the last hour' },
      { value: 'DAY', text: 'In the last 24 hours' },
      { value: 'WEEK', text: 'In the last 7 days' },
      { value: 'RANGE', text: 'In a range', detail: 'Enter the times below. History goes back 30 days.' },
    ],
  })}
${textField({ name: 'startAt', label: 'From (UTC)', type: 'datetime-local', isOptional: true, value: entered.startAt, problem: problems.startAt })}
${textField({ name: 'endAt', label: 'Until (UTC)', type: 'datetime-local', hint: 'Leave this empty to resend up to now.', isOptional: true, value: entered.endAt, problem: problems.endAt })}
${choices({
  name: 'which',
  legend: 'Deliveries',
  value: entered.which,
  options: [
    { value: 'ERRORED', text: 'Failed', detail: 'Every attempt failed.' },
    { value: 'ERRORED_RETRYING', text: 'Retrying', detail: 'Tried again now instead of later.' },
    { value: 'ALL', text: 'All', detail: 'Delivered ones, too.' },
  ],
})}
${buttons(button('Send again', { kind: 'primary' }), linkButton('Go back', pathOfHook(hook)))}`,
})}`
  return framed(call, { title: 'Send deliveries again', main, width: 'narrow', problems })
}

async function findJob(
  { db, params }: PageCall<{ readonly redeliveryId: string }>,
  { appId, hookId }: Hook,
): Promise<Redelivery | Rejection> {
  const job = await findRedelivery(db.sql, params.redeliveryId, { appId })
  return job?.hookId === hookId ? job : redeliveryNotFound()
}

const STATES = {
  RUNNING: badge('Running', 'warn'),
  DONE: badge('Done', 'good'),
  CANCELLED: badge('Cancelled'),
} as const

/** The progress of a resend. The page refreshes itself until the job ends. */
function showJob(call: PageCall, { hook, appName }: ShownHook, job: Redelivery): PageAnswer {
  const isRunning = job.state === 'RUNNING'
  const counts: Fact[] = [
    ['State', STATES[job.state]],
    ['From', moment(job.startAt)],
    ['Until', moment(job.endAt)],
    ['Deliveries', job.status === undefined ? 'All' : STATUS_WORDS[job.status].word],
    ['Sent again', job.queued],
    [
      'Skipped',
      html`${job.skipped}${job.skipped > 0 && html` <span class="fine">still queued for a first attempt</span>`}`,
    ],
  ]
  const mayCancel = isRunning && !isTakenByRole(call.principal, 'deliveries.redeliver')
  const main = html`${pageHead({ title: 'Deliveries sent again', above: aboveOf(hook), lead: `Endpoint of ${appName}` })}
${progress('Progress', percentOf(job))}
<div class="section">${facts(counts)}</div>
<div class="buttons">${linkButton('Back to the endpoint', pathOfHook(hook))}${mayCancel && press(`${pathOfJob(hook, job)}/cancel`, call.csrf, button('Cancel', { kind: 'danger' }))}</div>`
  return framed(call, { title: 'Deliveries sent again', main, refreshSeconds: isRunning ? REFRESH_SECONDS : undefined })
}
