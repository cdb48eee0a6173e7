import { findApps } from '../catalog/apps/store.ts'
import { findPlans } from '../catalog/plans/store.ts'
import type { Subscription } from '../core/subscription.ts'
import { listOfBusiness } from '../money/subscriptions/store.ts'
import type { Sql } from '../platform/db/db.ts'
import { type Html, html } from '../platform/web/html.ts'

/** As on the page of the subscriptions. */
const MOST_LIVE = 200

/** The uncancelled subscriptions that keep a store from closing, as `closeStore` decides. */
export async function keepingStoreOpen(
  sql: Sql,
  { businessId, storeId }: { readonly businessId: string; readonly storeId: string },
): Promise<Subscription[]> {
  const live = [
    ...(await listOfBusiness(sql, { businessId, status: 'PENDING', limit: MOST_LIVE })),
    ...(await listOfBusiness(sql, { businessId, status: 'ACTIVE', limit: MOST_LIVE })),
  ]
  return live.filter(one => one.storeId === storeId && one.cancelAt === undefined)
}

/** The live subscriptions for one terminal alone. */
export async function ofTerminal(
  sql: Sql,
  { businessId, deviceId }: { readonly businessId: string; readonly deviceId: string },
): Promise<Subscription[]> {
  const live = await listOfBusiness(sql, { businessId, status: 'ACTIVE', limit: MOST_LIVE })
  return live.filter(one => one.deviceId === deviceId)
}

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
