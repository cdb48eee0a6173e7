import type { TokenMemory } from '../../access/tokens/token-memory.ts'
import { isRejection } from '../../core/rejection.ts'
import { DevicePath, StorePath } from '../../merchants/businesses/schema.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import { addressKeys, countAttempt, type Throttled, uncountAttempt } from '../../platform/throttles/throttle.ts'
import type { Ports } from '../../ports.ts'
import { activate } from './activate.ts'
import { closeDevice, closeStore } from './close.ts'
import { packageRoutes } from './package-routes.ts'
import { terminalPurchaseRoutes } from './purchase-routes.ts'
import { ActivationAnswer, ActivationBody, activationToJson } from './schema.ts'

/** Codes have 80 bits; guessing is throttled all the same. */
const throttleOf = (address: string): Throttled => ({
  kind: 'activation code',
  keys: addressKeys(address),
})

export function terminalRoutes(ports: Ports & TokenMemory): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/devices/activate',
      name: 'activateDevice',
      operation: 'public',
      summary: 'Activate a terminal: exchange its code for a key',
      body: ActivationBody,
      answers: { 201: ActivationAnswer },
      rejections: ['ACTIVATION_CODE_INVALID'],
      // Counted outside the transaction, so that a rejected code stays counted.
      // Two copies of a request are one attempt.
      prepare: ({ address }) => countAttempt(ports, throttleOf(address)),
      unprepare: ({ address }) => uncountAttempt(ports, throttleOf(address)),
      async handle({ body: { activationCode, publicKey }, address, db }) {
        const activated = await activate({ ...ports, db }, { activationCode, publicKey })
        if (isRejection(activated)) return activated
        await uncountAttempt({ db }, throttleOf(address))
        return answer(201, activationToJson(activated))
      },
    }),
    route({
      method: 'DELETE',
      path: '/businesses/:businessId/devices/:deviceId',
      name: 'closeDevice',
      operation: 'businesses.write',
      summary: 'Close a terminal permanently. Its key, tokens and sessions end; its subscriptions continue',
      params: DevicePath,
      answers: { 204: null },
      rejections: ['DEVICE_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params, db }) {
        const of = { businessId: params.businessId.toLowerCase(), deviceId: uuidOfUrn(params.deviceId) }
        const closed = await closeDevice({ ...ports, db }, of)
        return isRejection(closed) ? closed : answer(204)
      },
    }),
    route({
      method: 'DELETE',
      path: '/businesses/:businessId/stores/:storeId',
      name: 'closeStore',
      operation: 'businesses.write',
      summary:
        'Close a store and its terminals permanently. Subscriptions of the store must be moved or cancelled before',
      params: StorePath,
      answers: { 204: null },
      rejections: ['STORE_NOT_FOUND', 'STORE_IN_USE'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params, db }) {
        const of = { businessId: params.businessId.toLowerCase(), storeId: params.storeId.toLowerCase() }
        const closed = await closeStore({ ...ports, db }, of)
        return isRejection(closed) ? closed : answer(204)
      },
    }),
    ...packageRoutes(ports),
    ...terminalPurchaseRoutes(ports),
  ]
}
