import type { Icon } from './icon.ts'
import { type Rejection, reject, rejectField } from './rejection.ts'

export const APP_STATUSES = ['ACTIVE', 'DISABLED'] as const
export type AppStatus = (typeof APP_STATUSES)[number]

/** The app's owner and the operator of the store. */
export const APP_DISABLERS = ['DEVELOPER', 'OPERATOR'] as const
export type AppDisabler = (typeof APP_DISABLERS)[number]

/** Decisions 2: "at most 5 active" keys of an app. */
export const MAX_ACTIVE_KEYS = 5

/** Enough for production, staging and developers' machines. */
export const MAX_CALLBACK_URLS = 20

/** An Android package name: a Java package of two parts or more, as the store of the terminals knows the app. */
export const PACKAGE_NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)+$'

/** An application of a developer's organization. `appId` is the UUID within its URN (decisions 4). */
export interface App {
  readonly appId: string
  readonly organizationId: string
  readonly name: string
  readonly packageName: string
  /** Exact redirect targets of a merchant's approval (decisions 8). */
  readonly callbackUrls: readonly string[]
  readonly status: AppStatus
  /** Absent: ACTIVE. */
  readonly disabledBy?: AppDisabler
  /** Absent: merchants see the first letter of the name. */
  readonly icon?: Icon
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * The new status and the party responsible for it. Only the operator enables an app that the operator disabled, and a developer's DISABLED
 * does not take over the responsibility; the operator's does.
 */
export function changeStatus(
  app: Pick<App, 'status' | 'disabledBy'>,
  status: AppStatus,
  by: AppDisabler,
): Pick<App, 'status' | 'disabledBy'> | Rejection {
  const isOperators = app.disabledBy === 'OPERATOR'
  if (status === 'DISABLED') return { status, disabledBy: isOperators ? 'OPERATOR' : by }
  if (isOperators && by !== 'OPERATOR') {
    return reject('FORBIDDEN', 'The operator has disabled this app. Ask the operator to enable it.')
  }
  return { status }
}

/** Characters that URL parsers drop or rewrite: a browser would open a URL that differs from the registered URL. */
const REWRITTEN = /[\s\\\p{Cc}]/u

/**
 * Null if all URLs may be registered. A merchant's browser is redirected to the URL with a code (decisions 8), so a URL has no credentials
 * and no fragment, which would swallow the parameters. `requireHttps` also rejects plain http, which would show the code to the network.
 */
export function rejectCallbackUrls(
  urls: readonly string[],
  { requireHttps }: { readonly requireHttps: boolean },
): Rejection | null {
  for (const [index, text] of urls.entries()) {
    const url = URL.parse(text)
    const path = `callbackUrls[${index}]`
    if (REWRITTEN.test(text)) {
      return rejectField(path, 'must not contain spaces, line breaks, tabs or backslashes: percent-encode them')
    }
    // URL parsers also accept https:host and https:///host, and rewrite both.
    if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
      return rejectField(path, 'must be an absolute http or https URL')
    }
    if (requireHttps && url.protocol !== 'https:') return rejectField(path, 'must be an https URL')
    if (url.username !== '' || url.password !== '') return rejectField(path, 'must not contain credentials')
    if (text.includes('#')) return rejectField(path, 'must not have a fragment')
  }
  return null
}
