import { isSeenFrom } from '../../core/location.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { getPurchase, outcomeOf } from '../purchases/purchases.ts'
import { AppPurchasePath, PurchaseJson, purchaseToJson } from '../purchases/schema.ts'
import { findPurchase } from '../purchases/store.ts'
import { urlOf } from './open-purchase.ts'
import { within } from './subscription-routes.ts'

/** Routes that read purchases. The routes of terminals are in terminals/. */
export function purchaseRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:appId/purchases/:purchaseId',
      name: 'getPurchase',
      operation: 'purchases.read',
      summary: 'Get a purchase and its outcome',
      params: AppPurchasePath,
      answers: { 200: PurchaseJson },
      rejections: ['PURCHASE_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ params, principal, db }) => aboutPurchase(db.sql, principal, params),
      async handle({ params, principal, db }) {
        const { businessId, seenFrom = {} } = within(principal)
        const appId = uuidOfUrn(params.appId)
        const purchase = await getPurchase(
          { ...ports, db },
          {
            purchaseId: params.purchaseId,
            isMine: one =>
              one.appId === appId &&
              (businessId === undefined || one.businessId === businessId) &&
              isSeenFrom(seenFrom, one),
          },
        )
        if (isRejection(purchase)) return purchase
        const isOpen = purchase.status === 'OPEN' && purchase.openedBy === 'APP'
        // The URL of a terminal's screen holds a secret, and is returned only once.
        const url = isOpen ? urlOf(ports.settings, purchase.purchaseId) : undefined
        const payment = purchase.status === 'COMPLETED' ? await outcomeOf({ db }, purchase) : undefined
        return answer(200, purchaseToJson(purchase, url, payment))
      },
    }),
  ]
}

/** An unknown purchase names no business, so the answer does not reveal whether it exists. */
async function aboutPurchase(
  sql: Sql,
  principal: Principal,
  params: { readonly appId: string; readonly purchaseId: string },
): Promise<Subject> {
  const appId = uuidOfUrn(params.appId)
  if (principal.kind === 'app') return { appId }
  const purchase = await findPurchase(sql, params.purchaseId)
  return purchase?.appId === appId ? { appId, businessId: purchase.businessId } : { appId }
}
