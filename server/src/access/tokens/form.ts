import type { Static } from 'typebox'
import { UUID_PATTERN } from '../../core/id.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { CodeGrant } from './exchange-code.ts'
import type { TokenForm } from './schema.ts'

type Form = Readonly<Record<string, string | undefined>>

/**
 * The value of a form field that goes by either name: the interface's camelCase, RFC 6749's snake_case (decisions 2).
 * RFC 6749, 3.2: a parameter without a value counts as omitted, and none may be sent twice.
 */
export function getFormField(form: Form, camelName: string, snakeName: string): string | Rejection {
  const [value, other = value] = [form[camelName], form[snakeName]].filter(sent => sent !== undefined && sent !== '')
  if (value === undefined) return rejected('MISSING_PARAMETER', camelName, 'is required')
  if (other !== value) return rejected('INVALID_PARAMETER', camelName, `differs from ${snakeName}: send one of them`)
  return value
}

function rejected(code: 'MISSING_PARAMETER' | 'INVALID_PARAMETER', path: string, problem: string): Rejection {
  return reject(code, `${path}: ${problem}`, { fields: [{ path, problem }], oauthError: 'invalid_request' })
}

const APP_ID = new RegExp(UUID_PATTERN.replace('^', '^(?:urn:aid:)?'))
const BEARER = /^bearer +(\S+) *$/i

/** Decisions 2, third grant: code and app in the form, the self-signed JWT as bearer. */
export function codeGrantOf(
  form: Static<typeof TokenForm>,
  authorization: string | string[] | undefined,
): CodeGrant | Rejection {
  const code = getFormField(form, 'code', 'code')
  if (isRejection(code)) return code
  const clientId = getFormField(form, 'clientId', 'client_id')
  if (isRejection(clientId)) return clientId
  const redirectUri = getFormField(form, 'redirectUri', 'redirect_uri')
  if (isRejection(redirectUri) && redirectUri.rejected !== 'MISSING_PARAMETER') return redirectUri
  const codeVerifier = getFormField(form, 'codeVerifier', 'code_verifier')
  if (isRejection(codeVerifier) && codeVerifier.rejected !== 'MISSING_PARAMETER') return codeVerifier
  const assertion = BEARER.exec(String(authorization ?? ''))?.[1]
  if (assertion === undefined) {
    const problem = 'assertion: send the app’s self-issued JWT as Authorization: Bearer <JWT>.'
    return reject('INVALID_ASSERTION', problem, { oauthError: 'invalid_client' })
  }
  // An invalid id belongs to no app.
  const appId = APP_ID.test(clientId) ? clientId.slice(-36).toLowerCase() : clientId
  return {
    ...{ code, clientId: appId, assertion },
    ...(isRejection(redirectUri) ? {} : { redirectUri }),
    ...(isRejection(codeVerifier) ? {} : { codeVerifier }),
  }
}
