import { assert } from '../../core/assert.ts'
import type { Principal } from '../../core/principal.ts'
import type { CurrentBrand } from '../../platform/brand/current.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import type { WebSession } from '../../platform/http/ports.ts'
import { sendTestMail, type TestMail } from '../../platform/mail/test-mail.ts'
import { notice } from '../../platform/web/components/content.ts'
import { press } from '../../platform/web/components/form.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { opsPage } from './ops-page.ts'

const PATH = `${OPERATOR_PATHS.system}/test-mail`

/** Sends a mail to the person who presses the button. */
export function testMailPage(
  ports: Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'> & { readonly currentBrand: CurrentBrand },
): AnyPage {
  return opsPage({
    ...{ method: 'POST', path: PATH, name: 'sendTestMailOnPage', operation: 'mails.test' },
    audited: false,
    async handle(call) {
      const userId = userIdOf(call.principal)
      assert(userId !== undefined && call.session, 'a page of the operator has a person')
      const { name, email } = call.session.person
      const { name: brandName } = await ports.currentBrand.refresh()
      const url = `${ports.settings.baseUrl}${OPERATOR_PATHS.system}`
      await sendTestMail({ ...ports, db: call.db }, { userId, recipient: email, name, brandName, url })
      return redirect(`${OPERATOR_PATHS.system}#mail`)
    },
  })
}

export function userIdOf(principal: Principal): string | undefined {
  return principal.kind === 'operator' ? principal.userId : undefined
}

/** The first attempt is under way. */
export const isBeingSent = (sent: TestMail | null) => sent?.state === 'WAITING' && sent.answeredAt === undefined

/** The result of the person's latest test mail, and the button for another. */
export function testMailSection(sent: TestMail | null, { person }: WebSession, csrf: string): Html {
  return html`<div class="section">${sent && resultOf(sent)}
${press(PATH, csrf, 'Send a test mail')}
<p class="fine">To ${person.email}, through the same queue as every other mail.</p></div>`
}

function resultOf(sent: TestMail): Html {
  const { recipient, state, attempts, recordedAt, answer, answeredAt } = sent
  const words = answer && html`<br><span class="fine">Answer of the mail server: <code>${answer}</code></span>`
  switch (state) {
    case 'SENT':
      return notice('good', 'Test mail sent', html`To ${recipient}, ${answeredAt && moment(answeredAt)}.${words}`)
    case 'FAILED':
      return notice(
        'bad',
        'The test mail failed',
        html`No attempt to reach ${recipient} succeeded within an hour.${words}`,
      )
    case 'WAITING':
      return answeredAt === undefined
        ? notice(
            'warn',
            'The test mail waits',
            html`For ${recipient}, recorded on ${moment(recordedAt)}. The page shows the answer of the mail server as soon as it comes.`,
          )
        : notice(
            'bad',
            'The test mail could not be sent',
            html`Attempt ${String(attempts)} to ${recipient} failed on ${moment(answeredAt)}. More attempts follow for an hour.${words}`,
          )
  }
}
