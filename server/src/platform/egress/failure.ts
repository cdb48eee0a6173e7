import { NOBODY_TO_ASK } from './resolve.ts'

/** Why no answer came. The closed set of words that an attempt is recorded with. Source: decisions 7, History. */
export type FailureReason = 'timeout' | 'refused' | 'dns' | 'tls' | 'private_address' | 'reset' | 'protocol'

/** No connection was made, for a reason that we know at the place where it happens. */
export class DialFailure extends Error {
  override name = 'DialFailure'
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** This machine has no file, socket or memory left for a connection: nothing is known of the other side. */
const OURS = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']

const REASONS = new Map<string, FailureReason>([
  ...OURS.map(code => [code, 'refused'] as const),
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'refused'],
  ['EHOSTDOWN', 'refused'],
  ['ENETUNREACH', 'refused'],
  ['ENETDOWN', 'refused'],
  ['EADDRNOTAVAIL', 'refused'],
  ['EACCES', 'refused'],
  ['EPERM', 'refused'],
  ['EINVAL', 'refused'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['EPROTO', 'tls'],
])

/** Why dialling failed. With TLS, all that is no failure of the network is one of TLS: its codes are too many to list. */
export function dialFailure(error: Error, protocol: string): DialFailure {
  if (error instanceof DialFailure) return error
  const reason = REASONS.get(codeOf(error)) ?? (protocol === 'https:' ? 'tls' : 'refused')
  return new DialFailure(reason, error.message, error)
}

/** Why an exchange failed, before its answer had come. */
export function reasonOf(error: Error): FailureReason {
  if (error instanceof DialFailure) return error.reason
  const code = codeOf(error)
  // An answer out of turn and an upgrade nobody asked for are socket errors to undici; the peer hung up on nobody.
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')) return 'protocol'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls'
  return REASONS.get(code) ?? 'protocol'
}

/** A connection that stood was closed by the other side. */
export function isHungUp(error: Error): boolean {
  return !(error instanceof DialFailure) && reasonOf(error) === 'reset'
}

/** No connection was made for want of something here, be it a name server that can be asked. */
export function isOurs(error: Error): boolean {
  if (!(error instanceof DialFailure && error.cause instanceof Error)) return false
  const code = codeOf(error.cause)
  return OURS.includes(code) || (error.reason === 'dns' && code === NOBODY_TO_ASK)
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
