/** A received notification. */
export interface Posted {
  readonly path: string
  readonly notificationId: string
  readonly resourceId: string
}

const END_OF_HEAD = '\r\n\r\n'

/**
 * Parses the POSTs of one connection from its chunks, which are latin1, so that a character is a byte. Only requests of our service can be
 * parsed: they have a `content-length` and a body of compact JSON. A complete HTTP server used a third of the service's processor time.
 */
export function readPosts(): (piece: string) => Posted[] {
  let unread = ''
  return piece => {
    unread += piece
    const posts: Posted[] = []
    for (let end = endOfFirst(unread); end !== undefined && unread.length >= end; end = endOfFirst(unread)) {
      posts.push(readPost(unread.slice(0, end)))
      unread = unread.slice(end)
    }
    return posts
  }
}

/** The end of the first POST; undefined while its head is incomplete. */
function endOfFirst(text: string): number | undefined {
  const headEnds = text.indexOf(END_OF_HEAD)
  if (headEnds === -1) return undefined
  const [, length] = /^content-length: *(\d+)/im.exec(text.slice(0, headEnds)) ?? []
  if (length === undefined) throw new Error(`A request without its length:\n${text.slice(0, headEnds)}`)
  return headEnds + END_OF_HEAD.length + Number(length)
}

function readPost(text: string): Posted {
  return {
    path: text.slice(text.indexOf(' ') + 1, text.indexOf(' HTTP/')),
    notificationId: valueAfter(text, '"id":"'),
    resourceId: valueAfter(text, '"resourceId":"'),
  }
}

function valueAfter(text: string, key: string): string {
  const from = text.indexOf(key, text.indexOf(END_OF_HEAD)) + key.length
  return text.slice(from, text.indexOf('"', from))
}
