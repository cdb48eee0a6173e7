import { Type } from 'typebox'
import { reject } from '../../core/rejection.ts'
import { retryNow } from '../../money/reports/retry-now.ts'
import { CHARGE_STATES, findReportedCharge, type UnsettledCharge } from '../../money/reports/unsettled.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { notice } from '../../platform/web/components/content.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { declineReason } from '../decline-words.ts'
import { opsPage } from './ops-page.ts'

const path = OPERATOR_PATHS.money

export const pollPathOf = (chargeId: string) => `${path}/charges/${chargeId}/poll`

/** Polls a charge at its gateway now. The list of charges says what the gateway answered. */
export function chargePollPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'POST', path: pollPathOf(':chargeId'), name: 'pollChargeOnPage', operation: 'charges.poll' },
    params: Type.Object({ chargeId: Uuid }),
    query: Type.Object({ state: Type.Optional(Type.Enum([...CHARGE_STATES])) }),
    async handle(call) {
      const { chargeId } = call.params
      await retryNow({ db: call.db, clock }, { kind: 'charge', rowId: chargeId })
      const charge = await findReportedCharge(call.db.sql, chargeId)
      if (charge === null) return reject('CHARGE_NOT_FOUND', 'There is no charge with this id.')
      return redirect(addressOf(path, { state: call.query.state, polled: chargeId }))
    },
  })
}

interface Polled {
  readonly words: Html
  /** The answer of the gateway is still to come. */
  readonly isUnderWay: boolean
}

/** The state of a charge after a person asked for a poll. */
export async function findPolled(sql: Sql, chargeId: string, now: Date): Promise<Polled | null> {
  const charge = await findReportedCharge(sql, chargeId)
  if (charge === null) return null
  const isUnderWay = charge.nextPollAt !== undefined && (charge.leased || charge.nextPollAt <= now)
  return { words: wordsOf(charge, isUnderWay), isUnderWay }
}

function wordsOf(charge: UnsettledCharge, isUnderWay: boolean): Html {
  const of = `${moneyWords(charge)} of ${charge.businessName}`
  if (isUnderWay)
    return notice('warn', `Looking up ${of}`, 'The page shows the answer of the gateway as soon as it comes.')
  const next = charge.nextPollAt === undefined ? '' : html` The next poll follows on ${moment(charge.nextPollAt)}.`
  if (charge.lastError !== undefined)
    return notice('bad', `The lookup of ${of} failed`, html`${charge.lastError}${next}`)
  switch (charge.status) {
    case 'SUCCEEDED':
      return notice('good', `${of} is paid`, 'The gateway reports a success.')
    case 'DECLINED_SOFT':
    case 'DECLINED_HARD':
      return notice('warn', `${of} was declined`, charge.reason && declineReason(charge.reason))
    case 'WITHDRAWN':
      return notice('warn', `${of} was never sent`, 'The invoice was closed before the charge reached the gateway.')
    case 'UNKNOWN':
      return notice('warn', `The outcome of ${of} is still unknown`, html`The gateway did not say.${next}`)
    default:
      return notice('warn', `${of} still waits for the payer or the bank`, html`The gateway was asked.${next}`)
  }
}
