import { type TSchema, Type } from 'typebox'
import { DECLARED } from '../../platform/http/wire.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import type { Tokens } from './issue.ts'

const Field = (description: string) => Type.Optional(Type.String({ description }))
const Synonym = Type.Optional(Type.String())

/** The interface's names. The grant type decides which other fields are required. */
const NAMED = {
  grantType: Field(
    'urn:ietf:params:oauth:grant-type:jwt-bearer, REFRESH_TOKEN (refresh_token), or authorization_code with a self-issued JWT as bearer',
  ),
  assertion: Field('Self-issued JWT, RS256, signed with a key of the app or terminal. Required by jwt-bearer'),
  refreshToken: Field('Refresh token. Required by REFRESH_TOKEN'),
  code: Field('The code that the callback received. Required by authorization_code'),
  clientId: Field('App URN'),
  redirectUri: Field('The redirect address of the authorization request. Required if the request named an address'),
  codeVerifier: Field('RFC 7636 (PKCE): required if the authorization request had a code_challenge'),
}

const TOKEN = {
  token: Type.Optional(
    Type.String({
      description: 'Refresh token or access token (RFC 7009)',
      [DECLARED]: { type: 'string', minLength: 1 },
    }),
  ),
}
const HINT = { token_type_hint: Field('Ignored: every kind is recognised') }

/** The use case rejects a missing field, in the words of RFC 6749 as well. The contract declares it as required. */
const declared = (properties: Record<string, TSchema>, required: string, description?: string) => ({
  [DECLARED]: { type: 'object', required: [required], properties, ...(description && { description }) },
})

/** Decisions 2: "Form fields: camelCase, and RFC 6749 snake_case". */
export const TokenForm = Type.Object(
  {
    ...NAMED,
    grant_type: Synonym,
    refresh_token: Synonym,
    client_id: Synonym,
    redirect_uri: Synonym,
    code_verifier: Synonym,
  },
  declared(
    NAMED,
    'grantType',
    'Each name is also accepted as RFC 6749 writes it: grant_type, refresh_token and so on.',
  ),
)

export const RevocationForm = Type.Object({ ...TOKEN, ...HINT }, declared({ ...TOKEN, ...HINT }, 'token'))

/** Interface, Token response. */
export const TokenAnswer = Type.Object({
  accessToken: Type.String(),
  refreshToken: Type.String(),
  expiresIn: Type.Integer({ description: 'Seconds' }),
  scope: Type.Literal('ALL'),
  tokenType: Type.Literal('BEARER'),
})

export function tokensToJson({ accessToken, refreshToken }: Tokens) {
  return { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_SECONDS, scope: 'ALL', tokenType: 'BEARER' } as const
}

export const RotatedJson = Type.Object({
  kid: Type.String({ description: 'The id of the key that signs in ten minutes' }),
})

/** RFC 7517. */
export const KeySet = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      n: Type.String(),
      e: Type.String(),
      kid: Type.String(),
      use: Type.String(),
      alg: Type.String(),
    }),
  ),
})
