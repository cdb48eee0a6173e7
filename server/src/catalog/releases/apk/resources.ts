import { type Chunk, chunkAt, chunksFrom, STRING_POOL, type Strings, stringsOf } from './chunks.ts'
import { type ManifestValue, typedValue } from './manifest.ts'
import { NotAnApk } from './not-an-apk.ts'

/** One value of a resource, for one configuration of a device. */
export interface ResourceValue {
  readonly value: ManifestValue
  readonly density: number
  /** For every language. */
  readonly isDefault: boolean
}

const TABLE = 0x0002
const PACKAGE = 0x0200
const TYPE = 0x0201
const SPARSE = 0x01
const OFFSET_16 = 0x02
const COMPLEX = 0x01
const COMPACT = 0x08
const NO_ENTRY_16 = 0xffff
const NO_ENTRY_32 = 0xffffffff
/** A reference to a reference to a reference: more are a loop. */
const MAX_DEPTH = 5
/** Kinds of resources times configurations: large apps have some thousands. */
const MAX_TYPES = 50_000

/** `resources.arsc`: the values of a resource. */
export type Resources = (id: number) => ResourceValue[]

export function readResources(bytes: Buffer): Resources {
  const table = chunkAt(bytes, 0)
  if (table.type !== TABLE) throw new NotAnApk('resources.arsc is damaged')
  let strings: Strings | undefined
  const types: { packageId: number; chunk: Chunk }[] = []
  for (const chunk of chunksFrom(table.bytes, table.headerSize)) {
    if (chunk.type === STRING_POOL) strings ??= stringsOf(chunk)
    if (chunk.type !== PACKAGE) continue
    const packageId = chunk.bytes.readUInt32LE(8)
    for (const inner of chunksFrom(chunk.bytes, chunk.headerSize)) {
      if (inner.type !== TYPE) continue
      types.push({ packageId, chunk: inner })
      if (types.length > MAX_TYPES) throw new NotAnApk('resources.arsc has too many types')
    }
  }
  if (strings === undefined) throw new NotAnApk('resources.arsc is damaged')
  const known = strings
  return id => {
    const [packageId, typeId, entry] = [id >>> 24, (id >>> 16) & 0xff, id & 0xffff]
    return types.flatMap(({ packageId: of, chunk }) =>
      of === packageId && chunk.bytes.readUInt8(8) === typeId ? valueIn(chunk, entry, known) : [],
    )
  }
}

/** The values of a resource, through references. */
export function resolve(resources: Resources, value: ManifestValue, depth = 0): ResourceValue[] {
  if (typeof value !== 'object') return [{ value, density: 0, isDefault: true }]
  if (depth === MAX_DEPTH) return []
  return resources(value.resource).flatMap(found =>
    typeof found.value === 'object' ? resolve(resources, found.value, depth + 1) : [found],
  )
}

function valueIn({ bytes, headerSize }: Chunk, entry: number, strings: Strings): ResourceValue[] {
  const [flags, count, entriesAt] = [bytes.readUInt8(9), bytes.readUInt32LE(12), bytes.readUInt32LE(16)]
  const offset = offsetOf(bytes.subarray(headerSize), { flags, count, entry })
  if (offset === undefined) return []
  const at = entriesAt + offset
  const value = entryAt(bytes, at, strings)
  // ResTable_config begins at 20: language at 8, density at 14.
  const [language, density] = [bytes.readUInt16LE(28), bytes.readUInt16LE(34)]
  return value === undefined ? [] : [{ value, density, isDefault: language === 0 }]
}

function offsetOf(
  offsets: Buffer,
  { flags, count, entry }: { flags: number; count: number; entry: number },
): number | undefined {
  if (flags & SPARSE) {
    for (let i = 0; i < count; i++) {
      if (offsets.readUInt16LE(i * 4) === entry) return offsets.readUInt16LE(i * 4 + 2) * 4
    }
    return undefined
  }
  if (entry >= count) return undefined
  if (flags & OFFSET_16) {
    const offset = offsets.readUInt16LE(entry * 2)
    return offset === NO_ENTRY_16 ? undefined : offset * 4
  }
  const offset = offsets.readUInt32LE(entry * 4)
  return offset === NO_ENTRY_32 ? undefined : offset
}

function entryAt(bytes: Buffer, at: number, strings: Strings): ManifestValue | undefined {
  const [size, flags] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)]
  if (flags & COMPACT) return typedValue(flags >>> 8, bytes.readUInt32LE(at + 4), strings)
  if (flags & COMPLEX) return undefined
  return typedValue(bytes.readUInt8(at + size + 3), bytes.readUInt32LE(at + size + 4), strings)
}
