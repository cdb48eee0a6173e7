import { type Static, Type } from 'typebox'
import type { Rejection } from '../../core/rejection.ts'
import { type AuthorizationRequest, startAuthorization } from '../../merchants/authorizations/start.ts'
import type { Ports } from '../../ports.ts'

export const AUTHORIZE_PATH = '/applications/authorize'

const Word = Type.Optional(Type.String())

/** Decisions 8; the older names are those of existing clients. What is wrong with them is told by a page of our own. */
export const Asked = Type.Object({
  client_id: Word,
  applicationId: Word,
  redirect_uri: Word,
  callback: Word,
  context: Word,
  rights: Word,
  code_challenge: Word,
  code_challenge_method: Word,
})
export type Asked = Static<typeof Asked>

/** The same parameters under their newer names: as a form carries them, and as the way back through signing in does. */
export function namesOf({ client_id, applicationId, redirect_uri, callback, ...others }: Asked) {
  const { context, rights, code_challenge, code_challenge_method } = others
  const named = {
    client_id: client_id ?? applicationId,
    redirect_uri: redirect_uri ?? callback,
    context,
    rights,
    code_challenge,
    code_challenge_method,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Record<string, string>
}

/** Read anew from what came, with each step: nothing that a page carried along is believed. */
export function readRequest(ports: Pick<Ports, 'db'>, asked: Asked): Promise<AuthorizationRequest | Rejection> {
  const { client_id: clientId, redirect_uri: redirectUri, context, rights, ...pkce } = namesOf(asked)
  const { code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod } = pkce
  return startAuthorization(ports, {
    ...(clientId === undefined ? {} : { clientId }),
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(context === undefined ? {} : { context }),
    ...(rights === undefined ? {} : { rights }),
    ...(codeChallenge === undefined ? {} : { codeChallenge }),
    ...(codeChallengeMethod === undefined ? {} : { codeChallengeMethod }),
  })
}

/** Where the page is, with all that was asked. */
export function addressOf(asked: Asked): string {
  return `${AUTHORIZE_PATH}?${new URLSearchParams(namesOf(asked))}`
}
