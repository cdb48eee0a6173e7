import { isRejection } from '../../core/rejection.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { copyable, notice } from '../../platform/web/components/content.ts'
import { buttons, confirmation, linkButton } from '../../platform/web/components/form.ts'
import { moment } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { rotateSecret } from '../../webhooks/hooks/rotate-secret.ts'
import { framed, HookParams, hookPage, pathOfHook } from './hook-page.ts'
import { shortUrl } from './words.ts'

const path = `${WEBHOOKS_PATH}/:hookId/secret`

/** Replaces the secret of an endpoint and shows the new one once. */
export function rotatePages(ports: Parameters<typeof rotateSecret>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path, params: HookParams, name: 'askBeforeRotating', operation: 'hooks.manage' },
      async handle(call, { hook, appName }) {
        const main = confirmation({
          title: 'Replace the secret?',
          words: html`<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
<ul>
<li>The new secret signs from the next delivery on. This page shows it once.</li>
<li>For 24 hours <code>webhook-signature</code> also holds the signature of the current secret, so that your listener can change over.</li>
<li><code>Service-Webhook-Signature</code> has room for one signature and changes at once.</li>
</ul>`,
          verb: 'Replace the secret',
          backHref: pathOfHook(hook),
          csrf: call.csrf,
        })
        return framed(call, { title: 'Replace the secret', main, width: 'narrow' })
      },
    }),
    hookPage({
      ...{ method: 'POST', path, params: HookParams, name: 'rotateOwnSecret', operation: 'hooks.manage' },
      async handle(call, { hook }) {
        const rotated = await rotateSecret({ ...ports, db: call.db }, hook.hookId)
        if (isRejection(rotated)) return rotated
        const main = html`<h1>The secret is replaced</h1>
${notice('warn', 'Copy the secret now', 'This page shows the secret once. Your listener needs the secret to verify webhooks.')}
${copyable('secret', rotated.secret, 'the secret')}
<p>Deliveries also carry the signature of the secret before it until ${moment(rotated.previousUntil)}.</p>
${buttons(linkButton('Back to the endpoint', pathOfHook(hook), { kind: 'primary' }))}`
        return framed(call, { title: 'New secret', main, width: 'narrow' })
      },
    }),
  ]
}
