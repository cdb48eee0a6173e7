import { randomUUID } from 'node:crypto'
import { type CryptoKey, importPKCS8, SignJWT } from 'jose'

export interface AppKey {
  readonly appId: string
  readonly kid: string
  readonly privateKey: string
}

/** Interface, Self-issued JWT claim set. It is valid for longer than any run takes. */
export async function signAssertion({ appId, kid, privateKey }: AppKey, audience: string): Promise<string> {
  const key = await importedKey(privateKey)
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
    .setSubject(appId)
    .setIssuer(appId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime('2h')
    .sign(key)
}

/** Interface, Token endpoint: JWT assertion. */
export function tokenForm(assertion: string): string {
  return new URLSearchParams({ grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString()
}

const imported = new Map<string, Promise<CryptoKey>>()

/** Reading a key costs as much as signing with it. */
function importedKey(pem: string): Promise<CryptoKey> {
  const known = imported.get(pem) ?? importPKCS8(pem, 'RS256')
  imported.set(pem, known)
  return known
}
