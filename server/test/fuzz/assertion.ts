import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import type { Credentials, World } from '../support/world.ts'
import { jsonBytes } from './json-text.ts'
import { mutate } from './mutate.ts'
import type { Random } from './random.ts'

/** A JWT with the app's valid signature and odd claims: the server reads the claims only after verifying the signature. */
export function oddAssertion(world: World, { appId: sub, kid, privateKey }: Credentials, random: Random): string {
  const iat = Math.floor(world.clock.now().getTime() / 1_000)
  const claims = { sub, iss: sub, aud: world.app.ports.settings.baseUrl, jti: randomUUID(), iat, exp: iat + 500 }
  const header = { alg: 'RS256', kid }
  const isOdd = random.chance(0.7)
  const parts = [
    random.chance(0.2) && isOdd ? mutate(header, {}, random) : header,
    isOdd ? mutate(claims, {}, random) : claims,
  ]
  const signed = parts
    .map(part => (isOdd ? jsonBytes(part, random) : Buffer.from(JSON.stringify(part))).toString('base64url'))
    .join('.')
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), createPrivateKey(privateKey)).toString('base64url')}`
}
