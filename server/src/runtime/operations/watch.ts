import type { Logger, LoggerOptions } from 'pino'
import type { Gateway, Gateways } from '../../money/gateway/gateway.ts'
import { describeError } from '../../platform/http/send.ts'
import type { Attempted, Ports, Telemetry } from '../../ports.ts'

/** Combines telemetry sinks; each is called in order. */
export function combineTelemetry(watches: readonly Partial<Telemetry>[]): Telemetry {
  const all =
    <Key extends keyof Telemetry>(key: Key) =>
    (event: Parameters<Telemetry[Key]>[0]) => {
      for (const watch of watches) watch[key]?.(event as never)
    }
  return {
    attempted: all('attempted'),
    gaveUp: all('gaveUp'),
    gatewayCalled: all('gatewayCalled'),
    billed: all('billed'),
    charged: all('charged'),
    refunded: all('refunded'),
  }
}

type WatchPorts = Pick<Ports, 'clock'> & Required<Pick<Ports, 'telemetry'>>

/** Wraps each call of the gateways with telemetry. */
export function observeGateways(ports: WatchPorts, { sandbox, stripe }: Gateways): Gateways {
  return {
    sandbox: { ...sandbox, ...watchGateway(ports, sandbox) },
    ...(stripe && { stripe: watchGateway(ports, stripe) }),
  }
}

function watchGateway({ clock, telemetry: watch }: WatchPorts, gateway: Gateway): Gateway {
  async function around<T>(call: string, request: unknown, work: () => Promise<T>): Promise<T> {
    const [startedAt, from] = [clock.now(), performance.now()]
    const facts = { gateway: gateway.name, call, startedAt, ...aboutOf(request) }
    const report = (outcome: string) =>
      watch.gatewayCalled({ ...facts, outcome, seconds: (performance.now() - from) / 1_000 })
    try {
      const answer = await work()
      report(outcomeOf(answer))
      return answer
    } catch (error) {
      report('failed')
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

/** The kind of an outcome, one of a few words; never a gateway's own code, because there are too many. */
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

/** Serializers for every logger: database errors contain the values of a row. */
export const LOG_SERIALIZERS: NonNullable<LoggerOptions['serializers']> = { err: describeError }

/**
 * Logs events by id: final failures at `info`, attempts that will be repeated at `debug`, because a flapping endpoint would fill the log.
 * Never a body, a URL, a secret or a card.
 */
export function logTelemetry(log: Logger): Omit<Telemetry, 'gatewayCalled'> {
  return {
    attempted: attempt => {
      if (attempt.acknowledged) return
      if ('reason' in attempt.next)
        log.info({ ...lineOf(attempt), givenUp: attempt.next.reason }, 'a webhook is given up')
      else log.debug(lineOf(attempt), 'an attempt failed')
    },
    gaveUp: ended => {
      // One line per hook: deleting a hook may end a hundred thousand deliveries at once.
      for (const [hookId, ofHook] of Map.groupBy(ended, one => one.hookId)) {
        for (const [givenUp, ofReason] of Map.groupBy(ofHook, ({ reason }) => reason)) {
          log.info({ hookId, givenUp, webhooks: ofReason.length }, 'webhooks are given up without a further attempt')
        }
      }
    },
    billed: changes => {
      for (const { subscriptionId, businessId, appId, events, issued } of changes) {
        const invoiceIds = issued.map(({ invoiceId }) => invoiceId)
        log.info({ subscriptionId, businessId, appId, events, invoiceIds }, 'a subscription changed')
      }
    },
    charged: charge => log.info(charge, 'a charge has its outcome'),
    refunded: refund => log.info(refund, 'a refund has its outcome'),
  }
}

function lineOf({ notificationId, hookId, attemptId, attempt, priority, durationMs, httpStatus, reason }: Attempted) {
  return { notificationId, hookId, attemptId, attempt, priority, durationMs, httpStatus, reason }
}
