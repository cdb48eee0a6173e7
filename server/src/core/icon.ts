/** Description of an app's icon without its bytes. */
export interface Icon {
  readonly contentType: IconType
  /** In hexadecimal digits. */
  readonly sha256: string
}

export interface StoredIcon {
  readonly contentType: string
  readonly sha256: string
  readonly bytes: Buffer
}

export const ICON_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
/** Bitmaps only, because an SVG is markup and could contain scripts. */
export type IconType = (typeof ICON_TYPES)[number]

/** Ten times the size that such an image needs. */
export const MAX_ICON_BYTES = 256 * 1024
/** Shown at 52 pixels, up to three times as many on dense screens. A larger icon costs memory on a till. */
export const ICON_SIDES = { least: 48, most: 1024 } as const

/** The image type by its first bytes, ignoring the declared type, or the problem as a phrase. Only the header is read. */
export function iconTypeOf(bytes: Uint8Array): IconType | { readonly problem: string } {
  if (bytes.length > MAX_ICON_BYTES) return { problem: `must have at most ${MAX_ICON_BYTES / 1024} KiB` }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const picture = readPng(view) ?? readJpeg(view) ?? readWebp(view)
  if (picture === null) return { problem: 'must be a PNG, JPEG or WebP picture' }
  const { type, width, height, isAnimated } = picture
  if (isAnimated) return { problem: 'must not be animated' }
  if (width !== height) return { problem: `must be square, and is ${width} × ${height}` }
  const { least, most } = ICON_SIDES
  if (width < least || width > most)
    return { problem: `must have sides of ${least} to ${most} pixels, and has ${width}` }
  return type
}

interface Picture {
  readonly type: IconType
  readonly width: number
  readonly height: number
  readonly isAnimated: boolean
}

/** https://www.w3.org/TR/png-3/: the signature, the chunk IHDR, and acTL before the first IDAT where it is animated. */
function readPng(view: DataView): Picture | null {
  if (!startsWith(view, 0, '\x89PNG\r\n\x1a\n') || !startsWith(view, 12, 'IHDR') || view.byteLength < 33) return null
  return {
    ...{ type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) },
    isAnimated: pngChunks(view).includes('acTL'),
  }
}

/** The names of the chunks before the picture itself. */
function pngChunks(view: DataView): string[] {
  const names: string[] = []
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const name = text(view, at + 4, 4)
    if (name === 'IDAT') break
    names.push(name)
  }
  return names
}

/** ITU T.81, Annex B: the start-of-frame segment has the size. */
function readJpeg(view: DataView): Picture | null {
  if (!startsWith(view, 0, '\xff\xd8\xff')) return null
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    if (!isStartOfFrame(marker)) continue
    return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5), isAnimated: false }
  }
  return null
}

/** C0 to CF, except tables (C4, CC) and the reserved marker (C8). */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** RFC 9649: lossy, lossless, or extended, which has the animation flag. */
function readWebp(view: DataView): Picture | null {
  if (!startsWith(view, 0, 'RIFF') || !startsWith(view, 8, 'WEBP') || view.byteLength < 30) return null
  const type = 'image/webp'
  if (startsWith(view, 12, 'VP8 ') && startsWith(view, 23, '\x9d\x01\x2a')) {
    const [width, height] = [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
    return { type, width, height, isAnimated: false }
  }
  if (startsWith(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true)
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isAnimated: false }
  }
  if (!startsWith(view, 12, 'VP8X')) return null
  const [width, height] = [threeBytes(view, 24) + 1, threeBytes(view, 27) + 1]
  return { type, width, height, isAnimated: (view.getUint8(20) & 0x02) !== 0 }
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}

function startsWith(view: DataView, at: number, expected: string): boolean {
  return text(view, at, expected.length) === expected
}

/** Reads each byte as one letter. The result is shorter at the end of the file. */
function text(view: DataView, at: number, length: number): string {
  const end = Math.min(at + length, view.byteLength)
  return at >= end ? '' : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, end - at))
}
