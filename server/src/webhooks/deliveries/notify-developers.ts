import type { Tx } from '../../platform/db/db.ts'
import { letter } from '../../platform/mail/letter.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import type { Ports } from '../../ports.ts'
import type { DisabledHook } from '../hooks/health.ts'

interface Row {
  readonly hookId: string
  readonly deliveryUrl: string
  readonly appName: string
  readonly email: string
}

const WHY: Readonly<Record<DisabledHook['reason'], string>> = {
  failing: 'Every attempt has failed for three days.',
  gone: 'It has answered 410 Gone for a day.',
}

/** Mails the organization of each hook that was just disabled, in the same transaction. Source: decisions 7. */
export async function notifyDevelopers(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'>,
  disabled: readonly DisabledHook[],
): Promise<void> {
  const hooks = await tx.sql<Row[]>`
    select h.hook_id as "hookId", h.delivery_url as "deliveryUrl", a.name as "appName", o.email
    from hooks as h join apps as a using (app_id) join organizations as o using (organization_id)
    where h.hook_id = any(${disabled.map(({ hookId }) => hookId)}::uuid[])
    order by h.hook_id`
  for (const hook of hooks) {
    const { reason } = disabled.find(({ hookId }) => hookId === hook.hookId) ?? {}
    if (reason !== undefined) {
      const url = `${ports.settings.baseUrl}/webhooks/${hook.hookId}`
      const mail = endpointMail({ ...hook, reason, url, id: `${hook.hookId}-${ports.clock.now().getTime()}` })
      await recordMail({ ...ports, db: tx }, mail)
    }
  }
}

/** Names only the host of the endpoint: paths and queries hold secrets. */
export function endpointMail(of: Row & DisabledHook & { readonly id: string; readonly url: string }): Message {
  const { id, deliveryUrl, appName, email, reason, url } = of
  return letter({
    ...{ id, to: email, subject: `${appName} no longer gets webhooks at one of its endpoints` },
    sentences: [
      `The endpoint of ${appName} at ${new URL(deliveryUrl).host} is switched off: nothing is sent to the endpoint any more.`,
      WHY[reason],
      'When the endpoint works again, switch it on. You can then resend the missed webhooks.',
    ],
    ...{ button: 'Open the endpoint', url },
  })
}
