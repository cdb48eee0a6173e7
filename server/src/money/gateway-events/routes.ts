import { Type } from 'typebox'
import { reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { Text } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { GATEWAY_NAMES } from '../gateway/gateway.ts'
import { GatewayEventReceipt } from './schema.ts'
import { insertEvent } from './store.ts'

export function gatewayEventRoutes(ports: Pick<Ports, 'db' | 'clock' | 'gateways' | 'wake'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/gateways/:gateway/events',
      name: 'receiveGatewayEvent',
      operation: 'public',
      // A gateway sends from few addresses, and many events on the first day of a month.
      signed: true,
      summary: 'Receive a signed event of a payment gateway. Each event is stored once and applied after the response',
      params: Type.Object({ gateway: Text(128) }),
      answers: { 200: GatewayEventReceipt },
      rejections: ['RESOURCE_NOT_FOUND'],
      idempotent: false,
      audited: false,
      handle: async ({ params, bytes, headers }) => {
        const name = GATEWAY_NAMES.find(name => name === params.gateway)
        const gateway = name && ports.gateways[name]
        if (gateway === undefined) return reject('RESOURCE_NOT_FOUND', 'This service has no such gateway.')
        const event = gateway.readEvent({ payload: bytes, headers })
        if (event === null) {
          return reject('INVALID_REQUEST', 'The event is not signed by this gateway, or was signed too long ago.')
        }
        const { eventId, kind, gatewayChargeId } = event
        // Not about a charge object: nothing to store.
        if (gatewayChargeId === undefined) return answer(200, { received: true })
        const now = ports.clock.now()
        const isNew = await insertEvent(ports.db.sql, { gateway: gateway.name, eventId, kind, gatewayChargeId, now })
        if (isNew) ports.wake.gatewayEvents()
        return answer(200, { received: true })
      },
    }),
  ]
}
