import { readFileSync } from 'node:fs'

/** The folder of the package: `src` lies in it in the repository, `dist/cli/src` when installed. */
export const ROOT = new URL(import.meta.url.includes('/dist/') ? '../../../' : '../', import.meta.url)

export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
