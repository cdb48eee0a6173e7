import type { IncomingHttpHeaders } from 'node:http'
import type { NewId } from '../../core/id.ts'

/** Decisions 1: `Service-Request-Id` is echoed, and made by us where it is absent or is not one. */
export function requestIdOf(headers: IncomingHttpHeaders, newId: NewId): string {
  return sentRequestId(headers) ?? newId()
}

/** The caller's own request id: 1 to 128 visible ASCII characters. */
export function sentRequestId(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['service-request-id']
  return typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : undefined
}
