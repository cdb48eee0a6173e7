import type { Static, TObject } from 'typebox'
import { subjectOf } from '../../access/memberships/place.ts'
import { assert } from '../../core/assert.ts'
import { type Place, placeOfPerson } from '../../core/membership.ts'
import { signedIn } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import {
  type AnyPage,
  type Page,
  type PageAnswer,
  type PageCall,
  page,
  type Shown,
  shown,
} from '../../platform/http/page.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { navigationOf, PEOPLE_PATH } from '../../platform/web/navigation.ts'

/** The place whose people they are, as the person who is signed in to it may see and touch them. */
export interface OwnPlace {
  readonly place: Place
  /** What people call it. */
  readonly name: string
  /** Who is signed in. */
  readonly userId: string
  readonly membershipId: string
  /** Whether the person's role leaves them this. What it does not, has no button. */
  may(operation: Operation): boolean
}

type PlacePage<P extends TObject, Q extends TObject, F extends TObject> = Omit<
  Page<P, Q, F>,
  'signIn' | 'subject' | 'handle'
> & {
  handle(call: PageCall<Static<P>, Static<Q>, Static<F>>, own: OwnPlace): Promise<PageAnswer | Rejection>
}

/** A page about the people of the place that somebody is signed in to. There is no other's: no address names a place. */
export function placePage<P extends TObject, Q extends TObject, F extends TObject>({
  handle,
  ...definition
}: PlacePage<P, Q, F>): AnyPage {
  return page<P, Q, F>({
    ...definition,
    signIn: 'required',
    subject({ principal }) {
      const place = placeOfPerson(principal)
      return place === null ? reject('FORBIDDEN', 'These pages are for who is signed in.') : subjectOf(place)
    },
    async handle(call) {
      const { principal, session } = call
      const [place, person] = [placeOfPerson(principal), signedIn(principal)]
      assert(place !== null && person !== null && session !== null, 'the page is only for who is signed in')
      const { userId, membershipId } = person
      const may = (operation: Operation) => !isTakenByRole(principal, operation)
      return handle(call, { place, name: session.place.name, userId, membershipId, may })
    },
  })
}

/** In its frame: who is signed in where, and the way to the other pages. */
export function framed(
  { session, principal, csrf }: PageCall<unknown, unknown, unknown>,
  {
    title,
    main,
    width = 'narrow',
  }: { readonly title: string; readonly main: Part; readonly width?: 'narrow' | 'wide' },
  more: Omit<Shown, 'html' | 'status'> & { status?: number } = {},
): PageAnswer {
  const links = navigationOf(principal, PEOPLE_PATH)
  const content: Html = html`${main}`
  return shown(layout({ title, width, links, signedIn: session && { ...session, csrf }, main: content }), more)
}
