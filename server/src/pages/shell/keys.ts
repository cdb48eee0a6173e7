import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { navigationOf } from '../../platform/web/navigation.ts'
import { say } from '../../platform/web/say.ts'

/** The keys of the portal's scripts. The key ? shows this page above another page. */
export function keysPage(): AnyPage {
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
