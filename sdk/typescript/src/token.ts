export interface AppKey {
  readonly appId: string
  /** The id of the key: `kid`. */
  readonly keyId?: string | undefined
  /** The app's private key in PKCS#8 PEM. */
  readonly privateKey: string
}

const ASSERTION_SECONDS = 300
/** A token is renewed this long before its end. */
const EARLY_MS = 60_000

export interface Tokens {
  readonly accessToken: string
  readonly expiresIn: number
}

/** The current access token. Concurrent callers share one request for a token. */
export function tokenCache(fetchToken: () => Promise<Tokens>) {
  let current: Promise<{ token: string; until: number }> | undefined
  const renew = () => {
    const renewal = fetchToken().then(({ accessToken, expiresIn }) => ({
      token: accessToken,
      until: Date.now() + expiresIn * 1000 - EARLY_MS,
    }))
    current = renewal
    renewal.catch(() => {
      if (current === renewal) current = undefined
    })
    return renewal
  }
  return {
    async get(): Promise<string> {
      const seen = current
      if (!seen) return (await renew()).token
      const held = await seen
      if (held.until > Date.now()) return held.token
      // Another caller may have begun the renewal.
      return (await (current && current !== seen ? current : renew())).token
    },
    /** Forgets a token that the server rejected, unless another caller has already renewed the token. */
    async drop(token: string): Promise<void> {
      const seen = current
      if ((await seen)?.token === token && current === seen) current = undefined
    },
  }
}

/** A self-issued JWT, RS256. */
export async function signAssertion(key: AppKey, audience: string, nowMs: number): Promise<string> {
  const iat = Math.floor(nowMs / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(key.keyId !== undefined && { kid: key.keyId }) }
  const claims = {
    iss: key.appId,
    sub: key.appId,
    aud: audience,
    jti: crypto.randomUUID(),
    iat,
    exp: iat + ASSERTION_SECONDS,
  }
  const signed = [header, claims].map(part => base64Url(new TextEncoder().encode(JSON.stringify(part)))).join('.')
  const signature = await crypto.subtle.sign(
    'RSASSA-PKCS1-v1_5',
    await importKey(key.privateKey),
    new TextEncoder().encode(signed),
  )
  return `${signed}.${base64Url(new Uint8Array(signature))}`
}

async function importKey(pem: string) {
  const base64 = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem)?.[1]
  if (base64 === undefined) {
    throw new TypeError(
      'privateKey must be PKCS#8 PEM (BEGIN PRIVATE KEY). Convert another key by: openssl pkcs8 -topk8 -nocrypt -in key.pem',
    )
  }
  const der = Uint8Array.from(atob(base64.replace(/\s/g, '')), char => char.charCodeAt(0))
  return crypto.subtle.importKey('pkcs8', der, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign'])
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
