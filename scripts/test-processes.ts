import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Each file of these takes long, or kills programs of its own. They begin first, so that no core waits for them at the end. */
const ALONE = ['simulation', 'rights', 'faults', 'matrix', 'start', 'fuzz'].map(name => `server/test/${name}`)

/** So many files at least share a process: with more, less is loaded, and more is left to one core at the end. */
const ENOUGH = 8

/** What a test left open would keep the run from ending: it is named, and fails. */
const END = `after(() => {
  setTimeout(() => {
    console.error('All tests are over, and this is still open:', process.getActiveResourcesInfo())
    process.exit(1)
  }, 60_000).unref()
})`

/**
 * Writes an entry for each process of a run of tests, and gives their paths. To load the service takes longer than most files
 * take with it, so those of neighbouring folders run one after the other in one process. Each is a suite there: what it does
 * before and after its tests is done around those alone.
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
      // The runner begins in the order of names.
      const path = join(folder, `${String(n).padStart(3, '0')}.mjs`)
      await writeFile(path, ["import { after, describe } from 'node:test'", ...files.map(suiteOf), END, ''].join('\n'))
      return path
    }),
  )
}

/** A folder is never split: who runs it by itself runs the same. */
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
