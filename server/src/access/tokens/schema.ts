import { Type } from 'typebox'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import type { Tokens } from './issue.ts'

/** Each field has two names. The grant type decides which fields are required. */
const Field = (description: string) => Type.Optional(Type.String({ description }))

const GRANT_TYPE =
  'urn:ietf:params:oauth:grant-type:jwt-bearer, REFRESH_TOKEN (refresh_token), or authorization_code with a self-issued JWT as bearer'

/** Decisions 2: "Form fields: camelCase, and RFC 6749 snake_case". */
export const TokenForm = Type.Object({
  grantType: Field(GRANT_TYPE),
  grant_type: Field(GRANT_TYPE),
  assertion: Field('Self-issued JWT, RS256, signed with a key of the app or terminal'),
  refreshToken: Field('Refresh token'),
  refresh_token: Field('Refresh token'),
  code: Field('What the merchant came back with'),
  clientId: Field('App URN'),
  client_id: Field('App URN'),
  redirectUri: Field('Where the merchant was sent back to; required where it was named'),
  redirect_uri: Field('Where the merchant was sent back to; required where it was named'),
  codeVerifier: Field('RFC 7636 (PKCE): required if the authorization request had a code_challenge'),
  code_verifier: Field('RFC 7636 (PKCE): required if the authorization request had a code_challenge'),
})

export const RevocationForm = Type.Object({
  token: Field('Refresh token or access token (RFC 7009)'),
  token_type_hint: Field('Ignored: every kind is recognised'),
})

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

export const RotatedJson = Type.Object({ kid: Type.String({ description: 'Of the key that signs in ten minutes' }) })

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
