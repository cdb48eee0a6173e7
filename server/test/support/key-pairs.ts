import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Left by global-setup.ts for the test processes. */
const FOLDER = 'TILLHOOK_TEST_KEYS'

export interface KeyPair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Creates the folder for the key pairs of a run and passes its path to child processes. */
export function openKeyPairs(folder: string): void {
  mkdirSync(folder)
  process.env[FOLDER] = folder
}

let taken = 0

/**
 * An RSA key pair that this test process has not used yet. Creating one takes longer than most tests, so all processes share the nth pair,
 * created on first use.
 */
export function newKeyPair(): KeyPair {
  const folder = process.env[FOLDER]
  if (!folder) throw new Error('Run the tests with --test-global-setup=server/test/global-setup.ts')
  const path = join(folder, `${taken++}.pem`)
  const privateKey = createPrivateKey(keptAt(path) ?? makeAt(path))
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

function keptAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

function makeAt(path: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = pkcs8Of(privateKey)
  // At once or not at all: others look while it is written.
  writeFileSync(`${path}.${process.pid}`, pem)
  renameSync(`${path}.${process.pid}`, path)
  return pem
}

export const spkiOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
export const pkcs8Of = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
