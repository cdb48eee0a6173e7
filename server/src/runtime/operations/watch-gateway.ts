import type { Gateway, Gateways } from '../../money/gateway/gateway.ts'
import type { Ports } from '../../ports.ts'

type WatchPorts = Pick<Ports, 'clock'> & Required<Pick<Ports, 'watch'>>

/** The same gateways, each call of which is told. */
export function watchGateways(ports: WatchPorts, { sandbox, stripe }: Gateways): Gateways {
  return {
    sandbox: watchGateway(ports, sandbox),
    ...(stripe && { stripe: watchGateway(ports, stripe) }),
  }
}

function watchGateway({ clock, watch }: WatchPorts, gateway: Gateway): Gateway {
  async function around<T>(call: string, request: unknown, work: () => Promise<T>): Promise<T> {
    const [startedAt, from] = [clock.now(), performance.now()]
    const told = { gateway: gateway.name, call, startedAt, ...aboutOf(request) }
    const tell = (outcome: string) => watch.asked({ ...told, outcome, seconds: (performance.now() - from) / 1_000 })
    try {
      const answer = await work()
      tell(outcomeOf(answer))
      return answer
    } catch (error) {
      tell('failed')
      throw error
    }
  }
  return {
    ...gateway,
    beginPaymentMethod: its => around('beginPaymentMethod', its, () => gateway.beginPaymentMethod(its)),
    savePaymentMethod: its => around('savePaymentMethod', its, () => gateway.savePaymentMethod(its)),
    createCharge: its => around('createCharge', its, () => gateway.createCharge(its)),
    confirmCharge: its => around('confirmCharge', its, () => gateway.confirmCharge(its)),
    findConfirmation: its => around('findConfirmation', its, () => gateway.findConfirmation(its)),
    cancelCharge: its => around('cancelCharge', its, () => gateway.cancelCharge(its)),
    findCharge: its => around('findCharge', its, () => gateway.findCharge(its)),
    refund: its => around('refund', its, () => gateway.refund(its)),
    findRefund: its => around('findRefund', its, () => gateway.findRefund(its)),
    findMoney: id => around('findMoney', id, () => gateway.findMoney(id)),
    listTouched: its => around('listTouched', its, () => gateway.listTouched(its)),
  }
}

/** The kind of an outcome, which is one of a few words; never a code of the gateway's own, of which there are many. */
function outcomeOf(answer: unknown): string {
  if (answer === null || typeof answer !== 'object') return 'answered'
  if ('refused' in answer) return 'refused'
  return 'kind' in answer && typeof answer.kind === 'string' ? answer.kind : 'answered'
}

function aboutOf(request: unknown): { about?: string } {
  if (typeof request === 'string') return { about: request }
  if (typeof request !== 'object' || request === null || !('key' in request)) return {}
  return typeof request.key === 'string' ? { about: request.key } : {}
}
