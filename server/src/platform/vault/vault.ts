import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

/** Encrypts secrets at rest. A value sealed for one `purpose` does not open for another. */
export interface Vault {
  seal(purpose: string, plain: string | Buffer): Buffer
  /** Throws VaultError if the key, the purpose or a byte differs. */
  open(purpose: string, sealed: Buffer): Buffer
  openText(purpose: string, sealed: Buffer): string
  /** A keyed hash: equal for equal bytes, and useless for guessing them without the key. */
  mark(purpose: string, plain: string | Buffer): Buffer
}

/** Names the problem of a sealed value and never its content. */
export class VaultError extends Error {
  override name = 'VaultError'
}

/** 1 byte version, 4 bytes key id, 12 bytes nonce, the encrypted bytes, 16 bytes tag. */
const VERSION = 1
const HEADER_BYTES = 5
/** NIST SP 800-38D, 8.2.2: a random 96-bit nonce is good for 2^32 values under one key. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const CIPHER = 'aes-256-gcm'

/** AES-256-GCM. Each value carries its key id, so values remain readable after a rotation. */
export function createVault(masterKey: Buffer): Vault {
  if (masterKey.length !== KEY_BYTES) throw new VaultError(`a master key has ${KEY_BYTES} bytes`)
  // Key objects: with a Buffer as the key, node:crypto takes 10 µs longer per call.
  const derive = (info: string) => createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', info, KEY_BYTES)))
  const key = derive('tillhook vault 1')
  const markKey = derive('tillhook marks 1')
  const header = Buffer.from([
    VERSION,
    ...createHash('sha256')
      .update(key.export())
      .digest()
      .subarray(0, HEADER_BYTES - 1),
  ])

  const seal = (purpose: string, plain: string | Buffer) => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound(header, purpose))
    const encrypted = [cipher.update(typeof plain === 'string' ? Buffer.from(plain) : plain), cipher.final()]
    return Buffer.concat([header, nonce, ...encrypted, cipher.getAuthTag()])
  }

  const open = (purpose: string, sealed: Buffer) => {
    const tagAt = sealed.length - TAG_BYTES
    const encryptedAt = HEADER_BYTES + NONCE_BYTES
    if (tagAt < encryptedAt) throw new VaultError('a sealed value is too short')
    if (sealed[0] !== VERSION) throw new VaultError('a sealed value has an unknown version')
    if (!sealed.subarray(0, HEADER_BYTES).equals(header)) throw new VaultError('a value was sealed with another key')
    const nonce = sealed.subarray(HEADER_BYTES, encryptedAt)
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(bound(header, purpose))
      .setAuthTag(sealed.subarray(tagAt))
    const plain = decipher.update(sealed.subarray(encryptedAt, tagAt))
    try {
      return Buffer.concat([plain, decipher.final()])
    } catch {
      throw new VaultError('a sealed value was altered, or is for another purpose')
    }
  }

  const mark = (purpose: string, plain: string | Buffer) =>
    createHmac('sha256', markKey).update(`${purpose}\0`).update(plain).digest()

  return { mark, seal, open, openText: (purpose, sealed) => open(purpose, sealed).toString('utf8') }
}

/** A master key as settings and files hold it: 64 hexadecimal digits, or base64 of 32 bytes. */
export function parseMasterKey(text: string): Buffer {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (/^[A-Za-z0-9+/]{43}=?$/.test(trimmed) || /^[A-Za-z0-9_-]{43}=?$/.test(trimmed)) {
    return Buffer.from(trimmed, 'base64')
  }
  throw new VaultError(`a master key is 64 hexadecimal digits, or base64 of ${KEY_BYTES} bytes`)
}

function bound(header: Buffer, purpose: string): Buffer {
  return Buffer.concat([header, Buffer.from(purpose)])
}

/** 256 random bits, as text for a link or a cookie. The text cannot be guessed, so storing a plain hash is enough. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Seals a value as text for a link, a form or a cookie. */
export function sealAsText(vault: Vault, purpose: string, value: unknown): string {
  return vault.seal(purpose, JSON.stringify(value)).toString('base64url')
}

/** The value in a text of `sealAsText`. Null: the text was altered, or is for another purpose. */
export function openFromText<T>(vault: Vault, purpose: string, text: string): T | null {
  try {
    return JSON.parse(vault.openText(purpose, Buffer.from(text, 'base64url'))) as T
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}
