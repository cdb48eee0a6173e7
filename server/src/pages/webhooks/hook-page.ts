import { type Static, type TObject, type TString, Type } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import type { Hook } from '../../core/hook.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { type Framed, framedAt, type PageOf } from '../../platform/http/framed.ts'
import { type AnyPage, type MoreShown, type PageAnswer, type PageCall, page } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { Crumb } from '../../platform/web/components/breadcrumb.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { getHook, subjectOfHook } from '../../webhooks/hooks/get.ts'
import { shortUrl } from './words.ts'

/** A hook and its app's name. */
export interface ShownHook {
  readonly hook: Hook
  readonly appName: string
}

export const HookParams = Type.Object({ hookId: Uuid })
export const NotificationParams = Type.Object({ hookId: Uuid, notificationId: Uuid })

/** A page about a hook that the signed-in person may see: a hook of the organization's apps, or any hook for the operator. Other hooks are 404. */
export function hookPage<P extends TObject<{ hookId: TString }>, Q extends TObject, F extends TObject>({
  handle,
  ...definition
}: PageOf<ShownHook, P, Q, F> & { readonly params: P }): AnyPage {
  const idOf = (call: { readonly params: unknown }) => (call.params as Static<typeof HookParams>).hookId
  return page<P, Q, F>({
    ...definition,
    signIn: 'required',
    subject: call => rejectOthers(call.principal) ?? subjectOfHook(call.db.sql, idOf(call), call.principal),
    async handle(call) {
      const hook = await getHook(call.db.sql, idOf(call), call.principal)
      if (isRejection(hook)) return hook
      const app = await findApp(call.db.sql, hook.appId)
      return handle(call, { hook, appName: app?.name ?? 'An app' })
    },
  })
}

/** Businesses have no hooks: apps do. */
export function rejectOthers({ kind }: Principal): Rejection | undefined {
  if (kind === 'developer' || kind === 'operator') return undefined
  return reject(
    'FORBIDDEN',
    'Only developers and operators can open these pages. Sign in as a developer or an operator.',
  )
}

export function pathOfHook({ hookId }: Pick<Hook, 'hookId'>): string {
  return `${WEBHOOKS_PATH}/${hookId}`
}

/** The pages above the pages of a hook. */
export function aboveOf(hook: Pick<Hook, 'hookId' | 'deliveryUrl'>): Crumb[] {
  return [
    { href: WEBHOOKS_PATH, text: 'Webhooks' },
    { href: pathOfHook(hook), text: shortUrl(hook.deliveryUrl) },
  ]
}

/** `notificationId` is that of any delivery of the event. */
export function pathOfEvent(appId: string, notificationId: string): string {
  return `${WEBHOOKS_PATH}/apps/${appId}/events/${notificationId}`
}

export function framed(call: PageCall, frame: Framed, more?: MoreShown): PageAnswer {
  return framedAt(WEBHOOKS_PATH, call, { ...frame, mainLanguage: 'en' }, more)
}
