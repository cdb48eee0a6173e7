import { Type } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import type { App } from '../../core/app.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { percentOf } from '../../money/endings/ending.ts'
import { startEnding } from '../../money/endings/start.ts'
import { findLastEnding } from '../../money/endings/store.ts'
import { countLiveOfApp } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { badge, facts } from '../../platform/web/components/content.ts'
import { buttons, checkbox, confirmation, linkButton } from '../../platform/web/components/form.ts'
import { progress } from '../../platform/web/components/progress.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { type Desk, framed, opsPage } from './ops-page.ts'

const pathOf = ({ appId }: Pick<App, 'appId'>) => `${OPERATOR_PATHS.apps}/${appId}`
const definition = {
  path: `${OPERATOR_PATHS.apps}/:appId/end`,
  params: Type.Object({ appId: Uuid }),
  operation: 'subscriptions.end',
} as const

/** Ends all subscriptions of an app that the operator disabled. */
export function appEndingPages(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyPage[] {
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeEndingSubscriptions' },
      async handle(call) {
        const { sql } = call.db
        const app = await findApp(sql, call.params.appId)
        if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
        const live = await countLiveOfApp(sql, app.appId)
        if (app.disabledBy !== 'OPERATOR' || live === 0) return redirect(pathOf(app))
        const main = confirmation({
          title: `End all subscriptions of ${app.name}?`,
          words: html`<ul>
<li>${live === 1 ? 'One subscription ends' : `${live} subscriptions end`} now. No subscription can be restored.</li>
<li>The merchants get a mail, and the app gets an event for each subscription.</li>
<li>The subscriptions end one batch after another. To stop in between, enable the app.</li></ul>`,
          fields: checkbox({
            name: 'refund',
            text: 'Refund the unused time',
            detail: 'Each merchant gets back the share of the paid period since the app was disabled.',
          }),
          verb: 'End all subscriptions',
          isDangerous: true,
          backHref: pathOf(app),
          csrf: call.csrf,
        })
        return framed(call, { title: `End subscriptions of ${app.name}`, part: 'apps', main, width: 'narrow' })
      },
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'endSubscriptionsOfApp' },
      form: Type.Object({ refund: Type.Optional(Type.Enum(['on'])) }),
      async handle(call) {
        const { appId } = call.params
        const refundUnused = call.form.refund === 'on'
        const job = await startEnding({ ...ports, db: call.db }, { appId, refundUnused })
        return isRejection(job) ? job : redirect(pathOf({ appId }))
      },
    }),
  ]
}

const STATES = {
  RUNNING: badge('Running', 'warn'),
  DONE: badge('Done', 'good'),
  STOPPED: badge('Stopped'),
} as const

/** The last job of the app with its progress, and the way to a new one. Empty for an app that was never disabled. */
export async function endingCard(sql: Sql, app: App, desk: Desk): Promise<Html> {
  const job = await findLastEnding(sql, app.appId)
  const isDisabled = app.disabledBy === 'OPERATOR' && job?.state !== 'RUNNING'
  const live = isDisabled ? await countLiveOfApp(sql, app.appId) : 0
  const mayBegin = live > 0 && desk.may('subscriptions.end')
  if (job === null && !mayBegin) return html``
  return html`<h2>End of all subscriptions</h2>
${
  job !== null &&
  html`${progress('Progress', percentOf(job))}
<div class="section">${facts([
    ['State', STATES[job.state]],
    ['Ended', `${job.ended} of ${job.total}`],
    ['Refunds', job.refundUnused ? String(job.refunds) : 'None: the unused time is not refunded'],
    job.failed > 0 && ['Failed', `${job.failed}: listed on the money page`],
    ['Started', moment(job.createdAt)],
  ])}</div>`
}
${mayBegin && html`<p>${live === 1 ? 'One subscription is' : `${live} subscriptions are`} on hold while the app is disabled. Nobody is charged.</p>${buttons(linkButton('End all subscriptions', `${pathOf(app)}/end`, { kind: 'danger' }))}`}`
}
