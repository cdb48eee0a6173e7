import { pageOfBusinesses } from '../../access/business-lists/list.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import type { Hook } from '../../core/hook.ts'
import { isRejection } from '../../core/rejection.ts'
import { findInvoice } from '../../money/invoices/store.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { PageCall } from '../../platform/http/page.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { html, type Part } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import { boundsOf } from '../../webhooks/hooks/get.ts'
import type { HistoryEntry } from '../../webhooks/notifications/history-store.ts'
import { pathOfSubscription } from '../subscriptions/side.ts'

/** The merchant, the subscription and the invoice of a delivery, by their names where the person may read them. */
export async function subjectFacts(
  call: PageCall,
  { appId }: Pick<Hook, 'appId'>,
  { body }: HistoryEntry,
): Promise<Fact[]> {
  const { businessId, resource, resourceId, links = [] } = JSON.parse(body)
  const merchant = await merchantWords(call, businessId)
  if (resource !== '/apps/subscriptions') {
    return [
      ['Merchant', merchant],
      ['Resource', html`<code>${resource}</code> <code>${resourceId}</code>`],
    ]
  }
  const { sql } = call.db
  const subscription = await findSubscription(sql, resourceId)
  const invoiceId = /\/invoices\/([0-9a-f-]{36})$/.exec(links[1]?.href ?? '')?.[1]
  const invoice = invoiceId === undefined ? null : await findInvoice(sql, invoiceId)
  if (subscription?.appId !== appId) {
    return [
      ['Merchant', merchant],
      ['Subscription', html`<code>${resourceId}</code>`],
    ]
  }
  const name = (await findPlan(sql, subscription.planId))?.name ?? 'Subscription'
  const paths = call.principal.kind === 'developer' ? DEVELOPER_PATHS : OPERATOR_PATHS
  const path = pathOfSubscription({ paths }, subscription)
  return [
    ['Merchant', merchant],
    ['Subscription', html`<a href="${path}">${name}</a>`],
    ...(invoice?.subscriptionId === subscription.subscriptionId ? [['Invoice', invoice.number] as [string, Part]] : []),
  ]
}

async function merchantWords({ db, principal }: PageCall, businessId: string): Promise<Part> {
  const found = await pageOfBusinesses({ db }, { ...boundsOf(principal), q: businessId }, { limit: 1 })
  const name = isRejection(found) ? undefined : found.items[0]?.doingBusinessAs
  if (name === undefined) return html`<code>${businessId}</code>`
  const at = principal.kind === 'developer' ? DEVELOPER_PATHS.merchants : OPERATOR_PATHS.merchants
  return html`<a href="${`${at}/${businessId}`}">${name}</a>`
}
