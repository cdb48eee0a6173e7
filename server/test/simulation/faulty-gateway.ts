import type { Clock } from '../../src/core/clock.ts'
import type { NewId } from '../../src/core/id.ts'
import { type GatewayEvent, GatewayUnreachable, type TestGateway } from '../../src/money/gateway/gateway.ts'
import { createSandbox } from '../../src/money/gateway/sandbox/sandbox.ts'
import type { Db } from '../../src/platform/db/db.ts'
import type { Play } from './play.ts'
import type { Random } from './random.ts'
import type { Life, Scheduler } from './scheduler.ts'

/** The connection to the gateway, and its faults. */
export interface Wire {
  readonly random: Random
  /** The probability of each fault per call. 0: no faults. */
  faults: number
  /** No call succeeds before this instant. */
  downUntil: Date
  /** Copies of requests that the network will deliver a second time, much later. */
  readonly late: (() => Promise<unknown>)[]
  /** Events of the gateway that are not delivered yet. */
  readonly events: GatewayEvent[]
}

const CALLS = [
  'savePaymentMethod',
  'createCharge',
  'confirmCharge',
  'findConfirmation',
  'cancelCharge',
  'findCharge',
  'refund',
  'findRefund',
  'findMoney',
  'listTouched',
] as const

/**
 * The sandbox behind a faulty connection: requests are lost, responses are lost after the charge, and requests arrive twice, or again after
 * hours. Each call is one step.
 */
export function faultyGateway(
  { wire, ...options }: { db: Db; clock: Clock; newId: NewId; eventSecret: string; wire: Wire },
  { life, scheduler }: { life: Life; scheduler: Scheduler },
): TestGateway {
  const own = { ...options, settings: { baseUrl: 'https://api.example' }, isStrict: true }
  let fault: 'none' | 'lost request' | 'lost answer' | 'twice' | 'again later' = 'none'
  const faults = {
    before: () => {
      if (own.clock.now() < wire.downUntil || fault === 'lost request') throw new GatewayUnreachable('unreachable')
    },
    after: () => {
      if (fault === 'lost answer') throw new GatewayUnreachable('timeout')
    },
  }
  const faultless = createSandbox(own)
  const sandbox = createSandbox({ ...own, faults })
  const kinds = ['lost request', 'lost answer', 'twice', 'again later'] as const
  const faulty = Object.fromEntries(
    CALLS.map(call => [
      call,
      (request: never) =>
        scheduler.step(life, `gateway ${call}`, async () => {
          fault = wire.random.chance(wire.faults) ? wire.random.pick(kinds) : 'none'
          if (fault !== 'none') scheduler.trace.push(`  the wire: ${fault}`)
          if (fault === 'again later') wire.late.push(() => faultless[call](request))
          if (fault === 'twice') await sandbox[call](request)
          return await sandbox[call](request)
        }),
    ]),
  )
  return { ...faultless, ...faulty }
}

/** Emits an event of the gateway. */
export function emitEvent({ stage: { wire }, turns }: Play, kind: string, gatewayChargeId: string): void {
  wire.events.push({ eventId: `${turns}`, kind, gatewayChargeId })
}
