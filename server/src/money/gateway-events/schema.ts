import { Type } from 'typebox'

/** The event is stored; the service applies it after the response. */
export const GatewayEventReceipt = Type.Object({ received: Type.Boolean() })
