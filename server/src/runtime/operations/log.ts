import type { Logger, LoggerOptions } from 'pino'
import { describeError } from '../../platform/http/faults.ts'
import type { Attempted, Watch } from '../../ports.ts'

/** For whoever makes the log: an error of the database names the values of a row. */
export const LOG_SERIALIZERS: NonNullable<LoggerOptions['serializers']> = { err: describeError }

/**
 * What happened, by its ids: acts of billing and webhooks that are given up at `info`; attempts that will be repeated at
 * `debug`, as a listener that fails now and then would fill the log. Never a body, a URL, a secret or a card.
 */
export function logWatch(log: Logger): Omit<Watch, 'asked'> {
  return {
    attempted: attempt => {
      if (attempt.acknowledged) return
      if ('reason' in attempt.next)
        log.info({ ...lineOf(attempt), givenUp: attempt.next.reason }, 'a webhook is given up')
      else log.debug(lineOf(attempt), 'an attempt failed')
    },
    gaveUp: ended => {
      // A line for each hook: of one that is deleted a hundred thousand may end at once.
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
