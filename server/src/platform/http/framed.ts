import type { Static, TObject } from 'typebox'
import type { Rejection } from '../../core/rejection.ts'
import type { Problems } from '../web/components/form.ts'
import { html, type Part } from '../web/html.ts'
import { type Frame, layout } from '../web/layout.ts'
import { navigationOf } from '../web/navigation.ts'
import { type MoreShown, type Page, type PageAnswer, type PageCall, shown } from './page.ts'

/** A page of one workspace. Its maker sets the subject, and gives `handle` what the workspace's pages need. */
export type PageOf<Own, P extends TObject, Q extends TObject, F extends TObject> = Omit<
  Page<P, Q, F>,
  'signIn' | 'subject' | 'handle'
> & {
  handle(call: PageCall<Static<P>, Static<Q>, Static<F>>, own: Own): Promise<PageAnswer | Rejection>
}

export type Framed = Pick<Frame, 'title' | 'mainLanguage' | 'width' | 'head' | 'refreshSeconds'> & {
  readonly main: Part
  /** The problems of its form. With any, the status is 400 unless `more` has another. */
  readonly problems?: Problems | undefined
}

/** A page with its frame: the signed-in user, the workspace, and the navigation. `current` is the path of the page's section. */
export function framedAt(
  current: string,
  call: PageCall,
  { main, problems = {}, ...frame }: Framed,
  { status = Object.keys(problems).length > 0 ? 400 : 200, ...more }: MoreShown = {},
): PageAnswer {
  const links = navigationOf(call.principal, current)
  const signedIn = call.session && { ...call.session, csrf: call.csrf }
  return shown(layout({ ...frame, links, signedIn, main: html`${main}` }), { status, ...more })
}
