import { globSync, readFileSync } from 'node:fs'

const GUIDES = new URL('../docs/guides/', import.meta.url)

/** The guides with the files of docs/guides/code in their code blocks, by path from the root. */
export function guidesWithCode(): Map<string, string> {
  const names = globSync('*.md', { cwd: GUIDES }).toSorted()
  return new Map(names.map(name => [`docs/guides/${name}`, withCode(read(name))]))
}

/** Fills each block whose info string is `js file=code/verify.mjs`. */
function withCode(text: string): string {
  return text.replaceAll(
    /^(```\w+ file=(\S+)\n)(?:[\s\S]*?\n)??(```)$/gm,
    (_, open, file, close) => `${open}${read(file)}${close}`,
  )
}

const read = (path: string) => readFileSync(new URL(path, GUIDES), 'utf8')
