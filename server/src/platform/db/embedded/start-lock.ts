import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

export type StartLock = { release(): void }

/**
 * One start at a time in a data folder. SQLite is Node's only door to a file lock of the kernel: it is free the
 * moment its holder dies, and knows no stale or reused process number. The file stays empty and is never deleted.
 */
export async function lockStart(path: string, withinMs: number): Promise<StartLock> {
  const giveUpAt = performance.now() + withinMs
  const file = new DatabaseSync(path, { timeout: 0 })
  while (!tryLock(file)) {
    if (performance.now() > giveUpAt) {
      file.close()
      throw new EmbeddedDatabaseError(`Another start holds ${path} for over ${withinMs / 1000} s. Stop that process.`)
    }
    await wait(25)
  }
  return { release: () => file.close() }
}

function tryLock(file: DatabaseSync): boolean {
  const busy = 5
  try {
    file.exec('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return false
    throw error
  }
}
