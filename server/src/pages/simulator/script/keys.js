/* The key of a terminal, and what it proves with it. Decisions 2 and 9. */

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** Interface, JWT claim set: 500 seconds in the sample. */
const ASSERTION_SECONDS = 500

/** A new pair of keys: the private one cannot be taken out of this browser, the public one goes to the service as a JWK. */
export async function makeKey() {
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const isExtractable = false
  const pair = await crypto.subtle.generateKey({ ...ALGORITHM, ...size }, isExtractable, ['sign'])
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return { privateKey: pair.privateKey, publicKey: { kty, n, e } }
}

/** Interface, Cloud apps 3: a JWT that the terminal signs itself, for one exchange. */
export async function signAssertion({ deviceId, kid, privateKey }, audience) {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    sub: deviceId,
    iss: deviceId,
    aud: audience,
    jti: crypto.randomUUID(),
    iat,
    exp: iat + ASSERTION_SECONDS,
  }
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT', kid })}.${encoded(claims)}`
  const signature = await crypto.subtle.sign(ALGORITHM, privateKey, new TextEncoder().encode(signed))
  return `${signed}.${base64url(new Uint8Array(signature))}`
}

function encoded(value) {
  return base64url(new TextEncoder().encode(JSON.stringify(value)))
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
