import { given } from '../../core/given.ts'
import type { TerminalPrincipal } from '../../core/principal.ts'
import type { Purchase } from '../../core/purchase.ts'
import { isRejection } from '../../core/rejection.ts'
import { openPurchase } from '../../money/billing/open-purchase.ts'
import { cancelPurchase, getPurchase, outcomeOf } from '../../money/purchases/purchases.ts'
import { PurchaseJson, purchaseToJson } from '../../money/purchases/schema.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { installedAppOf, terminalOf } from '../installed-apps/install.ts'
import { PackagePath } from '../installed-apps/schema.ts'
import { PurchaseBody, PurchasePath } from './schema.ts'

/** Interface, getBillingIntent: the purchase screen and the result of the purchase. */
export function terminalPurchaseRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/terminal/apps/:packageName/purchases',
      name: 'openPurchaseAtTerminal',
      operation: 'terminal.purchase',
      summary: 'Open a purchase for the signed-in user and get the address of its screen',
      params: PackagePath,
      body: PurchaseBody,
      answers: { 201: PurchaseJson },
      rejections: [
        ...(['APPLICATION_NOT_FOUND', 'APPLICATION_DISABLED', 'PLAN_NOT_FOUND', 'SUBSCRIPTION_NOT_FOUND'] as const),
        ...(['MISSING_PARAMETER', 'PLAN_RETIRED', 'PLAN_NOT_SOLD_IN_COUNTRY', 'ALREADY_SUBSCRIBED'] as const),
        ...(['ALREADY_ENDED', 'CANCEL_SCHEDULED', 'PAYMENT_DUE', 'CHARGE_IN_PROGRESS', 'SAME_PLAN'] as const),
        ...(['PLAN_INCOMPATIBLE', 'NOT_SCHEDULED_TO_CANCEL', 'TOO_MANY_PURCHASES'] as const),
        ...(['STORE_NOT_FOUND', 'DEVICE_NOT_FOUND', 'APPLICATION_NOT_INSTALLED', 'PERMISSIONS_NOT_APPROVED'] as const),
      ],
      async handle({ params, body, principal, db }) {
        const app = await installedAppOf(db.sql, principal, params.packageName)
        if (isRejection(app)) return app
        const { user, businessId, storeId, deviceId } = terminalOf(principal)
        const { planId, subscriptionId, replace, restore } = body
        const ids = { planId: planId?.toLowerCase(), subscriptionId: subscriptionId?.toLowerCase() }
        const wanted = given({ ...ids, replace, restore })
        const opened = await openPurchase(
          { ...ports, db },
          {
            ...{ appId: app.appId, businessId, storeId, deviceId, openedBy: 'TERMINAL', wanted },
            ...(user && { businessUserId: user.businessUserId, terminalSessionId: user.sessionId }),
          },
        )
        return isRejection(opened) ? opened : answer(201, purchaseToJson(opened.purchase, opened.url))
      },
    }),
    route({
      method: 'GET',
      path: '/terminal/purchases/:purchaseId',
      name: 'getPurchaseAtTerminal',
      operation: 'terminal.read',
      summary: 'Get a purchase of this terminal and its outcome',
      params: PurchasePath,
      answers: { 200: PurchaseJson },
      rejections: ['PURCHASE_NOT_FOUND'],
      async handle({ params, principal, db }) {
        const isMine = isOf(terminalOf(principal))
        const purchase = await getPurchase({ ...ports, db }, { purchaseId: params.purchaseId, isMine })
        if (isRejection(purchase)) return purchase
        const payment = purchase.status === 'COMPLETED' ? await outcomeOf({ db }, purchase) : undefined
        return answer(200, purchaseToJson(purchase, undefined, payment))
      },
    }),
    route({
      method: 'DELETE',
      path: '/terminal/purchases/:purchaseId',
      name: 'cancelPurchaseAtTerminal',
      operation: 'terminal.purchase',
      summary: 'Cancel a purchase of this terminal',
      params: PurchasePath,
      answers: { 200: PurchaseJson },
      rejections: ['PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED'],
      async handle({ params, principal, db }) {
        const isMine = isOf(terminalOf(principal))
        const cancelled = await cancelPurchase({ ...ports, db }, { purchaseId: params.purchaseId, isMine })
        return isRejection(cancelled) ? cancelled : answer(200, purchaseToJson(cancelled))
      },
    }),
  ]
}

/** Purchases opened on this device. An app's purchases belong to the app. */
function isOf({ deviceId }: TerminalPrincipal) {
  return (purchase: Purchase) => purchase.openedBy === 'TERMINAL' && purchase.deviceId === deviceId
}
