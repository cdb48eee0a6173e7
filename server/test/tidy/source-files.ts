import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Every source file that we write, tests included. */
export function sourceFiles(pattern = '{server,demo,bench,scripts}/**/*.ts'): SourceFile[] {
  return globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] })
    .sort()
    .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

export function isTest(path: string): boolean {
  return /\.(test|fixture|property)\.ts$|\/test\//.test(path)
}
