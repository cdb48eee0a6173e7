import { type Shown, shown } from '../../platform/http/page.ts'
import { appFace } from '../../platform/web/components/card.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import type { Till, TillCall } from './till.ts'

/** `looksAgainEach`: seconds, of a page that waits for something. */
type More = Omit<Shown, 'html' | 'status'> & { readonly status?: number; readonly looksAgainEach?: number }

/** A page of a purchase in its frame: no way but its own buttons, as a terminal has no others. */
export function tillShown(
  call: TillCall,
  { title, main }: { title: string; main: Html },
  { looksAgainEach, ...more }: More = {},
): Shown {
  const signedIn = call.session && { person: call.session.person, place: call.session.place }
  const waits = looksAgainEach === undefined ? {} : { looksAgainEach }
  return shown(layout({ title, main, signedIn, width: 'narrow', isTill: true, ...waits }), more)
}

/** The same, under the app that it is about. */
export function tillShownOf(
  call: TillCall,
  { app, business }: Till,
  { title, main }: { title: string; main: Html },
  more: More = {},
): Shown {
  const isTest = business.type === 'TEST_MERCHANT'
  const whole = html`${appFace(app, 2)}
${main}
<p class="fine till-note">For ${business.doingBusinessAs ?? business.legalName}.${isTest && ' This is a test business: no real money is charged.'}</p>`
  return tillShown(call, { title: `${title} · ${app.name}`, main: whole }, more)
}
