import type { Socket } from 'node:net'

/**
 * The longest answer that is read to its end, 16 KiB of headers of a byte each and 32 KiB of body in chunks of a byte each, takes 240 KiB. Early hints,
 * chunk extensions, reason phrases and blank lines count nowhere else, and have no end of their own.
 */
const BYTES_OF_AN_ANSWER = 256 * 1024

/**
 * Closes a connection by which more comes than an answer can have, since it was last written to. Of a connection with TLS `bytesOf` is the one below:
 * what TLS itself sends counts as well.
 */
export function stopFloods(socket: Socket, bytesOf = socket): Socket {
  let written = socket.bytesWritten
  let atRequest = bytesOf.bytesRead
  let seen = atRequest
  // Its first listener of this kind: undici, which reads in the next one, has read nothing yet of what is looked at.
  socket.on('readable', () => {
    if (written !== socket.bytesWritten) {
      written = socket.bytesWritten
      atRequest = seen
    }
    seen = bytesOf.bytesRead
    if (seen - atRequest > BYTES_OF_AN_ANSWER) socket.destroy(new Error('more comes than an answer can have'))
  })
  return socket
}
