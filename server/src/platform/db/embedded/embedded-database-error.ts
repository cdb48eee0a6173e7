/** The service's own PostgreSQL cannot be used. The message says what is wrong and what the operator can do. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError'
}
