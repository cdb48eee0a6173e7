import { createPublicKey } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, NOT_KEPT, route } from '../../platform/http/route.ts'
import { AppUrn, Text, uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { exchangeAssertion } from './exchange-assertion.ts'
import { exchangeCode } from './exchange-code.ts'
import { exchangeRefreshToken } from './exchange-refresh-token.ts'
import { codeGrantOf, getFormField } from './form.ts'
import type { Tokens } from './issue.ts'
import { revokeAppKey } from './revoke-app-key.ts'
import { revokeToken } from './revoke-token.ts'
import { rotateSigningKey } from './rotate-signing-key.ts'
import { KeySet, RevocationForm, RotatedJson, TokenAnswer, TokenForm, tokensToJson } from './schema.ts'
import type { TokenMemory } from './token-memory.ts'

/** Half the time between publishing a key and its first use. */
const JWKS_MAX_AGE_SECONDS = 300
const KEPT = { 'cache-control': `public, max-age=${JWKS_MAX_AGE_SECONDS}` }

type RoutePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'settings' | 'vault'> & TokenMemory

export function tokenRoutes(ports: RoutePorts): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/token',
      name: 'issueToken',
      operation: 'public',
      summary: 'Get an access token',
      accepts: 'form',
      body: TokenForm,
      answers: { 200: TokenAnswer },
      sends: ['Pragma'],
      rejections: ['MISSING_PARAMETER', 'INVALID_ASSERTION', 'INVALID_REFRESH_TOKEN', 'INVALID_AUTHORIZATION_CODE'],
      // Decisions 1: clients repeat request ids here.
      idempotent: false,
      // No audit entry: the row of the grant records the token.
      audited: false,
      async handle({ body, headers, address, db }) {
        const caller = { authorization: headers.authorization, address }
        const tokens = await exchange({ ...ports, db }, body, caller)
        return isRejection(tokens) ? tokens : answer(200, tokensToJson(tokens), NOT_KEPT)
      },
    }),
    route({
      method: 'POST',
      path: '/token/revoke',
      name: 'revokeToken',
      operation: 'public',
      summary: 'Revoke a refresh token and its access tokens (RFC 7009)',
      accepts: 'form',
      body: RevocationForm,
      answers: { 200: null },
      sends: ['Pragma'],
      rejections: ['MISSING_PARAMETER'],
      idempotent: false,
      // The caller is anonymous: every holder of a token may end its grant. The row of the grant records the time.
      audited: false,
      async handle({ body, db }) {
        const token = getFormField(body, 'token', 'token')
        if (isRejection(token)) return token
        await revokeToken({ ...ports, db }, token)
        return answer(200, undefined, NOT_KEPT)
      },
    }),
    route({
      method: 'DELETE',
      path: '/apps/:appId/keys/:kid',
      name: 'revokeAppKey',
      operation: 'keys.manage',
      summary: 'Revoke a key of an app and its tokens',
      params: Type.Object({ appId: AppUrn, kid: Text(128) }),
      answers: { 204: null },
      rejections: ['KEY_NOT_FOUND'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, db }) {
        const rejected = await revokeAppKey({ ...ports, db }, { appId: uuidOfUrn(params.appId), kid: params.kid })
        return rejected ?? answer(204)
      },
    }),
    route({
      method: 'POST',
      path: '/signing-keys/rotate',
      name: 'rotateSigningKey',
      operation: 'signingKeys.rotate',
      summary: 'Rotate the signing key of access tokens: the new key is published at once and signs ten minutes later',
      answers: { 201: RotatedJson },
      // The key is created outside transactions. A repeated request returns the key of the rotation in progress.
      idempotent: false,
      async handle({ db }) {
        return answer(201, { kid: await rotateSigningKey({ ...ports, db }) })
      },
    }),
    route({
      method: 'GET',
      path: '/.well-known/jwks.json',
      name: 'getKeySet',
      operation: 'public',
      summary: 'Get the public keys of access tokens',
      answers: { 200: KeySet },
      async handle() {
        return answer(200, { keys: await ports.signingKeys.published() }, KEPT)
      },
    }),
    route({
      method: 'GET',
      path: '/.well-known/public-key.pem',
      name: 'getPublicKey',
      operation: 'public',
      summary: 'Get the public key of the current access tokens',
      contentType: 'application/x-pem-file',
      answers: { 200: Type.String() },
      async handle() {
        const [jwk] = await ports.signingKeys.published()
        const content = createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
        return { status: 200, headers: KEPT, text: { type: 'application/x-pem-file', content: `${content}` } }
      },
    }),
  ]
}

async function exchange(
  ports: RoutePorts,
  form: Static<typeof TokenForm>,
  { authorization, address }: { authorization: string | string[] | undefined; address: string },
): Promise<Tokens | Rejection> {
  const grantType = getFormField(form, 'grantType', 'grant_type')
  if (isRejection(grantType)) return grantType
  switch (grantType) {
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer': {
      const assertion = getFormField(form, 'assertion', 'assertion')
      return isRejection(assertion) ? assertion : exchangeAssertion(ports, { assertion, address })
    }
    case 'REFRESH_TOKEN':
    case 'refresh_token': {
      const refreshToken = getFormField(form, 'refreshToken', 'refresh_token')
      return isRejection(refreshToken) ? refreshToken : exchangeRefreshToken(ports, refreshToken)
    }
    case 'AUTHORIZATION_CODE':
    case 'authorization_code': {
      const grant = codeGrantOf(form, authorization)
      return isRejection(grant) ? grant : exchangeCode(ports, grant)
    }
    default:
      return unsupportedGrant()
  }
}

function unsupportedGrant(): Rejection {
  const problem = 'must be urn:ietf:params:oauth:grant-type:jwt-bearer, REFRESH_TOKEN or authorization_code'
  const extras = { fields: [{ path: 'grantType', problem }], oauthError: 'unsupported_grant_type' }
  return reject('INVALID_PARAMETER', `grantType: ${problem}`, extras)
}
