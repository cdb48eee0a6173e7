/* The terminal's key and the assertions signed with the key. Decisions 2 and 9. */

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** Interface, JWT claim set: 500 seconds in the sample. */
const ASSERTION_SECONDS = 500

/** Creates a key pair: the private key cannot leave the browser, the public key goes to the service as a JWK. */
export async function makeKey() {
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const isExtractable = false
  const pair = await crypto.subtle.generateKey({ ...ALGORITHM, ...size }, isExtractable, ['sign'])
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return { privateKey: pair.privateKey, publicKey: { kty, n, e } }
}

/**
 * Interface, Cloud apps 3: a self-signed JWT for one exchange.
 * @param {Pick<KeptTerminal, 'deviceId' | 'kid' | 'privateKey'>} terminal @param {string} audience
 */
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

/** @param {object} value */
function encoded(value) {
  return base64url(new TextEncoder().encode(JSON.stringify(value)))
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/* A terminal that is switched off keeps its identity and its key. IndexedDB stores keys without showing them. */

const DATABASE = 'tillhook-terminal'
const STORE = 'terminal'
const ONLY = 'this'

/**
 * @typedef {object} KeptTerminal
 * @property {string} deviceId
 * @property {string} businessId
 * @property {string} storeId
 * @property {string} name
 * @property {string} kid
 * @property {CryptoKey} privateKey
 */

/** Undefined if this browser never activated a terminal. @returns {Promise<KeptTerminal | undefined>} */
export function findTerminal() {
  return within('readonly', store => store.get(ONLY))
}

/** @param {KeptTerminal} terminal */
export function keepTerminal(terminal) {
  return within('readwrite', store => store.put(terminal, ONLY))
}

export function forgetTerminal() {
  return within('readwrite', store => store.delete(ONLY))
}

/** @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} work */
async function within(mode, work) {
  const database = await resultOf(openDatabase())
  try {
    return await resultOf(work(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function openDatabase() {
  const opening = indexedDB.open(DATABASE, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
  return opening
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}
