import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { SIGN_IN_PATH } from '../../platform/http/send.ts'
import { badge, facts } from '../../platform/web/components/content.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { HOME } from '../../platform/web/navigation.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'

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

/** For people, what `/readyz` says to programs. Reads no session, because the page must work without the database. */
export function statusPage({ db }: Pick<Ports, 'db'>): AnyPage {
  return page({
    method: 'GET',
    path: '/status',
    name: 'showStatus',
    operation: 'public',
    signIn: 'none',
    async handle() {
      const isUp = await db.sql`select 1`.then(
        () => true,
        () => false,
      )
      const works = badge(say`Works`, 'good')
      const main = html`<h1>${isUp ? say`Everything works` : say`The service is disturbed`}</h1>
<p class="lead">${isUp ? say`Pages, payments and webhooks work.` : say`The database does not answer. Payments and webhooks go on when it is back; nothing is lost.`}</p>
${facts([
  [say`Pages and API`, works],
  [say`Database`, isUp ? works : badge(say`Does not answer`, 'bad')],
])}
<div class="buttons">${linkButton(say`Check again`, '/status')}</div>`
      const title = say`Service status`
      return shown(layout({ title, width: 'narrow', main }), {
        status: isUp ? 200 : 503,
        headers: { 'cache-control': 'no-store' },
      })
    },
  })
}
