import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { NewId } from '../../core/id.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { everyAnswerHeaders, rejectionAnswer } from './wire-answer.ts'

/** Long enough for the answer to arrive; the connection is of no use any more. */
const CLOSE_AFTER_MS = 500

/** Answers what is not HTTP, or not in time, with our error body, and closes. */
export function answerClientError(error: Error & { code?: string }, socket: Socket, newId: NewId): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  if (!socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy()
    return
  }
  answerOnSocket(rejectionOf(error.code), socket, newId)
}

/** Node has no request for it: CONNECT takes the connection out of HTTP, and we open no tunnels. */
export function answerConnect(socket: Socket, newId: NewId): void {
  socket.on('error', () => {})
  answerOnSocket(reject('INVALID_REQUEST', 'This is no proxy.'), socket, newId)
}

function answerOnSocket(rejection: Rejection, socket: Socket, newId: NewId): void {
  const requestId = newId()
  const { status, headers, body } = rejectionAnswer(rejection, requestId)
  const lines = Object.entries({
    ...everyAnswerHeaders(requestId),
    ...headers,
    'content-length': String(Buffer.byteLength(body ?? '')),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}

function rejectionOf(code: string | undefined): Rejection {
  if (code === 'HPE_HEADER_OVERFLOW') return reject('HEADERS_TOO_LARGE', 'Send at most 16 KiB of address and headers.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return reject('PAYLOAD_TOO_LARGE', 'Send no chunk extensions.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return reject('INVALID_REQUEST', 'The request did not arrive in time.')
  return reject('INVALID_REQUEST', 'This is not a request as RFC 9112 says.')
}

/** Node keeps the answer under way on the socket; another one in the middle of it would be garbage. */
function hasBegunToAnswer(socket: Socket): boolean {
  const { _httpMessage: current } = socket as { _httpMessage?: { headersSent: boolean } | null }
  return current?.headersSent === true
}
