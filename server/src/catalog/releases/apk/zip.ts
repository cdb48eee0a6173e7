import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { NotAnApk } from './not-an-apk.ts'

/** A file with random access. */
export interface Readable {
  readonly size: number
  read(position: number, length: number): Promise<Buffer>
}

export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly headerAt: number
}

export interface Zip {
  readonly entries: ReadonlyMap<string, ZipEntry>
  readonly directoryAt: number
}

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_BYTES = 22
const MAX_COMMENT = 65_535
/** The directory of an archive with 65,535 entries of usual names has some 6 MiB. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024
const DEFLATED = 8

const inflate = promisify(inflateRaw)

/** The directory of a ZIP archive (APPNOTE 6.3), strictly: an archive that two readers could read differently is rejected. */
export async function readZip(file: Readable): Promise<Zip> {
  const tail = await file.read(
    Math.max(0, file.size - END_BYTES - MAX_COMMENT),
    Math.min(file.size, END_BYTES + MAX_COMMENT),
  )
  const at = findEnd(tail)
  const [count, directoryBytes, directoryAt] = [
    tail.readUInt16LE(at + 10),
    tail.readUInt32LE(at + 12),
    tail.readUInt32LE(at + 16),
  ]
  const endAt = file.size - tail.length + at
  if (directoryBytes > MAX_DIRECTORY_BYTES || directoryAt + directoryBytes !== endAt)
    throw new NotAnApk('its ZIP directory is damaged')
  return { entries: entriesOf(await file.read(directoryAt, directoryBytes), count), directoryAt }
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END_SIGNATURE && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length)
      return at
  }
  throw new NotAnApk('it is not a ZIP archive, or it was cut off')
}

function entriesOf(directory: Buffer, count: number): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>()
  let at = 0
  for (let i = 0; i < count; i++) {
    if (directory.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new NotAnApk('its ZIP directory is damaged')
    const nameBytes = directory.readUInt16LE(at + 28)
    const nextAt = at + 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    if (nextAt > directory.length) throw new NotAnApk('its ZIP directory is damaged')
    const name = directory.toString('utf8', at + 46, at + 46 + nameBytes)
    if (entries.has(name)) throw new NotAnApk(`it has two entries with the name ${JSON.stringify(name.slice(0, 100))}`)
    if (directory.readUInt16LE(at + 8) & 1) throw new NotAnApk('it is encrypted')
    entries.set(name, {
      name,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      headerAt: directory.readUInt32LE(at + 42),
    })
    at = nextAt
  }
  return entries
}

/** The bytes of an entry: at most `maxBytes`, even if the archive declares fewer. */
export async function readEntry(file: Readable, zip: Zip, entry: ZipEntry, maxBytes: number): Promise<Buffer> {
  const { name, method, crc, packedSize, size, headerAt } = entry
  if (size > maxBytes || packedSize > maxBytes) throw new NotAnApk(`${name} is larger than ${maxBytes} bytes`)
  const header = await file.read(headerAt, 30)
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw new NotAnApk(`${name} is damaged`)
  const from = headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (from + packedSize > zip.directoryAt) throw new NotAnApk(`${name} is damaged`)
  const packed = await file.read(from, packedSize)
  const bytes = method === 0 ? packed : await unpack(name, method, packed, size)
  if (bytes.length !== size || crc32(bytes) !== crc) throw new NotAnApk(`${name} is damaged`)
  return bytes
}

async function unpack(name: string, method: number, packed: Buffer, size: number): Promise<Buffer> {
  if (method !== DEFLATED) throw new NotAnApk(`${name} is compressed with an unknown method`)
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw new NotAnApk(`${name} is damaged`)
  }
}
