import { crc32, deflateSync } from 'node:zlib'

interface Picture {
  readonly width?: number
  readonly height?: number
  readonly colour?: readonly [red: number, green: number, blue: number]
  /** Chunks before the picture, by their names. */
  readonly before?: readonly string[]
}

/** A PNG of one colour that a browser draws. */
export function pngOf({ width = 64, height = width, colour = [11, 110, 79], before = [] }: Picture = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits a colour, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.concat(Array(width).fill(Buffer.from(colour)))])
  const picture = deflateSync(Buffer.concat(Array(height).fill(row)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...before.map(name => chunk(name, Buffer.alloc(8))),
    chunk('IDAT', picture),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const [named, length, check] = [Buffer.concat([Buffer.from(name), content]), Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** The beginning of a JPEG of this size: all that is looked at. */
export function jpegHead(side: number): Buffer {
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0, 0, 0, 0, 1, 0, 0, 0])
  frame.writeUInt16BE(side, 5)
  frame.writeUInt16BE(side, 7)
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc4, 0, 3, 0]), frame])
}

/** A WebP header in each of its three forms. */
export function webpHead(form: 'VP8 ' | 'VP8L' | 'VP8X', side: number, isAnimated = false): Buffer {
  const head = Buffer.alloc(40)
  head.write('RIFF', 0)
  head.write('WEBP', 8)
  head.write(form, 12)
  if (form === 'VP8 ') {
    head.set([0x9d, 0x01, 0x2a], 23)
    head.writeUInt16LE(side, 26)
    head.writeUInt16LE(side, 28)
  } else if (form === 'VP8L') {
    head[20] = 0x2f
    head.writeUInt32LE(((side - 1) | ((side - 1) << 14)) >>> 0, 21)
  } else {
    head[20] = isAnimated ? 2 : 0
    head.writeUIntLE(side - 1, 24, 3)
    head.writeUIntLE(side - 1, 27, 3)
  }
  return head
}
