/** True if the database is unreachable, starting, stopping or too slow. Every other database error is a bug. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || isTimedOut(error)
}

/** The database answers, but cancelled the statement because it took too long. */
export function isTimedOut(error: unknown): boolean {
  return hasCode(error, TOO_SLOW)
}

/** True if the connection accepts nothing more, not even a rollback. */
export function isConnectionLost(error: unknown): boolean {
  return hasCode(error, AWAY) || (error instanceof AggregateError && error.errors.some(isConnectionLost))
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.has(String(error.code))
}

/** A statement of a transaction that ended or lost its connection. Running the statement would place it outside the transaction. */
export class TransactionOver extends Error {
  readonly code = 'CONNECTION_CLOSED'
  constructor() {
    super('the transaction is over')
  }
}

/** All connections were in use for the whole time that a request waits. */
export class NoConnectionInTime extends Error {
  readonly code = 'CONNECT_TIMEOUT'
  constructor() {
    super('no connection to the database was free in time')
  }
}

const TOO_SLOW = new Set([
  '57014', // query_canceled: by its statement_timeout
])

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
  '25P03', // idle_in_transaction_session_timeout
  '08000',
  '08003',
  '08006',
])
