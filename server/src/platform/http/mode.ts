import { signedIn } from '../../core/principal.ts'
import type { Mode } from '../web/surroundings.ts'
import type { NewCookie } from './cookies.ts'
import type { PageCall } from './page.ts'

const KEPT_SECONDS = 365 * 86_400

/**
 * Whether the lists of a page show live or test data. Each person's choice is kept per workspace. Default: operators see live data, and
 * developers, who begin with test merchants, see test data.
 */
export function modeOf({ principal, cookies }: Pick<PageCall, 'principal' | 'cookies'>): Mode {
  const [mode, membershipId] = cookies.read('mode')?.split('.') ?? []
  const isOwn = membershipId !== undefined && membershipId === signedIn(principal)?.membershipId
  if (isOwn && (mode === 'live' || mode === 'test')) return mode
  return principal.kind === 'developer' ? 'test' : 'live'
}

export function modeCookie(mode: Mode, membershipId: string): NewCookie {
  return { purpose: 'mode', value: `${mode}.${membershipId}`, maxAgeSeconds: KEPT_SECONDS }
}

/** 'auto' removes the cookie: the setting of the reader's machine decides. */
export function themeCookie(theme: 'light' | 'dark' | 'auto'): NewCookie {
  return { purpose: 'theme', value: theme === 'auto' ? '' : theme, maxAgeSeconds: KEPT_SECONDS }
}
