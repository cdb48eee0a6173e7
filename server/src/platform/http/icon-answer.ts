import type { StoredIcon } from '../../core/icon.ts'
import { type Answer, answer } from './route.ts'

/** Served with its type, never sniffed, and embedded by our own pages only. */
const SHOWN = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** Headers of `iconAnswer`, as the contract names them. */
export const ICON_HEADERS = [
  'ETag',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'X-Content-Type-Options',
] as const

const VERSION_LENGTH = 16

export function iconVersion(sha256: string): string {
  return sha256.slice(0, VERSION_LENGTH)
}

interface AskedIcon {
  /** The `v` of the address. */
  readonly version: string | undefined
  readonly ifNoneMatch: unknown
  /** Pages elsewhere may embed the picture, as a mailbox does. */
  readonly isForAll?: true
}

/** A stored picture. Only the address of its own version has a long cache time: an older address serves the newer picture. */
export function iconAnswer(
  { contentType: type, sha256, bytes }: StoredIcon,
  { version, ifNoneMatch, isForAll }: AskedIcon,
): Answer {
  const etag = `"${sha256}"`
  const kept = version === iconVersion(sha256) ? 'public, max-age=31536000, immutable' : 'no-cache'
  const policy = isForAll && { 'cross-origin-resource-policy': 'cross-origin' }
  const headers = { ...SHOWN, ...policy, etag, 'cache-control': kept }
  if (ifNoneMatch === etag) return answer(304, undefined, headers)
  return { status: 200, headers, stream: { type, size: bytes.length, chunks: onePiece(bytes) } }
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
