import { Type } from 'typebox'
import { DELIVERY_STATUSES } from '../../core/delivery-status.ts'
import type { Hook } from '../../core/hook.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { AnyPage, PageCall } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { facts } from '../../platform/web/components/facts.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { moment } from '../../platform/web/dates.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { findHookHealth } from '../../webhooks/hooks/health.ts'
import { listDeliveries } from '../../webhooks/notifications/history.ts'
import { framed, HookParams, hookPage, pathOfHook, type ShownHook } from './hook-page.ts'
import { type Standing, shortUrl, standingBadge, standingOf } from './hook-words.ts'
import { notificationList } from './notification-list.ts'
import { press } from './press.ts'

/** What was just done, as the page after it says. */
const DONE = {
  off: 'The webhook is switched off',
  on: 'The webhook is switched on',
  resent: 'The webhook is switched on. What it missed is being sent.',
} as const

type Deed = keyof typeof DONE

export function pathAfter(hook: Pick<Hook, 'hookId'>, deed: Deed): string {
  return `${pathOfHook(hook)}?done=${deed}`
}

const ON_A_PAGE = '25'

/** One hook: how it stands, what it hears, what it was told lately, and what can be done to it. Never its secret. */
export function showHookPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return hookPage({
    ...{ method: 'GET', path: `${WEBHOOKS_PATH}/:hookId`, name: 'showHook', operation: 'hooks.read' },
    params: HookParams,
    query: Type.Object({
      done: Type.Optional(Type.Enum(Object.keys(DONE) as Deed[])),
      status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
      after: Type.Optional(Uuid),
    }),
    async handle(call, shownHook) {
      const { hook } = shownHook
      const { done, ...asked } = call.query
      const history = await listDeliveries(
        { ...ports, db: call.db },
        {
          ...{ of: { appId: hook.appId }, principal: call.principal },
          query: { ...asked, hookId: hook.hookId, limit: ON_A_PAGE },
        },
      )
      if (isRejection(history)) return history
      const health = (await findHookHealth(call.db.sql, [hook.hookId])).get(hook.hookId)
      const standing = standingOf(hook, health, ports.clock.now())
      const main = html`<h1>${shortUrl(hook.deliveryUrl)}</h1>
<p class="lead">A webhook of ${shownHook.appName}</p>
${done !== undefined && notice('good', DONE[done])}
${warningOf(standing)}
<div class="section">${facts(await factsOf(call, shownHook, standing))}
${actionsOf(call, hook)}</div>
${notificationList(hook, history, asked)}
<p>${linkButton('All webhooks', WEBHOOKS_PATH)}</p>`
      return framed(call, { title: `Webhook of ${shownHook.appName}`, main })
    },
  })
}

function warningOf({ word, tone, sentences }: Standing): Html | false {
  if (sentences.length === 0) return false
  const words = sentences.map((sentence, i) => html`${i > 0 && html`<br>`}${sentence}`)
  return notice(tone === 'bad' ? 'bad' : 'warn', word, words)
}

async function factsOf(
  call: PageCall<unknown, unknown, unknown>,
  { hook }: ShownHook,
  standing: Standing,
): Promise<[string, Part][]> {
  return [
    ['State', standingBadge(standing)],
    ['Address', html`<code>${hook.deliveryUrl}</code>`],
    ['About', await businessWords(call, hook)],
    ['Events', hook.eventTypes.map((type, i) => html`${i > 0 && html`<br>`}<code>${type}</code>`)],
    ['Secret', 'Known to the app alone'],
    ['Made', moment(hook.createdAt)],
    ['Last changed', moment(hook.updatedAt)],
    ['Id', html`<code>${hook.hookId}</code>`],
  ]
}

/** Decisions 3: a merchant's record is the operator's to read; a developer knows its id. */
async function businessWords(
  { principal, db }: PageCall<unknown, unknown, unknown>,
  { businessId }: Hook,
): Promise<Part> {
  if (businessId === undefined) return 'All businesses that the app has to do with'
  const business = principal.kind === 'operator' ? await findBusiness(db.sql, businessId) : null
  return html`${business && `${business.doingBusinessAs}, `}<code>${businessId}</code>`
}

/** What the person's role leaves them. What it does not, has no button. */
function actionsOf({ principal, csrf }: PageCall<unknown, unknown, unknown>, hook: Hook): Html | false {
  const may = (operation: Operation) => !isTakenByRole(principal, operation)
  if (!may('hooks.manage')) return false
  const path = pathOfHook(hook)
  const turn = hook.active
    ? linkButton('Switch off', `${path}/off`)
    : linkButton('Switch on', `${path}/on`, { kind: 'primary' })
  return html`<div class="buttons">${press(`${path}/test`, csrf, 'Send a test')}${turn}</div>`
}
