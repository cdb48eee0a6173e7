import { type Icon, iconTypeOf, MAX_ICON_BYTES } from '../../core/icon.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'

/** An uploaded image. */
export interface SentIcon {
  readonly size: number
  readonly sha256: string
  chunks(): AsyncIterable<Buffer>
}

export interface NewIcon extends Icon {
  readonly bytes: Buffer
}

/** Accepts a square picture that merchants may see. The declared type is ignored. `field` is the part of the upload. */
export async function takeIcon({ size, sha256, chunks }: SentIcon, field = 'icon'): Promise<NewIcon | Rejection> {
  if (size > MAX_ICON_BYTES) return rejectField(field, `must have at most ${MAX_ICON_BYTES / 1024} KiB`)
  const pieces: Buffer[] = []
  for await (const piece of chunks()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const found = iconTypeOf(bytes)
  return typeof found === 'string' ? { contentType: found, sha256, bytes } : rejectField(field, found.problem)
}

/** The columns that describe the icon. */
export function knownOf({ contentType, sha256 }: NewIcon): Icon {
  return { contentType, sha256 }
}
