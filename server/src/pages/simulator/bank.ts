import { Type } from 'typebox'
import { findChargeObject } from '../../money/charges/store.ts'
import { BANK_PATH } from '../../money/gateway/sandbox/sandbox.ts'
import { retryNow } from '../../money/reports/retry-now.ts'
import { findReportedCharge, type UnsettledCharge } from '../../money/reports/unsettled.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, page, type Shown, shown } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { button, buttons, form, linkButton } from '../../platform/web/components/form.ts'
import { moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'

const ANSWERS = ['confirm', 'decline'] as const

/** Pages that lead to the bank. */
const BACK = /^\/(?:dev|my|purchases)\/[\w/-]*$/

/**
 * The bank of the sandbox, where a payer confirms or declines a payment. A test merchant has no other bank. The id of the charge is the only
 * identification, because no real money moves.
 */
export function testBankPages(ports: Ports): AnyPage[] {
  const definition = {
    path: `${BANK_PATH}/:chargeId`,
    params: Type.Object({ chargeId: Uuid }),
    operation: 'public',
    signIn: 'optional',
  } as const
  return [
    page({
      ...{ ...definition, method: 'GET', name: 'askAtTestBank' },
      async handle({ db, params, csrf, headers }) {
        const charge = await findWaiting(db.sql, params.chargeId)
        if (charge === null) return notWaiting()
        const back = pathOf(String(headers.referer ?? ''))
        return bankPage(html`<h1>${say`Confirm the payment of ${moneyWords(charge)}?`}</h1>
<p class="lead">${say`This is a test bank: no real money is charged.`}</p>
${form({
  csrf,
  ...(back !== undefined && { hidden: { back } }),
  body: buttons(
    button(say`Confirm`, { kind: 'primary', name: 'answer', value: 'confirm' }),
    button(say`Decline`, { name: 'answer', value: 'decline' }),
  ),
})}`)
      },
    }),
    page({
      // The payer of a test acts, and the row of the charge says what the bank answered.
      ...{ ...definition, method: 'POST', name: 'answerAtTestBank', audited: false },
      form: Type.Object({ answer: Type.Enum([...ANSWERS]), back: Type.Optional(Text(200)) }),
      async handle({ db, params, form: { answer, back = '' } }) {
        const charge = await findWaiting(db.sql, params.chargeId)
        const object = charge && (await findChargeObject(db.sql, charge.invoiceId))
        if (charge === null || object === null) return notWaiting()
        const isConfirmed = answer === 'confirm'
        const { gatewayChargeId } = object
        const key = charge.chargeId
        if (!(await ports.gateways.sandbox.answerAtBank({ gatewayChargeId, key, isConfirmed }))) return notWaiting()
        await retryNow(ports, { kind: 'charge', rowId: key })
        return bankPage(html`<h1>${isConfirmed ? say`Confirmed` : say`Declined`}</h1>
${BACK.test(back) ? html`<p>${linkButton(say`Go back`, back, { kind: 'primary' })}</p>` : html`<p>${say`You can close this page.`}</p>`}`)
      },
    }),
  ]
}

/** A charge of the sandbox that waits for the payer. Null: none. */
async function findWaiting(sql: Sql, chargeId: string): Promise<UnsettledCharge | null> {
  const charge = await findReportedCharge(sql, chargeId)
  return charge?.gateway === 'sandbox' && charge.status === 'ACTION_REQUIRED' ? charge : null
}

function notWaiting(): Shown {
  const main = html`<h1>${say`This payment does not wait for you`}</h1>
<p class="lead">${say`It was confirmed or declined before, or the link is incomplete.`}</p>`
  return bankPage(main, 404)
}

function bankPage(main: Html, status = 200): Shown {
  return shown(layout({ title: say`Test bank`, main, width: 'narrow', isTill: true }), { status })
}

/** The path of the page that led here. */
function pathOf(referer: string): string | undefined {
  const path = URL.parse(referer)?.pathname ?? ''
  return BACK.test(path) ? path : undefined
}
