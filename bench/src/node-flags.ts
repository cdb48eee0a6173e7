import { readFileSync } from 'node:fs'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** Those that `npm start` gives to Node: what is measured is what people run. */
export function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } }
  return [...scripts.start.matchAll(/ (--\S+)/g)].flatMap(([, flag]) => flag ?? [])
}
