import { NotAnApk } from './not-an-apk.ts'

/** Android's chunk format: `ResourceTypes.h` of the Android Open Source Project. */
export interface Chunk {
  readonly type: number
  readonly headerSize: number
  /** From the chunk's own header to its end. */
  readonly bytes: Buffer
}

export const STRING_POOL = 0x0001
const HEADER_BYTES = 8
const UTF8 = 0x100
/** More than any app has. Each string costs memory. */
const MAX_STRINGS = 1_000_000

/** Reads the chunk at a position of `bytes`. */
export function chunkAt(bytes: Buffer, at: number): Chunk {
  const [type, headerSize, size] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readUInt32LE(at + 4)]
  if (headerSize < HEADER_BYTES || size < headerSize || at + size > bytes.length)
    throw new NotAnApk('a chunk is damaged')
  return { type, headerSize, bytes: bytes.subarray(at, at + size) }
}

/** The chunks that follow one another from a position to the end. */
export function* chunksFrom(bytes: Buffer, from: number): Generator<Chunk> {
  for (let at = from; at + HEADER_BYTES <= bytes.length; ) {
    const chunk = chunkAt(bytes, at)
    yield chunk
    at += chunk.bytes.length
  }
}

/** A string of the pool by its index; undefined where there is none. */
export type Strings = (index: number) => string | undefined

export function stringsOf({ bytes, headerSize }: Chunk): Strings {
  const [count, flags, from] = [bytes.readUInt32LE(8), bytes.readUInt32LE(16), bytes.readUInt32LE(20)]
  if (count > MAX_STRINGS) throw new NotAnApk('it has too many strings')
  const isUtf8 = (flags & UTF8) !== 0
  return index => {
    if (index >= count) return undefined
    const at = from + bytes.readUInt32LE(headerSize + index * 4)
    return isUtf8 ? utf8At(bytes, at) : utf16At(bytes, at)
  }
}

/** Two lengths, in characters and in bytes, each of one or two bytes. */
function utf8At(bytes: Buffer, at: number): string {
  const afterCharacters = at + (bytes.readUInt8(at) & 0x80 ? 2 : 1)
  const first = bytes.readUInt8(afterCharacters)
  const isLong = (first & 0x80) !== 0
  const length = isLong ? ((first & 0x7f) << 8) | bytes.readUInt8(afterCharacters + 1) : first
  const from = afterCharacters + (isLong ? 2 : 1)
  if (from + length > bytes.length) throw new NotAnApk('a string is damaged')
  return bytes.toString('utf8', from, from + length)
}

function utf16At(bytes: Buffer, at: number): string {
  const first = bytes.readUInt16LE(at)
  const isLong = (first & 0x8000) !== 0
  const length = isLong ? (first & 0x7fff) * 65_536 + bytes.readUInt16LE(at + 2) : first
  const from = at + (isLong ? 4 : 2)
  if (from + length * 2 > bytes.length) throw new NotAnApk('a string is damaged')
  return bytes.toString('utf16le', from, from + length * 2)
}
