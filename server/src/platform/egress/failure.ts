import { NO_NAME_SERVER } from './resolve.ts'

/** Why no answer came. The closed set of words that an attempt is recorded with. Source: decisions 7, History. */
export type FailureReason = 'timeout' | 'refused' | 'dns' | 'tls' | 'private_address' | 'reset' | 'protocol'

/** The connection failed for a reason known at this place. */
export class DialFailure extends Error {
  override name = 'DialFailure'
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** This machine has no file, socket or memory left for a connection: the state of the endpoint is unknown. */
const OURS = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']

const UNREACHABLE = ['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']
const NOT_PERMITTED = ['EACCES', 'EPERM', 'EINVAL']

const CODES: readonly (readonly [FailureReason, readonly string[]])[] = [
  ['timeout', ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']],
  ['refused', [...OURS, ...UNREACHABLE, ...NOT_PERMITTED]],
  ['reset', ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']],
  ['tls', ['EPROTO']],
]
const REASONS = new Map(CODES.flatMap(([reason, codes]) => codes.map(code => [code, reason] as const)))

/**
 * The reason of a failed dial. With TLS, every failure that is not a network failure counts as TLS, because TLS codes are too many to
 * list.
 */
export function dialFailure(error: Error, protocol: string): DialFailure {
  if (error instanceof DialFailure) return error
  const reason = REASONS.get(codeOf(error)) ?? (protocol === 'https:' ? 'tls' : 'refused')
  return new DialFailure(reason, error.message, error)
}

/** The reason of an exchange that failed before its response. */
export function reasonOf(error: Error): FailureReason {
  if (error instanceof DialFailure) return error.reason
  const code = codeOf(error)
  // undici reports an unexpected response or upgrade as a socket error, although the peer did not hang up.
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')) return 'protocol'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls'
  return REASONS.get(code) ?? 'protocol'
}

/** The endpoint closed an established connection. */
export function isHungUp(error: Error): boolean {
  return !(error instanceof DialFailure) && reasonOf(error) === 'reset'
}

/** True if the connection failed for a local reason, for instance no reachable name server. */
export function isOurs(error: Error): boolean {
  if (!(error instanceof DialFailure && error.cause instanceof Error)) return false
  const code = codeOf(error.cause)
  return OURS.includes(code) || (error.reason === 'dns' && code === NO_NAME_SERVER)
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
