import { Type } from 'typebox'
import { signedIn } from '../../core/principal.ts'
import { reject } from '../../core/rejection.ts'
import { ownPath } from '../../platform/http/links.ts'
import { modeCookie, themeCookie } from '../../platform/http/mode.ts'
import { type AnyPage, page, redirect } from '../../platform/http/page.ts'
import { HOME } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { keysPage } from './keys.ts'
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
