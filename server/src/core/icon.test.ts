import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jpegHead, pngOf, webpHead } from '../../test/support/pictures.ts'
import { iconTypeOf, MAX_ICON_BYTES } from './icon.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

test('the type of a picture is read from its bytes, and its size from its header', () => {
  assert.equal(iconTypeOf(pngOf({ width: 64 })), 'image/png')
  assert.equal(iconTypeOf(jpegHead(512)), 'image/jpeg')
  for (const form of ['VP8 ', 'VP8L', 'VP8X'] as const) assert.equal(iconTypeOf(webpHead(form, 512)), 'image/webp')
})

test('an unreadable, too small, too large, non-square or animated picture is rejected with a reason', () => {
  const rejected: [string, Uint8Array, RegExp][] = [
    ['SVG', Buffer.from(SVG), /PNG, JPEG or WebP/],
    ['SVG behind a byte order mark', Buffer.from(`\ufeff${SVG}`), /PNG, JPEG or WebP/],
    ['GIF', Buffer.from('GIF89a________________________________'), /PNG, JPEG or WebP/],
    ['HTML', Buffer.from('<!doctype html><title>x</title>'.padEnd(64)), /PNG, JPEG or WebP/],
    ['nothing', Buffer.alloc(0), /PNG, JPEG or WebP/],
    ['a JPEG without a frame', jpegHead(512).subarray(0, 14), /PNG, JPEG or WebP/],
    ['47 pixels', pngOf({ width: 47 }), /48 to 1024 pixels, and has 47/],
    ['1025 pixels', jpegHead(1025), /48 to 1024 pixels, and has 1025/],
    ['a bomb', webpHead('VP8X', 16_000_000), /48 to 1024/],
    ['a banner', pngOf({ width: 64, height: 65 }), /square, and is 64 × 65/],
    ['an animated PNG', pngOf({ before: ['acTL'] }), /animated/],
    ['an animated WebP', webpHead('VP8X', 512, true), /animated/],
    ['too many bytes', Buffer.concat([pngOf(), Buffer.alloc(MAX_ICON_BYTES)]), /at most 256 KiB/],
  ]
  for (const [name, bytes, problem] of rejected) {
    const found = iconTypeOf(bytes)
    assert.ok(typeof found === 'object', name)
    assert.match(found.problem, problem, name)
  }
})

test('a truncated picture is rejected or read, and never throws', () => {
  for (const whole of [pngOf(), jpegHead(64), webpHead('VP8 ', 64), webpHead('VP8L', 64), webpHead('VP8X', 64)]) {
    for (let length = 0; length < Math.min(whole.length, 60); length++) {
      const found = iconTypeOf(whole.subarray(0, length))
      assert.ok(typeof found === 'string' || found.problem !== '')
    }
  }
})

test('a PNG with wrong chunk lengths is read only to its end', () => {
  const png = pngOf()
  png.writeUInt32BE(0xffff_fff0, 33)
  assert.equal(iconTypeOf(png), 'image/png')
})
