import { inflateSync } from 'node:zlib'

/** 1024 × 1024 pixels of 8 bytes, and one byte per line. */
const MAX_PIXEL_BYTES = 1024 * (1024 * 8 + 1)
const SIGNATURE_LENGTH = 8

/** Whether the pixels of a PNG can be read. Documents embed the logo, and a broken picture would break each of them. */
export function isWholePng(bytes: Buffer): boolean {
  const pixels: Buffer[] = []
  let at = SIGNATURE_LENGTH
  for (let type = ''; type !== 'IEND'; ) {
    if (at + 12 > bytes.length) return false
    const length = bytes.readUInt32BE(at)
    type = bytes.toString('latin1', at + 4, at + 8)
    if (at + 12 + length > bytes.length) return false
    if (type === 'IDAT') pixels.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  try {
    return inflateSync(Buffer.concat(pixels), { maxOutputLength: MAX_PIXEL_BYTES }).length > 0
  } catch {
    return false
  }
}
