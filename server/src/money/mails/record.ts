import type { BillingEvent, BillingEventType } from '../../core/event.ts'
import type { MailKind } from '../../core/mail-kind.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { insertMoneyMails, type MoneyMail } from './store.ts'

/** Events that a mail reports. A refund, a confirmation at the bank, an expiry and a yearly renewal are not events. */
const KIND_OF: Partial<Record<BillingEventType, MailKind>> = {
  APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS: 'RECEIPT',
  APPLICATION_SUBSCRIPTION_PAYMENT_FAIL: 'PAYMENT_FAILED',
  APPLICATION_SUBSCRIPTION_TRIAL_ENDING: 'TRIAL_ENDING',
  APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED: 'CANCELLED',
  APPLICATION_SUBSCRIPTION_END: 'ENDED',
  APPLICATION_SUBSCRIPTION_RESTORED: 'RESTORED',
  APPLICATION_SUBSCRIPTION_PLAN_CHANGE: 'PLAN_CHANGED',
}

type RecordPorts = Pick<Ports, 'clock' | 'newId'>

/** Records the mails of events in the transaction of the events. Test merchants get no mail. */
export async function recordEventMails(sql: Sql, ports: RecordPorts, events: readonly BillingEvent[]): Promise<void> {
  const mails = events.flatMap(event => {
    const {
      eventType,
      merchantType,
      businessId,
      resourceId: subscriptionId,
      resourceSeq,
      invoiceId,
      occurredAt,
    } = event
    const kind = KIND_OF[eventType]
    if (kind === undefined || merchantType === 'TEST_MERCHANT') return []
    const source = { sourceId: subscriptionId, sourceSeq: resourceSeq, subscriptionId, businessId, occurredAt }
    return { moneyMailId: ports.newId(), kind, ...source, ...(invoiceId === undefined ? {} : { invoiceId }) }
  })
  if (mails.length > 0) await insertMoneyMails(sql, mails, ports.clock.now())
}

/** Records mails that do not report an event of a subscription. A source that was recorded before counts once. */
export async function recordMoneyMails(
  sql: Sql,
  ports: RecordPorts,
  mails: readonly Omit<MoneyMail, 'moneyMailId'>[],
): Promise<number> {
  const rows = mails.map(mail => ({ moneyMailId: ports.newId(), ...mail }))
  return await insertMoneyMails(sql, rows, ports.clock.now())
}
