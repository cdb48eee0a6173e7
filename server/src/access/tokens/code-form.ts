import type { Static } from 'typebox'
import { UUID_PATTERN } from '../../core/id.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { CodeGrant } from './exchange-code.ts'
import { getFormField } from './form.ts'
import type { TokenForm } from './schema.ts'

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
