import { REJECTION_CODES } from '../../src/core/rejection.ts'
import { INSIDE } from '../matrix/contract.ts'
import { OF_NO_OPERATION } from '../support/exercised.ts'
import type { Described, Described31 } from './document.ts'
import type { Reply } from './socket.ts'

/** Secrets that callers sent or that only the service knows. No error may repeat them. */
export interface Secrets {
  readonly secrets: readonly string[]
}

/** The violations of a response against the served document. Usually empty. */
export function judge(
  document: Described31 & Secrets,
  operation: Described | undefined,
  { status, headers, body }: Reply,
): string[] {
  const faults: string[] = []
  const fault = (isOne: boolean, what: string) => isOne && faults.push(what)
  const text = body.toString()
  fault(!(status >= 200 && status < 500), `status ${status}`)
  fault(!headers['service-request-id'], 'no Service-Request-Id')
  fault(headers['api-version'] !== '1.2', 'no api-version')
  const type = headers['content-type']?.split(';', 1)[0]
  fault(!isPicture(type) && !Buffer.from(text).equals(body), 'no UTF-8')
  const parsed = type === 'application/json' ? parse(text) : undefined
  fault(type === 'application/json' && body.length > 0 && parsed === undefined, 'no JSON')
  if (status >= 400) faults.push(...faultsOfError(document, { status, headers, text, parsed }))
  if (operation === undefined) return faults
  const declared = operation.answers.get(status)
  if (declared === undefined) {
    fault(!OF_NO_OPERATION.has(codeOf(parsed)), `${status} ${codeOf(parsed)} is not declared`)
    return faults
  }
  if (OF_NO_OPERATION.has(codeOf(parsed))) return faults
  if (declared.type === null) fault(body.length > 0, `${status} has a body`)
  else if (declared.type === 'application/json') fault(!declared.fits(parsed), `${status} does not fit its schema`)
  else fault(type !== declared.type && !(declared.type === 'image/*' && isPicture(type)), `${status} as ${type}`)
  const always = declared.headers.filter(name => name !== 'Idempotent-Replayed' && name !== 'Retry-After')
  for (const name of always) fault(headers[name.toLowerCase()] === undefined, `${status} without ${name}`)
  // An audit entry shows a row as stored.
  fault(operation.name !== 'listAudit' && hasNull(parsed), 'null on the wire')
  return faults
}

interface Answer {
  readonly status: number
  readonly headers: Reply['headers']
  readonly text: string
  readonly parsed: unknown
}

function faultsOfError(
  { isError, secrets }: Described31 & Secrets,
  { status, headers, text, parsed }: Answer,
): string[] {
  if (!isError(parsed)) return ['not the error body']
  const { code, httpStatus, requestId, message, developerMessage } = parsed as Record<string, unknown>
  const faults: string[] = []
  if (httpStatus !== status) faults.push(`httpStatus ${httpStatus}`)
  if (requestId !== headers['service-request-id']) faults.push('requestId differs from the header')
  if (!(REJECTION_CODES as readonly unknown[]).includes(code)) faults.push(`code ${code}`)
  if (message === '' || developerMessage === '') faults.push('no words')
  if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(headers['retry-after'] ?? ''))
    faults.push('no Retry-After')
  if (INSIDE.test(text)) faults.push('reveals internals')
  if (secrets.some(secret => text.includes(secret))) faults.push('reveals a secret')
  return faults
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isPicture(type: string | undefined): boolean {
  return type?.startsWith('image/') === true
}

function codeOf(parsed: unknown): string {
  return String((parsed as { code?: unknown } | undefined)?.code)
}

function hasNull(value: unknown): boolean {
  if (value === null) return true
  return typeof value === 'object' && Object.values(value).some(hasNull)
}
