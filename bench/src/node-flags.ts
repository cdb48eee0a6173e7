import { readFileSync } from 'node:fs'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** The flags of `npm start`, so that the bench measures the service as people run it. */
export function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } }
  return [...scripts.start.matchAll(/ (--\S+)/g)].flatMap(([, flag]) => flag ?? [])
}
