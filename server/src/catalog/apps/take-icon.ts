import { type Icon, iconTypeOf } from '../../core/icon.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'

/** A picture as it came. */
export interface SentIcon {
  readonly sha256: string
  chunks(): AsyncIterable<Buffer>
}

interface NewIcon extends Icon {
  readonly bytes: Buffer
}

/** The picture, if it is one that merchants may be shown. What its sender calls it counts for nothing. */
export async function takeIcon({ sha256, chunks }: SentIcon): Promise<NewIcon | Rejection> {
  const pieces: Buffer[] = []
  for await (const piece of chunks()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const found = iconTypeOf(bytes)
  return typeof found === 'string' ? { contentType: found, sha256, bytes } : rejectField('icon', found.problem)
}

/** What the app keeps of it. */
export function knownOf({ contentType, sha256 }: NewIcon): Icon {
  return { contentType, sha256 }
}
