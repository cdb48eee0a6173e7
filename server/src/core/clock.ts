/** The time of the world outside: leases, tokens, limits, recording. Billing asks for a business's effective now. */
export interface Clock {
  now(): Date
}
