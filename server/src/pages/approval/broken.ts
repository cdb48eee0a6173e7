import type { Rejection } from '../../core/rejection.ts'
import { type PageAnswer, shown } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'

/** The app sent the merchant here with something that is not right. Nobody is sent back: it may not be that app that asks. */
export function brokenRequest({ rejected: refused, developerMessage }: Rejection): PageAnswer {
  const { status } = PROBLEMS[refused]
  const title = refused === 'APPLICATION_DISABLED' ? 'This app is not available' : 'This link is not right'
  const main = html`<article class="message">
<h1>${title}</h1>
<p class="lead">You were sent here by an app to give it access. ${SAID[refused] ?? 'It did not say clearly who it is or where to go on to.'} Nothing was approved.</p>
<p>Close this page. If you trust the app, tell those who make it.</p>
<p class="fine">For the makers of the app: ${developerMessage}</p>
</article>`
  return shown(layout({ title, main, width: 'narrow' }), { status })
}

const SAID: Partial<Record<Rejection['rejected'], string>> = {
  APPLICATION_NOT_FOUND: 'We do not know this app.',
  APPLICATION_DISABLED: 'This app was switched off.',
}
