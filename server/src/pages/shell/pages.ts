import { Type } from 'typebox'
import { signedIn } from '../../core/principal.ts'
import { reject } from '../../core/rejection.ts'
import { ownPath } from '../../platform/http/links.ts'
import { modeCookie, themeCookie } from '../../platform/http/mode.ts'
import { type AnyPage, page, redirect, shown } from '../../platform/http/page.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { HOME, navigationOf } from '../../platform/web/navigation.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { searchPage } from './search.ts'

const Next = Type.Optional(Type.String({ maxLength: 8_000 }))

/** Search, and the switches of the frame. */
export function shellPages(ports: Pick<Ports, 'db'>): AnyPage[] {
  return [
    searchPage(ports),
    keysPage(),
    page({
      ...{ method: 'POST', path: '/mode', name: 'chooseMode', operation: 'account.manage', signIn: 'required' },
      form: Type.Object({ mode: Type.Enum(['live', 'test']), next: Next }),
      // The request changes only a cookie.
      audited: false,
      async handle({ form, principal }) {
        const person = signedIn(principal)
        if (person === null || (principal.kind !== 'developer' && principal.kind !== 'operator')) {
          return reject('RESOURCE_NOT_FOUND', 'Only developers and operators see test data.')
        }
        return redirect(ownPath(form.next) ?? HOME, [modeCookie(form.mode, person.membershipId)])
      },
    }),
    page({
      ...{ method: 'POST', path: '/theme', name: 'chooseTheme', operation: 'account.manage', signIn: 'required' },
      form: Type.Object({ theme: Type.Enum(['light', 'dark', 'auto']), next: Next }),
      // The request changes only a cookie.
      audited: false,
      handle: async ({ form }) => redirect(ownPath(form.next) ?? HOME, [themeCookie(form.theme)]),
    }),
  ]
}

/** The keys of the portal's scripts. The key ? shows this page above another page. */
function keysPage(): AnyPage {
  return page({
    ...{ method: 'GET', path: '/keys', name: 'showKeys', operation: 'account.manage', signIn: 'required' },
    duringViewing: 'open',
    async handle({ principal, session, csrf }) {
      const keys = [
        ['/', say`Search`],
        [say`Ctrl K or ⌘ K`, say`Search, also while typing`],
        ['j', say`Next row of a list`],
        ['k', say`Previous row of a list`],
        ['o', say`Open the row`],
        ['?', say`Show the keys`],
      ]
      const main = html`<h1>${say`Keys`}</h1>
<dl class="facts">${keys.map(([key, meaning]) => html`<dt><kbd>${key}</kbd></dt><dd>${meaning}</dd>`)}</dl>`
      const signedIn = session && { ...session, csrf }
      return shown(layout({ title: say`Keys`, main, signedIn, links: navigationOf(principal, '/keys') }))
    },
  })
}
