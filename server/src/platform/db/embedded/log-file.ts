import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises'

/** With one older file beside it: at most about twice this on the disk. */
const MAX_BYTES = 8 * 1024 * 1024

/** Runs `use` with a descriptor that appends to the log, for a child's output. */
export async function withLogFile<T>(path: string, use: (fd: number, size: number) => T): Promise<T> {
  const file = await open(path, 'a', 0o600)
  try {
    return use(file.fd, (await file.stat()).size)
  } finally {
    await file.close()
  }
}

/** Copies and empties a log grown too long. PostgreSQL keeps its descriptor, and appends, so this may be done while it runs. */
export async function boundLog(path: string): Promise<void> {
  const size = await sizeOf(path)
  if (size < MAX_BYTES) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

/** The last lines written at or after the byte `from`, for an error message. */
export async function logTail(path: string, from = 0, lines = 8): Promise<string> {
  const text = await readFile(path).catch(() => Buffer.alloc(0))
  const all = text.subarray(from).toString('utf8').trimEnd().split('\n')
  return all
    .slice(-lines)
    .map(line => line.slice(0, 400))
    .join('\n')
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    found => found.size,
    () => 0,
  )
}
