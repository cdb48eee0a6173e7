import { readFileSync } from 'node:fs'

/** The folder of the package: it contains `src` in the repository, and `dist/cli/src` when installed. */
export const ROOT = new URL(import.meta.url.includes('/dist/') ? '../../../' : '../', import.meta.url)

export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
