import type { Socket } from 'node:net'

/**
 * The longest response that is read to its end takes 240 KiB: 16 KiB of headers of one byte each, and 32 KiB of body in chunks of one byte each.
 * No other limit bounds early hints, chunk extensions, reason phrases and blank lines.
 */
const BYTES_OF_AN_ANSWER = 256 * 1024

/**
 * Closes a connection that receives more than a response can have since the last write. With TLS, `bytesOf` is the socket below, so TLS's
 * own bytes count too.
 */
export function stopFloods(socket: Socket, bytesOf = socket): Socket {
  let written = socket.bytesWritten
  let atRequest = bytesOf.bytesRead
  let seen = atRequest
  // The first `readable` listener: undici reads in the next one, so undici has consumed nothing yet.
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
