import { Type } from 'typebox'
import { findPlan } from '../../catalog/plans/store.ts'
import { toTimestamp } from '../../core/calendar.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { CancellationReason } from '../../core/subscription.ts'
import { CANCELLATION_REASONS, type Subscription } from '../../core/subscription.ts'
import { type CancelPreview, cancel, previewCancel } from '../../money/billing/act.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line, Text, Uuid } from '../../platform/http/wire.ts'
import { notice } from '../../platform/web/components/content.ts'
import { confirmation, selectField, textField } from '../../platform/web/components/form.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { english, say, sayHtml, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { findOwnSubscription, framed, ownPage, PATHS, type Shop } from './own-page.ts'
import { appFaces } from './standing.ts'

type CancelPorts = Parameters<typeof cancel>[0]
type Call = PageCall<{ readonly subscriptionId: string }>

const path = `${PATHS.subscriptions}/:subscriptionId/cancel`
const NO_REASON = 'NONE'
const params = Type.Object({ subscriptionId: Uuid })

/** Shows the effect of a cancellation, asks for confirmation, and cancels. */
export function cancelSubscriptionPages(ports: CancelPorts & Pick<Ports, 'clock'>): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path, params, name: 'askBeforeCancelling', operation: 'subscriptions.cancel' },
      async handle(call, shop) {
        const subscription = await findOwnSubscription(call.db.sql, shop, call.params.subscriptionId)
        return isRejection(subscription) ? subscription : ask(ports, call, shop, subscription)
      },
    }),
    ownPage(ports, {
      ...{ method: 'POST', path, params, name: 'cancelOwnSubscription', operation: 'subscriptions.cancel' },
      /** The result that the page announced. */
      form: Type.Object({
        shown: Text(60),
        reason: Type.Optional(Type.Enum([NO_REASON, ...CANCELLATION_REASONS])),
        comment: Type.Optional(Line(500, 0)),
      }),
      async handle(call, shop) {
        const subscription = await findOwnSubscription(call.db.sql, shop, call.params.subscriptionId)
        if (isRejection(subscription)) return subscription
        const back = `${PATHS.subscriptions}/${subscription.subscriptionId}?done=cancelled`
        // Pressed twice, or from the browser history: already done.
        if (subscription.status === 'ENDED' || subscription.cancelAt !== undefined) return redirect(back)
        const own = { ...subscription, businessId: shop.businessId }
        const preview = await previewCancel(ports, own)
        if (isRejection(preview)) return preview
        // The trial may have become a paid period, or the period may have changed since the page was shown.
        if (wordOf(preview, subscription) !== call.form.shown)
          return ask(ports, call, shop, subscription, changedNotice())
        const { reason = NO_REASON, comment = '' } = call.form
        const isGiven = reason !== NO_REASON || comment.trim() !== ''
        const why = isGiven && {
          why: { reason: reason === NO_REASON ? 'OTHER' : reason, comment: comment.trim() } as const,
        }
        const cancelled = await cancel({ ...ports, db: call.db }, { ...own, ...why })
        return isRejection(cancelled) ? cancelled : redirect(back)
      },
    }),
  ]
}

const changedNotice = () =>
  notice('warn', say`Please look again`, say`Something has changed since you opened this page. Nothing was cancelled.`)

async function ask(
  ports: CancelPorts,
  call: Call,
  shop: Shop,
  subscription: Subscription,
  said?: Html,
): Promise<PageAnswer | Rejection> {
  const { subscriptionId, appId, businessId, planId } = subscription
  const back = `${PATHS.subscriptions}/${subscriptionId}`
  const preview = await previewCancel(ports, { appId, subscriptionId, businessId })
  if (isRejection(preview)) return preview
  if (subscription.cancelAt !== undefined) return redirect(`${back}?done=cancelled`)
  const plan = await findPlan(call.db.sql, planId)
  const app = (await appFaces(call.db.sql, [appId])).get(appId)
  const main = html`${said}${confirmation(call, {
    title: say`Cancel ${plan?.name ?? say`this subscription`}?`,
    words: html`<p class="lead">${say`${app?.name ?? ''} by ${app?.developer ?? ''}`}</p>
${consequences(preview, subscription, shop)}`,
    verb: preview.isAtOnce ? say`Cancel now` : say`Cancel subscription`,
    isDangerous: true,
    backHref: back,
    backText: say`Keep it`,
    hidden: { shown: wordOf(preview, subscription) },
    fields: html`${selectField({ name: 'reason', label: say`Why do you cancel?`, isOptional: true, value: NO_REASON, options: [{ value: NO_REASON, text: say`I would rather not say` }, ...CANCELLATION_REASONS.map(value => ({ value, text: sayText(REASON_WORDS[value]) }))] })}
${textField({ name: 'comment', label: say`Anything that the developer should know?`, hint: say`The developer of the app reads it.`, isOptional: true, autocomplete: 'off', maxlength: 500 })}`,
  })}`
  return framed(call, shop, { title: say`Cancel subscription`, part: 'subscriptions', width: 'narrow', main })
}

function consequences({ isAtOnce, endsAt, dropped }: CancelPreview, subscription: Subscription, shop: Shop): Html {
  const { timezone } = shop
  const { phase, currency, amount, currentPeriodEnd } = subscription
  if (!isAtOnce) {
    return html`<ul>
<li>${sayHtml`You can use it until ${day(endsAt, timezone)}.`}</li>
<li>${say`Nothing more is charged.`}</li>
<li>${say`Until then you can change your mind.`}</li>
</ul>`
  }
  const isPaid = phase === 'FULL' && amount > 0 && dropped === 0
  return html`<ul>
<li><strong>${say`It ends at once.`}</strong> ${say`The app may stop working for you right away.`}</li>
<li>${say`Nothing more is charged.`}</li>
${dropped > 0 && html`<li>${say`You no longer owe the ${moneyWords({ amount: dropped, currency })} that could not be charged.`}</li>`}
${isPaid && html`<li>${sayHtml`You have paid until ${day(currentPeriodEnd, timezone)}. The rest of that time is not paid back.`}</li>`}
<li>${phase === 'TRIAL' ? say`It cannot be undone. You can subscribe again at any time, but perhaps without a free trial.` : say`It cannot be undone. You can subscribe again at any time.`}</li>
</ul>`
}

/** A fingerprint of the shown preview, compared when the button is pressed. */
function wordOf({ isAtOnce, dropped }: CancelPreview, { currentPeriodEnd }: Subscription): string {
  return `${isAtOnce ? 'now' : 'then'} ${toTimestamp(currentPeriodEnd)} ${dropped}`
}

/** The choices of a merchant, as the developer reads them too. */
export const REASON_WORDS: Readonly<Record<CancellationReason['reason'], string>> = {
  TOO_EXPENSIVE: english('Too expensive'),
  NOT_USED: english('Not used enough'),
  MISSING_FEATURE: english('Something is missing'),
  TECHNICAL_PROBLEMS: english('Technical problems'),
  OTHER: english('Another reason'),
}
