import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What was measured. */
export interface Commit {
  /** The short id, or `unknown` without git. */
  readonly id: string
  /** The service has changes that are not in the commit. */
  readonly isChanged: boolean
}

const SERVER = fileURLToPath(new URL('../../server', import.meta.url))
const run = promisify(execFile)

/** Read before the service starts: others may commit while it runs. */
export async function currentCommit(): Promise<Commit> {
  const [id, changes] = await Promise.all([
    git('rev-parse', '--short', 'HEAD'),
    git('--no-optional-locks', 'status', '--porcelain', '.'),
  ])
  return { id: id || 'unknown', isChanged: changes !== '' }
}

function git(...args: string[]): Promise<string> {
  return run('git', args, { cwd: SERVER }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
}
