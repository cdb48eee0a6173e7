import { open, rm } from 'node:fs/promises'
import { CliError } from './errors.ts'

/**
 * Writes a new file that only its owner can read. The file is opened before `make` runs, so a key that is shown only once is
 * not created if the file cannot be written. Never replaces a file.
 */
export async function writeNew<T>(path: string, make: () => Promise<{ value: T; text: string }>): Promise<T> {
  const file = await open(path, 'wx', 0o600).catch(error => {
    throw new CliError(error.code === 'EEXIST' ? `${path} exists. Choose another file.` : error.message)
  })
  try {
    const { value, text } = await make()
    await file.writeFile(text)
    return value
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
