import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { SIGN_IN_PATH } from '../../platform/http/send.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { HOME } from '../../platform/web/navigation.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { statusPage } from './status.ts'

export function landingPages(
  ports: Pick<Ports, 'db' | 'settings'>,
  { hasSimulator }: { readonly hasSimulator: boolean },
): AnyPage[] {
  return [
    statusPage(ports),
    page({
      method: 'GET',
      path: '/',
      name: 'showLanding',
      operation: 'public',
      signIn: 'optional',
      handle: async ({ session, csrf, brand }) =>
        shown(
          layout({
            title: say`Welcome`,
            width: 'narrow',
            signedIn: session && { ...session, csrf },
            main: html`<h1>${say`Subscriptions for the apps on your terminals`}</h1>
<p class="lead">${say`${brand.name} manages subscriptions, collects the payments and notifies the apps.`}</p>
<div class="buttons">${session === null ? linkButton(say`Sign in`, SIGN_IN_PATH, { kind: 'primary' }) : linkButton(say`Your pages`, HOME, { kind: 'primary' })}${session === null && ports.settings.isJoinOpen && linkButton(say`Create a developer account`, '/join')}${linkButton(say`Guides`, '/guides')}${linkButton(say`API reference`, '/docs')}${hasSimulator && linkButton(say`Terminal simulator`, '/simulator')}${linkButton(say`Service status`, '/status')}</div>`,
          }),
        ),
    }),
  ]
}
