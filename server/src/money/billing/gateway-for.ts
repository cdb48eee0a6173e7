import type { MerchantType } from '../../core/business.ts'
import type { GatewayName, Gateways } from '../gateway/gateway.ts'

/** Decisions 6: "TEST_MERCHANT businesses never reach a real gateway", nor, where money is real, merchants the sandbox. */
export function isFor(gateways: Gateways, name: GatewayName, type: MerchantType): boolean {
  if (type === 'TEST_MERCHANT') return name === 'sandbox'
  return name !== 'sandbox' || !isMoneyReal(gateways)
}

/** Whether any gateway here takes real money. */
export function isMoneyReal(gateways: Gateways): boolean {
  return Object.values(gateways).some(({ isLive }) => isLive)
}
