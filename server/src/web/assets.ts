import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { assert } from '../core/assert.ts'

/** What pages load. Each is a file beside this one, and is served under a name that holds a hash of its bytes. */
const FILES = {
  'tokens.css': 'tokens.css',
  'base.css': 'base.css',
  'components.css': 'components.css',
  'till.css': 'till.css',
  'page.js': 'script/page.js',
  'stripe-card.js': 'script/stripe-card.js',
  'icon.svg': 'icon.svg',
} as const

export type AssetName = keyof typeof FILES

export interface Asset {
  readonly path: string
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** By its name in the pages. */
const assets = new Map(Object.entries(FILES).map(([name, file]) => [name, read(name, file)]))

/** All that is served. */
export const ASSETS: readonly Asset[] = [...assets.values()]

/** The address of an asset: another one when its bytes change, so that browsers may keep it for ever. */
export function asset(name: AssetName): string {
  const found = assets.get(name)
  assert(found !== undefined, `there is no asset ${name}`)
  return found.path
}

function read(name: string, file: string): Asset {
  const bytes = readFileSync(new URL(file, import.meta.url))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const extension = extname(name)
  const type = TYPES[extension]
  assert(type !== undefined, `${name}: an asset of no known type`)
  return { path: `/assets/${name.slice(0, -extension.length)}-${hash}${extension}`, type, etag: `"${hash}"`, bytes }
}
