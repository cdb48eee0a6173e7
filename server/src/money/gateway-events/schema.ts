import { Type } from 'typebox'

/** It is kept; what it means is looked into afterwards. */
export const GatewayEventReceipt = Type.Object({ received: Type.Boolean() })
