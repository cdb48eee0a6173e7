import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Slow files and files that kill processes. Each gets its own process and starts first, so that no core idles at the end. */
const ALONE = ['simulation', 'rights', 'faults', 'matrix', 'start', 'fuzz'].map(name => `server/test/${name}`)

/** The least number of files per process. A larger number loads less code and balances the cores worse. */
const ENOUGH = 8

/** Fails a process whose tests left a handle open, and names the handle. */
const END = `after(() => {
  setTimeout(() => {
    console.error('All tests are over, and this is still open:', process.getActiveResourcesInfo())
    process.exit(1)
  }, 60_000).unref()
})`

/**
 * Writes an entry file for each test process and returns the paths. Loading the service takes longer than most test files, so
 * files of neighbouring folders share a process. Each file is a suite, so that its hooks run around its own tests alone.
 */
export async function writeEntries(
  folder: string,
  patterns: readonly string[],
  { without, but }: { readonly without: readonly string[]; readonly but: readonly string[] },
): Promise<string[]> {
  const filesOf = (patterns: readonly string[]) => globSync([...patterns], { exclude: ['**/node_modules/**'] })
  const left = new Set(filesOf(without))
  for (const file of filesOf(but)) left.delete(file)
  const files = filesOf(patterns).filter(file => !left.has(file))
  return await Promise.all(
    processesOf(files).map(async (files, n) => {
      // The runner starts files in the order of their names.
      const path = join(folder, `${String(n).padStart(3, '0')}.mjs`)
      await writeFile(path, ["import { after, describe } from 'node:test'", ...files.map(suiteOf), END, ''].join('\n'))
      return path
    }),
  )
}

/** A folder is never split, so running one folder alone gives the same process. */
function processesOf(files: readonly string[]): string[][] {
  const alone = ALONE.flatMap(folder => files.filter(file => dirname(file) === folder))
  const together: string[][] = []
  for (const [, ofFolder] of Map.groupBy(
    files.toSorted().filter(file => !alone.includes(file)),
    dirname,
  )) {
    const last = together.at(-1)
    if (last === undefined || last.length >= ENOUGH) together.push(ofFolder)
    else last.push(...ofFolder)
  }
  return [...alone.map(file => [file]), ...together.toSorted((a, b) => b.length - a.length)]
}

function suiteOf(file: string): string {
  return `await describe(${JSON.stringify(file)}, () => import(${JSON.stringify(pathToFileURL(resolve(file)).href)}))`
}
