import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { assert } from '../../core/assert.ts'

/** Files that pages load, served under names with a hash of their bytes. */
const FILES = {
  'tokens.css': 'tokens.css',
  'base.css': 'base.css',
  'components.css': 'components.css',
  'dashboard.css': 'dashboard.css',
  'till.css': 'till.css',
  'guides.css': 'guides.css',
  'release.css': 'release.css',
  'live-events.js': 'script/live-events.js',
  'release.js': 'script/release.js',
  'stripe-card.js': 'script/stripe-card.js',
  'icon.svg': 'icon.svg',
} as const

type AssetName = keyof typeof FILES

export interface Asset {
  readonly path: string
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
}

/** Length of the digest in a name. */
const HASH_LENGTH = 16

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Browsers need no comments: a fifth of the scripts would be comments. */
const COMMENTS = /\/\*[\s\S]*?\*\/|^ *\/\/.*\n/gm

/** The scripts of every page. They import each other, so they share a folder and a hash. */
const SCRIPTS = [
  'page.js',
  'announce.js',
  'visit.js',
  'kept.js',
  'refresh.js',
  'live.js',
  'dialog.js',
  'palette.js',
  'keys.js',
  'chart.js',
] as const

/** By name in the pages. */
const assets = new Map(Object.entries(FILES).map(([name, file]) => [name, read(name, file)]))

const scripts = folderOf('script', [
  ...SCRIPTS.map(file => contentOf(new URL('script/', import.meta.url), file)),
  idiomorph(),
])

/** All that is served. */
export const ASSETS: readonly Asset[] = [...assets.values(), ...scripts.assets]

/** The scripts of every page in the order of their imports. Other scripts are loaded when a page needs them. */
export const PAGE_SCRIPTS: readonly string[] = ['idiomorph.js', 'announce.js', 'visit.js', 'page.js'].map(
  scripts.pathOf,
)

/** The version of the scripts: a page of another version is loaded completely. */
export const BUILD = scripts.hash

/** The URL of an asset. The name contains a hash of the bytes, so browsers may cache it forever. */
export function asset(name: AssetName): string {
  const found = assets.get(name)
  assert(found !== undefined, `there is no asset ${name}`)
  return found.path
}

/** Scripts that import each other by file name. The hash covers the folder: a change gives all of them new addresses. */
interface AssetFolder {
  readonly assets: readonly Asset[]
  readonly hash: string
  pathOf(file: string): string
}

export function assetFolder(name: string, place: URL, files: readonly string[]): AssetFolder {
  return folderOf(
    name,
    files.map(file => contentOf(place, file)),
  )
}

interface Content {
  readonly file: string
  readonly bytes: Buffer
}

function contentOf(place: URL, file: string): Content {
  return { file, bytes: served(file, place) }
}

function served(file: string, place: URL): Buffer {
  const bytes = readFileSync(new URL(file, place))
  return file.endsWith('.js') ? Buffer.from(bytes.toString().replaceAll(COMMENTS, '')) : bytes
}

/** The package has no module in a short form: an export makes one of its script. */
function idiomorph(): Content {
  const script = readFileSync(new URL('idiomorph.min.js', import.meta.resolve('idiomorph')))
  return { file: 'idiomorph.js', bytes: Buffer.concat([script, Buffer.from('\nexport { Idiomorph }\n')]) }
}

function folderOf(name: string, contents: readonly Content[]): AssetFolder {
  const digest = createHash('sha256')
  for (const { file, bytes } of contents) digest.update(`${file} ${bytes.length} `).update(bytes)
  const hash = digest.digest('hex').slice(0, HASH_LENGTH)
  const found = new Map(
    contents.map(({ file, bytes }) => {
      const path = `/assets/${name}-${hash}/${file}`
      return [file, { path, type: typeOf(file), etag: `"${hash}"`, bytes }]
    }),
  )
  return {
    assets: [...found.values()],
    hash,
    pathOf(file) {
      const asset = found.get(file)
      assert(asset !== undefined, `there is no file ${file} in ${name}`)
      return asset.path
    },
  }
}

function read(name: string, file: string): Asset {
  const bytes = served(file, new URL(import.meta.url))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH)
  const extension = extname(name)
  const path = `/assets/${name.slice(0, -extension.length)}-${hash}${extension}`
  return { path, type: typeOf(name), etag: `"${hash}"`, bytes }
}

function typeOf(name: string): string {
  const type = TYPES[extname(name)]
  assert(type !== undefined, `${name}: an asset of no known type`)
  return type
}
