import type { MerchantType } from '../../core/business.ts'
import type { GatewayName, Gateways } from '../gateway/gateway.ts'

/**
 * A test merchant uses the sandbox only. A merchant uses the sandbox only where no real gateway is configured, in test mode or live: sandbox
 * money must not buy a real service.
 */
export function isFor(gateways: Gateways, name: GatewayName, type: MerchantType): boolean {
  if (type === 'TEST_MERCHANT') return name === 'sandbox'
  return name !== 'sandbox' || !hasRealGateway(gateways)
}

export function hasRealGateway(gateways: Gateways): boolean {
  return Object.values(gateways).some(gateway => gateway !== undefined && gateway.name !== 'sandbox')
}
