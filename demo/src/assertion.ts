import { createPrivateKey, randomUUID, sign } from 'node:crypto'

/** Interface, Self-issued JWT: "500 seconds after issue in the sample". */
const LIFE_SECONDS = 500

/**
 * The JWT that authenticates an app, signed RS256 with the app's private key.
 * Interface, Self-issued JWT claim set. No library is needed.
 */
export function makeAssertion(app: { appId: string; privateKey: string; kid: string }, audience: string): string {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const header = { alg: 'RS256', typ: 'JWT', kid: app.kid }
  const claims = {
    sub: app.appId,
    iss: app.appId,
    jti: randomUUID(),
    iat: nowSeconds,
    exp: nowSeconds + LIFE_SECONDS,
    aud: audience,
  }
  const signed = `${encode(header)}.${encode(claims)}`
  const signature = sign('RSA-SHA256', Buffer.from(signed), createPrivateKey(app.privateKey))
  return `${signed}.${signature.toString('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
