import type { Tx } from '../../platform/db/db.ts'
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

/** Writes to the organization of each hook that has just been disabled, in the transaction that did it. Source: decisions 7. */
export async function tellDevelopers(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId' | 'vault'>,
  disabled: readonly DisabledHook[],
): Promise<void> {
  const hooks = await tx.sql<Row[]>`
    select h.hook_id as "hookId", h.delivery_url as "deliveryUrl", a.name as "appName", o.email
    from hooks as h join apps as a using (app_id) join organizations as o using (organization_id)
    where h.hook_id = any(${disabled.map(({ hookId }) => hookId)}::uuid[])
    order by h.hook_id`
  for (const hook of hooks) {
    const { reason } = disabled.find(({ hookId }) => hookId === hook.hookId) ?? {}
    if (reason !== undefined) await recordMail({ ...ports, db: tx }, messageOf(hook, WHY[reason]))
  }
}

/** Its address is told by the host alone: paths and queries hold secrets of the listener, and mails lie about. */
function messageOf({ hookId, deliveryUrl, appName, email }: Row, why: string) {
  return {
    to: email,
    subject: `${appName} no longer gets webhooks at one of its addresses`,
    text: [
      `The hook ${hookId} of ${appName} is switched off: nothing is sent to its address at ${new URL(deliveryUrl).host} any more.`,
      why,
      '',
      'When the address works again, sign in and switch the hook on among your webhooks, with what it has missed or without.',
      `Or PATCH /hooks/${hookId} with {"active": true}; with {"active": true, "resendMissed": true} it is also sent what it has missed.`,
      '',
    ].join('\n'),
  }
}
