import { given } from '../../../core/given.ts'
import { type Chunk, chunkAt, chunksFrom, STRING_POOL, type Strings, stringsOf } from './chunks.ts'
import { NotAnApk } from './not-an-apk.ts'

/** A value as the manifest holds it: text, a number, or a resource that the resource table knows. */
export type ManifestValue = string | number | { readonly resource: number }

export interface Manifest {
  readonly packageName: string
  readonly versionCode: number
  readonly versionName?: ManifestValue
  readonly permissions: readonly string[]
  readonly label?: ManifestValue
  readonly icon?: ManifestValue
}

const XML = 0x0003
const RESOURCE_MAP = 0x0180
const ELEMENT_START = 0x0102
const ELEMENT_END = 0x0103
const MAX_PERMISSIONS = 500

/** Public ids of attributes: names may be missing from the file, ids are not. */
const ATTRIBUTES: Readonly<Record<number, string>> = {
  16842753: 'label', // 0x01010001
  16842754: 'icon', // 0x01010002
  16842755: 'name', // 0x01010003
  16843291: 'versionCode', // 0x0101021b
  16843292: 'versionName', // 0x0101021c
  16844150: 'versionCodeMajor', // 0x01010576
}

type Attributes = ReadonlyMap<string, ManifestValue>

/** Reads AndroidManifest.xml in Android's binary form: the elements that an install looks at. */
export function readManifest(bytes: Buffer): Manifest {
  const root = chunkAt(bytes, 0)
  if (root.type !== XML) throw new NotAnApk('AndroidManifest.xml is not in binary form')
  let strings: Strings | undefined
  let ids: readonly number[] = []
  let manifest: Attributes | undefined
  let application: Attributes | undefined
  const permissions = new Set<string>()
  const path: string[] = []
  for (const chunk of chunksFrom(root.bytes, root.headerSize)) {
    if (chunk.type === STRING_POOL) strings = stringsOf(chunk)
    if (chunk.type === RESOURCE_MAP) ids = idsOf(chunk)
    if (chunk.type === ELEMENT_END) path.pop()
    if (chunk.type !== ELEMENT_START) continue
    if (strings === undefined) throw new NotAnApk('AndroidManifest.xml is damaged')
    const { name, attributes } = elementOf(chunk, strings, ids)
    path.push(name)
    const place = path.join('/')
    if (place === 'manifest') manifest = attributes
    if (place === 'manifest/application') application ??= attributes
    if (place === 'manifest/uses-permission' || place === 'manifest/uses-permission-sdk-23') {
      const permission = attributes.get('name')
      if (typeof permission === 'string') permissions.add(permission)
      if (permissions.size > MAX_PERMISSIONS) throw new NotAnApk(`it declares more than ${MAX_PERMISSIONS} permissions`)
    }
  }
  return manifestOf(manifest, application, permissions)
}

function manifestOf(
  manifest: Attributes | undefined,
  application: Attributes | undefined,
  permissions: ReadonlySet<string>,
): Manifest {
  const packageName = manifest?.get('package')
  const versionCode = manifest?.get('versionCode')
  const major = manifest?.get('versionCodeMajor') ?? 0
  if (typeof packageName !== 'string') throw new NotAnApk('AndroidManifest.xml has no package')
  if (typeof versionCode !== 'number' || typeof major !== 'number') {
    throw new NotAnApk('AndroidManifest.xml has no versionCode')
  }
  // 53 bits are exact; Android's long version codes have 63.
  if (major >= 2 ** 21) throw new NotAnApk('versionCodeMajor is too large')
  const [versionName, label, icon] = [manifest?.get('versionName'), application?.get('label'), application?.get('icon')]
  const known = { packageName, versionCode: major * 2 ** 32 + versionCode, permissions: [...permissions].sort() }
  return { ...known, ...given({ versionName, label, icon }) }
}

function idsOf({ bytes, headerSize }: Chunk): number[] {
  return Array.from({ length: Math.floor((bytes.length - headerSize) / 4) }, (_, i) =>
    bytes.readUInt32LE(headerSize + i * 4),
  )
}

/** The element after its header (16 bytes): Android calls this part the extension. The offsets in the extension count from its first byte. */
function elementOf({ bytes, headerSize }: Chunk, strings: Strings, ids: readonly number[]) {
  const name = strings(bytes.readUInt32LE(headerSize + 4)) ?? ''
  const [start, size, count] = [8, 10, 12].map(at => bytes.readUInt16LE(headerSize + at)) as [number, number, number]
  if (size < 20) throw new NotAnApk('AndroidManifest.xml is damaged')
  const attributes = new Map<string, ManifestValue>()
  for (let i = 0; i < count; i++) {
    const at = headerSize + start + i * size
    const nameIndex = bytes.readUInt32LE(at + 4)
    const id = ids[nameIndex]
    const key = id === undefined ? strings(nameIndex) : ATTRIBUTES[id]
    const value = typedValue(bytes.readUInt8(at + 15), bytes.readUInt32LE(at + 16), strings)
    // If an attribute occurs twice, Android uses the first one.
    if (key !== undefined && value !== undefined && !attributes.has(key)) attributes.set(key, value)
  }
  return { name, attributes }
}

export function typedValue(type: number, data: number, strings: Strings): ManifestValue | undefined {
  switch (type) {
    case 0x01:
      return { resource: data }
    case 0x03:
      return strings(data)
    case 0x10:
    case 0x11:
      return data
    default:
      return undefined
  }
}
