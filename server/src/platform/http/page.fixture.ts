import { Type } from 'typebox'
import type { Principal } from '../../core/principal.ts'
import { html } from '../web/html.ts'
import { layout } from '../web/layout.ts'
import { type AnyPage, bytes, page, redirect, shown } from './page.ts'
import type { WebSession, WebSessions } from './ports.ts'
import { testServer } from './server.fixture.ts'
import type { HttpOptions } from './server.ts'

export const SHOP = '018f0000-0000-7000-8000-00000000000c'
export const OTHER_SHOP = '018f0000-0000-7000-8000-00000000000d'

/** Cookies of the tests: whose session is which. */
const SESSIONS: Readonly<Record<string, WebSession>> = {
  'ses-of-ann': sessionOf('s-ann', 'Ann', { kind: 'merchant', role: 'OWNER', userId: 'ann', businessId: SHOP }),
  'ses-of-bob': sessionOf('s-bob', 'Bob', { kind: 'merchant', role: 'OWNER', userId: 'bob', businessId: OTHER_SHOP }),
}

const sessions: WebSessions = { find: async cookie => SESSIONS[cookie] ?? null }

function sessionOf(sessionId: string, name: string, principal: Principal): WebSession {
  return { sessionId, principal, person: { name, email: `${name}@example.com` }, workspace: { name: `${name}'s Shop` } }
}

/** A server with pages. Tests use the default address of inject, `localhost:80`, except over TLS. */
export function pageServer(
  pages: readonly AnyPage[],
  baseUrl = 'http://localhost:80',
  options: Partial<HttpOptions> = {},
) {
  const served = { baseUrl, billingUrl: baseUrl }
  return testServer([], {
    authorizer: {
      authorize: async (principal, _operation, { businessId }) => {
        if (principal.kind === 'anonymous') return { rejected: 'INVALID_ACCESS_TOKEN', developerMessage: 'Nobody.' }
        const isOwn = principal.kind === 'merchant' && principal.businessId === businessId
        return isOwn ? 'granted' : { rejected: 'FORBIDDEN', developerMessage: 'Another one.' }
      },
    },
    web: { pages, sessions, masterKey: Buffer.alloc(32, 7), served },
    ...options,
  })
}

/** One page of each kind. `seen` collects the posted forms. */
export function samplePages(seen: unknown[] = []): AnyPage[] {
  const form = (csrf: string) => html`<form method="post"><input type="hidden" name="csrf" value="${csrf}"></form>`
  const params = Type.Object({ shopId: Type.String() })
  return [
    page({
      method: 'GET',
      path: '/shops/:shopId',
      name: 'showShop',
      operation: 'businesses.write',
      signIn: 'required',
      params,
      query: Type.Object({ tab: Type.Optional(Type.String({ maxLength: 5 })) }),
      subject: ({ params }) => ({ businessId: params.shopId }),
      handle: async ({ session, csrf, params }) =>
        shown(layout({ title: params.shopId, main: form(csrf), signedIn: session && { ...session, csrf } })),
    }),
    page({
      method: 'POST',
      path: '/shops/:shopId',
      name: 'saveShop',
      operation: 'businesses.write',
      signIn: 'required',
      params,
      form: Type.Object({ name: Type.String({ maxLength: 20 }), days: Type.Array(Type.String(), { maxItems: 3 }) }),
      subject: ({ params }) => ({ businessId: params.shopId }),
      handle: async ({ form, params }) => {
        seen.push(form)
        return redirect(`/shops/${params.shopId}`)
      },
    }),
    page({
      method: 'GET',
      path: '/enter',
      name: 'showEntrance',
      operation: 'public',
      signIn: 'optional',
      handle: async ({ csrf, session }) =>
        shown(() => html`${session?.person.name ?? 'nobody'} ${form(csrf)}`, {
          formAction: ['https://app.example/cb?x=1'],
        }),
    }),
    page({
      method: 'POST',
      path: '/enter',
      name: 'enter',
      operation: 'public',
      signIn: 'none',
      handle: async () => redirect('/shops', [{ purpose: 'session', value: 'ses-of-ann', maxAgeSeconds: 60 }]),
    }),
    page({
      method: 'GET',
      path: '/report',
      name: 'saveReport',
      operation: 'public',
      signIn: 'none',
      handle: async () => bytes('application/pdf', Buffer.from('%PDF'), 'Rechnung "ü".pdf'),
    }),
    page({
      method: 'POST',
      path: '/shops/:shopId/logo',
      name: 'saveLogo',
      operation: 'businesses.write',
      signIn: 'required',
      params,
      form: Type.Object({ title: Type.String({ maxLength: 20 }) }),
      file: 'logo',
      subject: ({ params }) => ({ businessId: params.shopId }),
      handle: async ({ form, file, params }) => {
        seen.push({ ...form, ...(file && { size: file.size, first: (await file.read(0, 2)).toString() }) })
        return redirect(`/shops/${params.shopId}`)
      },
    }),
    page({
      method: 'POST',
      path: '/only-posted',
      name: 'postOnly',
      operation: 'public',
      signIn: 'none',
      handle: async () => redirect('/'),
    }),
  ]
}

/** A page with this handler. */
export function pageThat(handle: AnyPage['handle']): AnyPage {
  return page({ method: 'GET', path: '/it', name: 'showIt', operation: 'public', signIn: 'none', handle })
}
