import { Check } from 'typebox/value'
import { REJECTION_CODES, type RejectionCode } from '../../src/core/rejection.ts'
import { PROBLEMS } from '../../src/platform/http/problems.ts'
import type { AnyRoute } from '../../src/platform/http/route.ts'
import type { Answer } from '../support/world.ts'

const FIELDS = ['code', 'httpStatus', 'message', 'developerMessage', 'requestId']
const MAY_BE = [...FIELDS, 'fields', 'error', 'error_description']

/** Internal words that responses must not contain. */
export const INSIDE =
  /\bselect \w|insert into|\bat \S+\.ts|node_modules|postgres|undefined|\[object|violates|must match pattern/i

/** The violations of a response against the rules of all routes. Usually empty. */
export function faultsOf(route: AnyRoute, { status, headers, body, text }: Answer, requestId: string): string[] {
  const faults: string[] = []
  const fault = (isOne: boolean, what: string) => isOne && faults.push(what)
  fault(status >= 500, `${status} ${text.slice(0, 300)}`)
  fault(headers['service-request-id'] !== requestId, `Service-Request-Id ${headers['service-request-id']}`)
  fault(headers['api-version'] !== '1.2', 'no api-version')
  if (status < 400) {
    fault(!(status in route.answers), `${status} is not declared`)
    const schema = route.answers[status]
    if (schema && String(headers['content-type']).startsWith('application/json')) {
      fault(!Check(schema, body), `${status} does not fit its schema: ${text.slice(0, 300)}`)
    }
    fault(
      schema === null && route.contentType === undefined && text !== '',
      `${status} has a body that is not declared`,
    )
    return faults
  }
  const isCode = (REJECTION_CODES as readonly string[]).includes(body.code)
  fault(!isCode, `code ${body.code}`)
  const { status: meant, message } = isCode ? PROBLEMS[body.code as RejectionCode] : { status: 0, message: '' }
  fault(meant !== status || body.httpStatus !== status, `${body.code} as ${status}, httpStatus ${body.httpStatus}`)
  fault(body.message !== message, `message: ${body.message}`)
  fault(body.requestId !== requestId, 'requestId differs from the header')
  fault(typeof body.developerMessage !== 'string' || body.developerMessage === '', 'no developerMessage')
  fault(INSIDE.test(text), `reveals internals: ${text}`)
  const keys = Object.keys(body)
  fault(FIELDS.some(key => !keys.includes(key)) || keys.some(key => !MAY_BE.includes(key)), `keys: ${keys}`)
  fault(body.fields !== undefined && !areFields(body.fields), `fields: ${JSON.stringify(body.fields)}`)
  const issuesTokens = route.accepts === 'form' || route.name === 'pollDeviceLogin'
  fault('error' in body && !issuesTokens, 'an OAuth error where there are no tokens')
  return faults
}

function areFields(fields: unknown): boolean {
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  return Array.isArray(fields) && fields.length > 0 && fields.every(one => isText(one.path) && isText(one.problem))
}
