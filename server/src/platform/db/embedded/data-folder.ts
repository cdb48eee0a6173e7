import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, open, readFile, realpath, rename, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

/** Makes the folder (0700) when missing, and returns its one true path, so that two spellings share one lock. */
export async function openDataFolder(dataDir: string): Promise<string> {
  try {
    await makeFolder(resolve(dataDir))
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (cause) {
    const code = codeOf(cause) ?? String(cause)
    throw new EmbeddedDatabaseError(
      `The data folder ${dataDir} cannot be written (${code}). Make it writable for this user, or set TILLHOOK_DATA_DIR.`,
      { cause },
    )
  }
}

/** Step by step: Node's recursive mkdir never returns where a parent exists but may hold no folder (/proc). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path, { mode: 0o700 })
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}

/** The database password; made on the first start, while no cluster needs an older one. */
export async function passwordIn(dataDir: string, isFirstStart: boolean): Promise<string> {
  const path = join(dataDir, 'postgres.password')
  if (await exists(path)) return (await readFile(path, 'utf8')).trim()
  if (!isFirstStart) {
    throw new EmbeddedDatabaseError(`${path} is missing, but the database needs it. Put it back from a backup.`)
  }
  const password = randomBytes(24).toString('base64url')
  await writeDurably(path, `${password}\n`)
  return password
}

/** The file has either all of the text or does not exist, whatever happens to the machine. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const unfinished = `${path}.unfinished`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  await syncFolder(dirname(path))
}

/** A rename outlives a power cut only once its folder is on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
