import { type Rejection, reject } from '../../core/rejection.ts'

/** A till can repeat an order in a moment; accepting it would only make everybody's notifications later. */
const RETRY_AFTER_SECONDS = 5

/** Design, Admission: "external producers (orders) get 503 with Retry-After; billing is never refused". */
export function behind(): Rejection {
  return reject('SERVICE_UNAVAILABLE', 'Deliveries are backlogged. Repeat the request in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
