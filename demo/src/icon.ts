import { crc32, deflateSync } from 'node:zlib'

/** Width and height in pixels. */
const SIDE = 128
type Colour = readonly [red: number, green: number, blue: number]
const GREEN: Colour = [22, 94, 84]
const WOOD: Colour = [244, 214, 160]
const CHAIR: Colour = [255, 255, 255]

/** The app's icon as a PNG: a round table with four chairs, seen from above. */
export function drawIcon(): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, SIDE)
  header.setUint32(4, SIDE)
  // 8 bits per channel: red, green, blue.
  header.setUint8(8, 8)
  header.setUint8(9, 2)
  const rows = Array.from({ length: SIDE }, (_, y) => [
    0,
    ...Array.from({ length: SIDE }, (_, x) => colourAt(x, y)).flat(),
  ])
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [
    chunk('IHDR', Buffer.from(header.buffer)),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat([signature, ...chunks]))
}

function colourAt(x: number, y: number): Colour {
  const middle = (SIDE - 1) / 2
  const [dx, dy] = [x - middle, y - middle]
  if (Math.hypot(dx, dy) < 27) return WOOD
  const fromChair = Math.min(Math.hypot(Math.abs(dx) - 42, dy), Math.hypot(dx, Math.abs(dy) - 42))
  return fromChair < 11 ? CHAIR : GREEN
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
