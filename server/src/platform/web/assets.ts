import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { assert } from '../../core/assert.ts'

/** Files that pages load. */
const FILES = [
  'tokens.css',
  'base.css',
  'components.css',
  'dashboard.css',
  'till.css',
  'guides.css',
  'release.css',
  'icon.svg',
] as const

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

/** Scripts that pages load. They import each other by file name. */
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
  'live-events.js',
  'release.js',
  'stripe-card.js',
] as const

const web = folderOf('web', [
  ...FILES.map(file => contentOf(new URL(import.meta.url), file)),
  ...SCRIPTS.map(file => contentOf(new URL('script/', import.meta.url), file)),
  idiomorph(),
])

/** All that is served. */
export const ASSETS = web.assets

/** The scripts of every page in the order of their imports. Other scripts are loaded when a page needs them. */
export const PAGE_SCRIPTS = ['idiomorph.js', 'announce.js', 'visit.js', 'page.js'].map(web.pathOf)

/** The version of the assets: a page of another version is loaded completely. */
export const BUILD = web.hash

/** The URL of an asset. It contains a hash of the bytes, so browsers may cache it forever. */
export function asset(name: (typeof FILES)[number] | (typeof SCRIPTS)[number]): string {
  return web.pathOf(name)
}

/** The hash covers the folder: a change gives all of its files new addresses. */
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
  const bytes = readFileSync(new URL(file, place))
  return { file, bytes: file.endsWith('.js') ? Buffer.from(bytes.toString().replaceAll(COMMENTS, '')) : bytes }
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

function typeOf(name: string): string {
  const type = TYPES[extname(name)]
  assert(type !== undefined, `${name}: an asset of no known type`)
  return type
}
