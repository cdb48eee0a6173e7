import { Type } from 'typebox'
import type { Revocations } from '../../access/tokens/revocations.ts'
import type { Approval } from '../../core/approval.ts'
import { reject } from '../../core/rejection.ts'
import { findApproval, findApprovals } from '../../merchants/approvals/store.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { type AppFace, appFace, cards, emptyState, toast } from '../../platform/web/components/content.ts'
import { buttons, confirmation, linkButton } from '../../platform/web/components/form.ts'
import { day } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { say, sayHtml, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { revokeApproval } from '../../webhooks/notifications/revoke-approval.ts'
import { RIGHTS_IN_WORDS } from '../approval/pages.ts'
import { framed, ownPage, PATHS, type Shop } from './own-page.ts'
import { appFaces } from './standing.ts'

const path = `${PATHS.apps}/:appId/revoke`
const params = Type.Object({ appId: Uuid })

/** The apps with access, their rights, and the way to end the access. */
export function appPages(ports: Pick<Ports, 'db' | 'clock'> & { readonly revocations: Revocations }): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path: PATHS.apps, name: 'showOwnApps', operation: 'businesses.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(['revoked'])) }),
      async handle(call, shop) {
        const { sql } = call.db
        const approvals = await findApprovals(sql, shop.businessId)
        const faces = await appFaces(
          sql,
          approvals.map(({ appId }) => appId),
        )
        const list = approvals.map(approval => approved(approval, faces.get(approval.appId), shop))
        const main = html`<h1>${say`Apps`}</h1>
${call.query.done === 'revoked' && toast(say`Access ended`)}
<p class="lead">${say`These apps may see or do something in your name, because you allowed it.`}</p>
${list.length === 0 ? nothing() : cards(list)}
${buttons(linkButton(say`Find apps`, `${PATHS.apps}/find`, { kind: 'primary' }))}`
        return framed(call, shop, { title: say`Apps`, part: 'apps', main })
      },
    }),
    ownPage(ports, {
      ...{ method: 'GET', path, params, name: 'askBeforeRevoking', operation: 'approvals.manage' },
      async handle(call, shop) {
        const { sql } = call.db
        const { appId } = call.params
        if ((await findApproval(sql, shop.businessId, appId)) === null) return noApproval()
        const face = (await appFaces(sql, [appId])).get(appId)
        const main = confirmation(call, {
          title: say`End the access of ${face?.name ?? 'this app'}?`,
          words: html`<ul>
<li>${say`The app can no longer see your business, its subscriptions, invoices or orders.`}</li>
<li>${say`It no longer receives orders of your terminals, and cannot subscribe you to anything.`}</li>
<li>${sayHtml`Your subscriptions go on and are charged as before: ${html`<a href="${PATHS.subscriptions}">${say`cancel them`}</a>`} if you do not want them.`}</li>
<li>${say`You can allow it again at any time, from the app.`}</li>
</ul>`,
          verb: say`End access`,
          isDangerous: true,
          backHref: PATHS.apps,
          backText: say`Keep it`,
        })
        return framed(call, shop, { title: say`End access`, part: 'apps', width: 'narrow', main })
      },
    }),
    ownPage(ports, {
      ...{ method: 'POST', path, params, name: 'revokeOwnApproval', operation: 'approvals.manage' },
      async handle(call, { businessId }) {
        // Pressed twice: it is done. An app that was never approved gets the same page, because there is nothing to end.
        await revokeApproval({ ...ports, db: call.db }, { businessId, appId: call.params.appId })
        return redirect(`${PATHS.apps}?done=revoked`)
      },
    }),
  ]
}

function approved({ appId, rights, approvedAt }: Approval, face: AppFace | undefined, shop: Shop): Html {
  const shown = face ?? { name: say`An app`, developer: say`unknown` }
  return html`<section class="card">
${appFace(shown)}
<p>${say`It may:`}</p>
<ul class="bullets">${rights.map(right => html`<li>${sayText(RIGHTS_IN_WORDS[right])}</li>`)}</ul>
<p class="fine">${sayHtml`Since ${day(approvedAt, shop.timezone)}`}</p>
${shop.may('approvals.manage') && linkButton(say`End access`, `${PATHS.apps}/${appId}/revoke`, { about: say`of ${shown.name}` })}
</section>`
}

function nothing(): Html {
  return emptyState(say`No apps`, say`When an app asks for access and you allow it, it is listed here.`)
}

function noApproval() {
  return reject('RESOURCE_NOT_FOUND', 'The business has no current approval of this app.')
}
