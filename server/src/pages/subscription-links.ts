import { findApps } from '../catalog/apps/store.ts'
import { findPlans } from '../catalog/plans/store.ts'
import type { Subscription } from '../core/subscription.ts'
import type { Sql } from '../platform/db/db.ts'
import { type Html, html } from '../platform/web/html.ts'

/** Subscriptions by app and plan, each with a link. */
export async function subscriptionLinks(
  sql: Sql,
  subscriptions: readonly Subscription[],
  hrefOf: (subscription: Subscription) => string,
): Promise<Html> {
  const apps = await findApps(sql, [...new Set(subscriptions.map(({ appId }) => appId))])
  const plans = await findPlans(sql, [...new Set(subscriptions.map(({ planId }) => planId))])
  return html`<ul>${subscriptions.map(subscription => {
    const app = apps.find(({ appId }) => appId === subscription.appId)
    const plan = plans.find(({ planId }) => planId === subscription.planId)
    return html`<li><a href="${hrefOf(subscription)}">${app?.name}, ${plan?.name}</a></li>`
  })}</ul>`
}
