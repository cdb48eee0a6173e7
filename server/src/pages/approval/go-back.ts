import { type PageAnswer, redirect, shown } from '../../platform/http/page.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'

/**
 * On to the app. Chromium asks the policy of the page whose form was posted about every redirect that follows, and those of
 * signing in know no app's address: after them a page of its own goes on, which is a new way and no redirect.
 */
export function goBack(location: string, appName: string, headers: Readonly<Record<string, unknown>>): PageAnswer {
  if (headers['sec-fetch-site'] !== 'same-origin') return redirect(location)
  const title = `Going on to ${appName}`
  const main = html`<h1>${title}</h1>
<p class="lead">You have approved this app before.</p>
<p>${linkButton('Go on', location, { kind: 'primary' })}</p>`
  return shown(layout({ title, main, width: 'narrow' }), { headers: { refresh: `0;url=${location}` } })
}
