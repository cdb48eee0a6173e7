import { iconPath } from '../../catalog/apps/schema.ts'
import { findApps } from '../../catalog/apps/store.ts'
import { findOrganizations } from '../../catalog/organizations/store.ts'
import type { App } from '../../core/app.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findDevices, findStores } from '../../merchants/businesses/store.ts'
import { forecastNext, type SubscriptionForecast } from '../../money/billing/forecast.ts'
import { findChargesOfInvoices } from '../../money/charges/store.ts'
import { listPaymentMethods } from '../../money/payment-methods/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { AppFace } from '../../platform/web/components/card.ts'
import type { Shop } from './own-page.ts'
import { type Standing, standingOf } from './standing.ts'

/** A subscription with all that is shown of it. */
export interface ShownSubscription {
  readonly foreseen: SubscriptionForecast
  readonly app: AppFace
  readonly standing: Standing
  /** The store or the terminal that it is for. */
  readonly place?: string
}

/** What a merchant is shown of these subscriptions, which are all its own. */
export async function showSubscriptions(
  sql: Sql,
  { businessId, now, timezone }: Shop,
  subscriptions: readonly Subscription[],
): Promise<ShownSubscription[]> {
  if (subscriptions.length === 0) return []
  const foreseen = await forecastNext(sql, subscriptions, now)
  const apps = await appFaces(
    sql,
    subscriptions.map(({ appId }) => appId),
  )
  const places = await placeNames(sql, businessId, subscriptions)
  const awaited = await findAwaited(sql, foreseen)
  const hasPaymentMethod = (await listPaymentMethods(sql, businessId, { offset: 0, limit: 1 })).length > 0
  return foreseen.map(one => {
    const { subscriptionId, appId, storeId, deviceId } = one.subscription
    const place = places.get(deviceId ?? storeId ?? '')
    const charge = awaited.get(subscriptionId)
    return {
      foreseen: one,
      app: apps.get(appId) ?? { name: 'An app', developer: 'unknown' },
      standing: standingOf({ foreseen: one, hasPaymentMethod, timezone, ...(charge ? { awaited: charge } : {}) }),
      ...(place === undefined ? {} : { place }),
    }
  })
}

/** Apps as merchants know them: by their name and who makes them. */
export async function appFaces(sql: Sql, appIds: readonly string[]): Promise<Map<string, AppFace>> {
  const apps = await findApps(sql, [...new Set(appIds)])
  const organizations = await findOrganizations(sql, [...new Set(apps.map(({ organizationId }) => organizationId))])
  const names = new Map(organizations.map(({ organizationId, name }) => [organizationId, name]))
  return new Map(apps.map(app => [app.appId, faceOf(app, names.get(app.organizationId))]))
}

/** An app as merchants know it. */
export function faceOf(app: App, developer = ''): AppFace {
  const iconUrl = iconPath(app)
  return { name: app.name, developer, ...(iconUrl === undefined ? {} : { iconUrl }) }
}

async function placeNames(sql: Sql, businessId: string, subscriptions: readonly Subscription[]) {
  const names = new Map<string, string>()
  if (!subscriptions.some(({ storeId, deviceId }) => storeId !== undefined || deviceId !== undefined)) return names
  for (const { storeId, displayName } of await findStores(sql, businessId)) names.set(storeId, displayName)
  for (const { deviceId, name } of await findDevices(sql, businessId)) names.set(deviceId, name)
  return names
}

/** The try of each subscription whose outcome is not known yet. */
async function findAwaited(sql: Sql, foreseen: readonly SubscriptionForecast[]) {
  const waiting = foreseen.filter(({ subscription }) => subscription.awaitedChargeId !== undefined)
  const invoiceIds = waiting.flatMap(({ openInvoices }) => openInvoices.map(({ invoiceId }) => invoiceId))
  const charges = invoiceIds.length === 0 ? [] : await findChargesOfInvoices(sql, invoiceIds)
  const byId = new Map(charges.map(charge => [charge.chargeId, charge]))
  return new Map(
    waiting.map(({ subscription }) => [subscription.subscriptionId, byId.get(subscription.awaitedChargeId ?? '')]),
  )
}
