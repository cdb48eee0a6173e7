import { SESSION_PREFIX } from './access/sessions/find.ts'
import { WHOLE_BASIS_POINTS } from './core/operator-share.ts'

/** `api` answers requests, `worker` runs the background jobs and serves its health and metrics, `all` does both. */
export const ROLES = ['api', 'worker', 'all'] as const
export type Role = (typeof ROLES)[number]

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Too long to guess. */
export const SHORTEST_KEY = 20

export function oneOf<T extends string>(values: readonly T[], text: string): T {
  const value = values.find(one => one === text)
  if (value !== undefined) return value
  const words = values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`
  throw new Error(`must be ${words}, not "${text}".`)
}

export function integer(text: string, from: number, to: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= from && value <= to)) throw new Error(`must be an integer from ${from} to ${to}, not "${text}".`)
  return value
}

export function ratio(text: string): number {
  const value = /^\d{1,3}(\.\d{1,9})?$|^\.\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= 1)) throw new Error(`must be a number from 0 to 1, not "${text}".`)
  return value
}

/** In basis points. */
export function percent(text: string): number {
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  const basisPoints = whole === '' ? Number.NaN : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (!(basisPoints <= WHOLE_BASIS_POINTS)) {
    throw new Error(`must be a percentage from 0 to 100 with two decimals at most, not "${text}".`)
  }
  return basisPoints
}

export function boolean(text: string | undefined): boolean {
  if (text === undefined || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw new Error(`must be true or false, not "${text}".`)
}

export function url(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const parsed = URL.parse(text)
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.search !== '' || parsed.hash !== '') {
    throw new Error(`must be an http or https URL without a query, not "${text}".`)
  }
  return text.replace(/\/+$/, '')
}

/** The error does not repeat the text, which contains a password. */
export function postgresUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new Error('must be a URL such as postgres://user:password@host:5432/name.')
  }
  try {
    decodeURIComponent(text)
  } catch {
    throw new Error('contains a % that encodes nothing. In a user name or password write %25 instead.')
  }
  return text
}

/** The error does not repeat the text, which contains a password. */
export function smtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const parsed = URL.parse(text)
  if (parsed === null || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new Error('must be a URL such as smtp://user:password@host:587.')
  }
  return text
}

export function mailFrom(text: string | undefined): string | undefined {
  if (text !== undefined && !/^(?:[^<>@\r\n]* <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/.test(text)) {
    throw new Error(
      `must be an address such as no-reply@example.com or Tillhook <no-reply@example.com>, not "${text}".`,
    )
  }
  return text
}

export function operatorKey(text: string | undefined): string | undefined {
  if (text?.startsWith(SESSION_PREFIX)) {
    throw new Error(`must not begin with ${SESSION_PREFIX}, the prefix of session tokens.`)
  }
  return bearerKey(text)
}

/** RFC 6750, 2.1. */
export function bearerKey(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[A-Za-z0-9\-._~+/]{20,}=*$/.test(text)) {
    throw new Error(
      `must be ${SHORTEST_KEY} or more of the characters that a bearer token may hold: A-Z a-z 0-9 - . _ ~ + /`,
    )
  }
  return text
}

/** The error does not repeat the text, which is a secret. */
export function keyOf(text: string | undefined, pattern: RegExp, forms: string): string | undefined {
  if (text !== undefined && !pattern.test(text)) throw new Error(`must be ${forms}.`)
  return text
}
