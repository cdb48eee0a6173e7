/** Real time, for leases, tokens, limits and recording. Billing uses the business time of each merchant. */
export interface Clock {
  now(): Date
}
