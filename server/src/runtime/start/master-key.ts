import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseMasterKey } from '../../platform/vault/vault.ts'
import { StartRefused } from './start-refused.ts'

/**
 * The key that seals secrets at rest, kept beside the embedded database: made at the first start, never changed after.
 * Whoever backs up the folder backs up both; whoever takes the database alone opens nothing.
 */
export async function masterKeyOf(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'master.key')
  const kept = await read(path)
  if (kept !== null) return kept
  // Written aside and linked into place: a crash leaves either no key or a whole one, and the first of two wins.
  const aside = `${path}.${process.pid}`
  await writeFile(aside, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  await link(aside, path).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(aside)
  const made = await read(path)
  if (made === null) throw new StartRefused(`${path} could not be written. Check the folder and its permissions.`)
  return made
}

async function read(path: string): Promise<Buffer | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  try {
    return parseMasterKey(text)
  } catch {
    throw new StartRefused(`${path} holds no master key. Restore it from a backup: secrets were sealed with it.`)
  }
}
