import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * OWASP Password Storage Cheat Sheet: "Argon2id with a minimum configuration of 19 MiB of memory, an iteration count of 2,
 * and 1 degree of parallelism". If the costs grow, an old hash is replaced at the next sign-in.
 */
const CURRENT: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

interface Cost {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

interface Hashed extends Cost {
  readonly salt: Buffer
  readonly hash: Buffer
}

/** A hash that matches no password: an account without a password is rejected as slowly as a wrong password. */
const NOBODY: Hashed = { ...CURRENT, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) }

/** A hash in the PHC string format, with cost and salt: `$argon2id$v=19$m=19456,t=2,p=1$…$…`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { memory, passes, parallelism } = CURRENT
  const hash = await derive(password, { ...CURRENT, salt }, HASH_BYTES)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Verifies a password. A missing or unknown hash takes as long and returns false. */
export async function verifyPassword(password: string, hashed: string | null): Promise<boolean> {
  const known = hashed === null ? null : parse(hashed)
  const { hash, ...rest } = known ?? NOBODY
  const derived = await derive(password, rest, hash.length)
  return timingSafeEqual(derived, hash) && known !== null
}

/** Whether the hash was made at less than today's cost. */
export function isOutdated(hashed: string): boolean {
  const known = parse(hashed)
  return known === null || known.memory < CURRENT.memory || known.passes < CURRENT.passes
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,172})$/

function parse(text: string): Hashed | null {
  const [, memory = '', passes = '', parallelism = '', salt = '', hash = ''] = PHC.exec(text) ?? []
  if (hash === '') return null
  return {
    ...{ memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    ...{ salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') },
  }
}

const deriveKey = promisify((parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
  argon2('argon2id', parameters, done),
)

/** Normalizes spellings before hashing (NIST SP 800-63B, 3.1.1.2). Runs off the main thread. */
function derive(password: string, { salt, ...cost }: Cost & { salt: Buffer }, tagLength: number): Promise<Buffer> {
  return deriveKey({ ...cost, message: password.normalize('NFKC'), nonce: salt, tagLength })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
