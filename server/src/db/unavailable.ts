/** The database is away, starting or stopping. Everything else that it says is an error of ours. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if ('code' in error && AWAY.has(String(error.code))) return true
  return error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)
}

/** A statement of a transaction whose connection was lost, or that has ended: it would run outside of it. */
export class TransactionOver extends Error {
  readonly code = 'CONNECTION_CLOSED'
  constructor() {
    super('the transaction is over')
  }
}

const AWAY = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '08000',
  '08003',
  '08006',
])
