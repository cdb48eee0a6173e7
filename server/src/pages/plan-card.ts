import { v7 } from 'uuid'
import { findApp } from '../catalog/apps/store.ts'
import { findOrganization } from '../catalog/organizations/store.ts'
import type { Plan } from '../core/plan.ts'
import type { PlanDefinition } from '../core/plan-definition.ts'
import { previewOfPurchase } from '../core/preview.ts'
import { isRejection } from '../core/rejection.ts'
import { start } from '../core/start.ts'
import type { Sql } from '../platform/db/db.ts'
import { type AppFace, appFace } from '../platform/web/components/content.ts'
import { moneyWords } from '../platform/web/format.ts'
import { type Html, html } from '../platform/web/html.ts'
import { faceOf } from './merchant/standing.ts'
import { firstWords, planTerms } from './purchase/terms.ts'

/** A plan as the terminal of a new merchant with a card would show it, in the country of its first price. */
export function planCard(app: AppFace, definition: PlanDefinition, now: Date): Html {
  const [first] = definition.amounts
  const plan: Plan = {
    ...{ ...definition, planId: v7(), appId: v7(), releaseId: v7(), status: 'ACTIVE' },
    ...{ createdAt: now, updatedAt: now },
  }
  const ids = { subscriptionId: v7(), bundleId: v7(), invoiceId: v7(), chargeId: v7(), refundId: v7() }
  const change = start({
    ...{ plan, ids, now, organizationId: v7(), hasPaymentMethod: true, hadTrial: false, credit: 0 },
    business: { businessId: v7(), type: 'MERCHANT', country: first?.country ?? '' },
  })
  if (isRejection(change)) return emptyCard(app)
  const preview = previewOfPurchase(change, now)
  const today = preview.amount === 0 ? 'Nothing' : moneyWords(preview)
  return html`<section class="till-card" aria-label="The plan on the terminal">${appFace(app, 2)}
${planTerms(plan, preview, { title: html`<h3>${plan.name}</h3>`, points: firstWords(plan, preview) })}
<div class="buy-bar"><p><span>Charged today</span> <strong>${today}</strong></p>
<span class="button primary large">BUY NOW</span><span class="button quiet">Cancel</span></div></section>`
}

/** Shown while the entries do not make a valid plan yet. */
export function emptyCard(app: AppFace): Html {
  return html`<section class="till-card" aria-label="The plan on the terminal">${appFace(app, 2)}
<p class="fine">The plan appears here as merchants see it, as soon as it has a name and a price.</p></section>`
}

/** An app with its developer, as merchants know it. */
export async function findFace(sql: Sql, appId: string): Promise<AppFace> {
  const app = await findApp(sql, appId)
  if (app === null) return { name: 'An app', developer: '' }
  return faceOf(app, (await findOrganization(sql, app.organizationId))?.name)
}
