import type { FastifyError } from 'fastify'
import { type Rejection, reject } from '../../core/rejection.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { GatewayUnreachable } from '../unreachable.ts'
import { rejectionOfValidation } from './validation.ts'
import { internalError } from './wire-answer.ts'

/** What was thrown, as the caller may know it: a request that does not fit, a world that is away, a bug of ours. */
export function rejectionOfError(error: unknown): Rejection {
  const { code, message, validation, validationContext } = (error ?? {}) as Partial<FastifyError>
  // Node's words for a caller that went away while sending: nobody reads the answer.
  if (code === 'ECONNRESET' && message === 'aborted') return reject('INVALID_REQUEST', 'The request was cut off.')
  if (validation !== undefined) return rejectionOfValidation(validation, validationContext)
  if (isDatabaseUnavailable(error)) {
    return reject('SERVICE_UNAVAILABLE', 'The database is away. Repeat the request with the same request id.', {
      retryAfterSeconds: 1,
    })
  }
  if (error instanceof GatewayUnreachable) {
    return reject('SERVICE_UNAVAILABLE', 'The payment gateway is away. Repeat the request with the same request id.', {
      retryAfterSeconds: 5,
    })
  }
  return code === undefined ? internalError() : (FRAMEWORK_ERRORS[code] ?? internalError())
}

/** What may be said of an error in a log: a database's detail and a request's values are not part of it. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error }
  const { name, message, stack, cause } = error
  return {
    ...{ error: name, message, stack },
    ...('code' in error && { code: error.code }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

const badLength = reject('INVALID_REQUEST', 'The body is not as long as its Content-Length.')
const badUrl = reject('INVALID_URL_PATTERN', 'Percent-encode the path as RFC 3986 says.')

const FRAMEWORK_ERRORS: Readonly<Record<string, Rejection>> = {
  FST_ERR_BAD_URL: badUrl,
  FST_ERR_MAX_PARAM_LENGTH: reject('RESOURCE_NOT_FOUND', 'A part of the path is too long.'),
  FST_ERR_CTP_BODY_TOO_LARGE: reject('PAYLOAD_TOO_LARGE', 'Send at most 1 MiB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: reject('UNSUPPORTED_MEDIA_TYPE', 'Send Content-Type: application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: badLength,
}
