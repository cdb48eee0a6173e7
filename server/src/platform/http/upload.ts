import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { NewId } from '../../core/id.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { type ReadJson, rejectEncoding } from './body.ts'
import type { UploadedFile, UploadParts } from './route.ts'

export const MULTIPART_TYPE = 'multipart/form-data'

interface UploadOptions {
  readonly newId: NewId
  readonly readJson: ReadJson
  /** Maximum size of one file. */
  readonly maxBytes: number
}

/** An upload whose file has not been read: that waits until the caller is known to have the right. */
export interface OpenUpload {
  /** Receives the file; null: a form without a file. The caller must close the result. */
  receive(): Promise<ReceivedFile | Rejection | null>
}

interface ReceivedFile extends UploadedFile {
  close(): Promise<void>
}

const KIB = 1024
const MAX_JSON_BYTES = 1024 * KIB
/** The size that PostgreSQL takes per statement and that a process holds of a file at once. */
const CHUNK_BYTES = 1024 * KIB
/** More parts than any form has. A surplus part is read only to be discarded. */
const MAX_PARTS = 8
const MAX_TYPE_LENGTH = 255

type File = Extract<Multipart, { type: 'file' }>
type Parts = AsyncIterator<Multipart>

/** Lets the routes of this scope accept multipart/form-data. Every part is a stream, even if its label says otherwise. */
export function acceptUploads(scope: FastifyInstance): void {
  scope.register(multipart, {
    throwFileSizeLimit: false,
    // `receive` enforces our own limit of the file size.
    limits: { parts: MAX_PARTS, fileSize: Number.POSITIVE_INFINITY },
    isPartAFile: () => true,
  })
  // A rejected client may still be sending. Unread data would hold the connection.
  scope.addHook('onResponse', async ({ raw }) => {
    raw.unpipe()
    raw.resume()
  })
}

/** The JSON beside the file. */
interface OpenJson extends OpenUpload {
  readonly json: Buffer
  readonly value: unknown
}

/** Parses up to the file. The JSON part must come first, so that no file is received from an unauthorized caller. */
export async function openUpload(
  request: FastifyRequest,
  names: UploadParts,
  options: UploadOptions,
): Promise<OpenJson | Rejection> {
  return reading(request, options, async parts => {
    let json: Buffer | undefined
    for (;;) {
      const part = await nextPart(parts)
      if (part === null) return json === undefined ? missing(names.json) : missing(names.file)
      if (part.fieldname === names.file) {
        if (json === undefined) return rejectField(names.json, `must come before ${names.file}`)
        const value = options.readJson(request, json)
        if (isRejection(value)) return value
        const read = { part, parts, names: { json: names.json, file: names.file } }
        return { json, ...value, receive: () => rejectingBroken(() => receive(read, options)) }
      }
      if (part.fieldname === names.json) {
        if (json !== undefined) return rejectField(names.json, 'is given twice')
        const bytes = await bytesOf(part)
        if (isRejection(bytes)) return bytes
        json = bytes
      } else part.file.resume()
    }
  })
}

/** The fields of a page's form. */
interface OpenForm extends OpenUpload {
  /** As application/x-www-form-urlencoded has them. */
  readonly fields: Buffer
}

/** Parses a form of a page up to its file, which must be the last field. A browser sends an empty file where none was chosen. */
export async function openForm(
  request: FastifyRequest,
  name: string,
  options: Omit<UploadOptions, 'readJson'>,
): Promise<OpenForm | Rejection> {
  return reading(request, options, async parts => {
    const pairs: [string, string][] = []
    const fields = () => Buffer.from(new URLSearchParams(pairs).toString())
    for (;;) {
      const part = await nextPart(parts)
      if (part === null) return { fields: fields(), receive: async () => null }
      if (part.fieldname === name) {
        const read = { part, parts, names: { file: name }, isOptional: true }
        return { fields: fields(), receive: () => rejectingBroken(() => receive(read, options)) }
      }
      const bytes = await bytesOf(part)
      if (isRejection(bytes)) return bytes
      pairs.push([part.fieldname, bytes.toString()])
    }
  })
}

async function reading<T>(
  request: FastifyRequest,
  { maxBytes }: Pick<UploadOptions, 'maxBytes'>,
  read: (parts: Parts) => Promise<T | Rejection>,
): Promise<T | Rejection> {
  const encoded = rejectEncoding(request)
  if (encoded !== null) return encoded
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + MAX_JSON_BYTES) return tooLarge(maxBytes)
  return rejectingBroken(() => read(request.parts()))
}

interface Receiving {
  readonly part: File
  readonly parts: Parts
  readonly names: Readonly<Record<string, string>>
  /** An empty file counts as no file. */
  readonly isOptional?: boolean
}

/** Writes to an unlinked file, so a crash leaves nothing behind. */
async function receive(
  { part, parts, names, isOptional = false }: Receiving,
  { newId, maxBytes }: Pick<UploadOptions, 'newId' | 'maxBytes'>,
): Promise<ReceivedFile | Rejection | null> {
  if (part.mimetype.length > MAX_TYPE_LENGTH) return rejectField(part.fieldname, 'has a Content-Type that is too long')
  const file = await openNameless(newId)
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const bytes of streamed(part)) {
      size += bytes.length
      if (size > maxBytes) return await closing(file, tooLarge(maxBytes))
      hash.update(bytes)
      await file.writeFile(bytes)
    }
    if (size === 0) return await closing(file, isOptional ? null : rejectField(part.fieldname, 'must not be empty'))
    const more = await rejectMore(parts, names)
    if (more !== null) return await closing(file, more)
    return {
      size,
      sha256: hash.digest('hex'),
      contentType: part.mimetype,
      chunks: () => file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES }),
      read: (position, length) => readExactly(file, { size, position, length }),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readExactly(
  file: FileHandle,
  { size, position, length }: { size: number; position: number; length: number },
): Promise<Buffer> {
  if (position < 0 || length < 0 || position + length > size) throw new RangeError('beyond the end of the file')
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at)
    if (bytesRead === 0) throw new RangeError('beyond the end of the file')
    at += bytesRead
  }
  return bytes
}

async function openNameless(newId: NewId): Promise<FileHandle> {
  const path = join(tmpdir(), `tillhook-upload-${newId()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

async function closing<T>(file: FileHandle, result: T): Promise<T> {
  await file.close()
  return result
}

/** Reads the rest of the body: only then is the body known to be complete. */
async function rejectMore(parts: Parts, names: Receiving['names']): Promise<Rejection | null> {
  for (;;) {
    const part = await nextPart(parts)
    if (part === null) return null
    for (const name of Object.values(names)) if (part.fieldname === name) return rejectField(name, 'is given twice')
    part.file.resume()
  }
}

async function bytesOf(part: File): Promise<Buffer | Rejection> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const bytes of streamed(part)) {
    size += bytes.length
    if (size > MAX_JSON_BYTES) return reject('PAYLOAD_TOO_LARGE', `Send at most 1 MiB as ${part.fieldname}.`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Thrown by the parser for unreadable input. */
class BrokenUpload extends Error {
  override name = 'BrokenUpload'
}

async function nextPart(parts: Parts): Promise<File | null> {
  try {
    const { done, value } = await parts.next()
    return done ? null : (value as File)
  } catch (cause) {
    throw new BrokenUpload('a part', { cause })
  }
}

async function* streamed({ file }: File): AsyncGenerator<Buffer> {
  try {
    for await (const bytes of file) yield bytes as Buffer
  } catch (cause) {
    throw new BrokenUpload('within a part', { cause })
  }
}

async function rejectingBroken<T>(read: () => Promise<T | Rejection>): Promise<T | Rejection> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof BrokenUpload)) throw error
    return reject(
      'INVALID_REQUEST',
      `The body is not ${MULTIPART_TYPE} as RFC 7578 says, has too many parts, or was cut off.`,
    )
  }
}

function missing(path: string): Rejection {
  return reject('MISSING_PARAMETER', `${path} is required.`, { fields: [{ path, problem: 'is required' }] })
}

function tooLarge(maxBytes: number): Rejection {
  return reject('PAYLOAD_TOO_LARGE', `Send a file of at most ${maxBytes} bytes.`)
}
