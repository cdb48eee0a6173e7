import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { SIGN_IN_PATH } from '../../platform/http/send.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { HOME } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { statusPage } from './status.ts'

export function landingPages(
  ports: Pick<Ports, 'db'>,
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
            title: 'Welcome',
            width: 'narrow',
            signedIn: session && { ...session, csrf },
            main: html`<h1>Subscriptions for the apps on your terminals</h1>
<p class="lead">${brand.name} keeps what merchants subscribe to, takes the payments, and tells the apps.</p>
<div class="buttons">${session === null ? linkButton('Sign in', SIGN_IN_PATH, { kind: 'primary' }) : linkButton('Your pages', HOME, { kind: 'primary' })}${linkButton('Guides', '/guides')}${linkButton('API reference', '/docs')}${hasSimulator && linkButton('Terminal simulator', '/simulator')}${linkButton('Service status', '/status', { kind: 'quiet' })}</div>`,
          }),
        ),
    }),
  ]
}
