import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { NewId } from '../../core/id.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { everyAnswerHeaders, refusalAnswer } from './wire-answer.ts'

/** Long enough for the answer to arrive; the connection is of no use any more. */
const CLOSE_AFTER_MS = 500

/** Answers what is not HTTP, or not in time, with our error body, and closes. */
export function answerClientError(error: Error & { code?: string }, socket: Socket, newId: NewId): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  if (!socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy()
    return
  }
  answerOnSocket(refusalOf(error.code), socket, newId)
}

/** Node has no request for it: CONNECT takes the connection out of HTTP, and we open no tunnels. */
export function answerConnect(socket: Socket, newId: NewId): void {
  socket.on('error', () => {})
  answerOnSocket(refuse('INVALID_REQUEST', 'This is no proxy.'), socket, newId)
}

function answerOnSocket(refusal: Refusal, socket: Socket, newId: NewId): void {
  const requestId = newId()
  const { status, headers, body } = refusalAnswer(refusal, requestId)
  const lines = Object.entries({
    ...everyAnswerHeaders(requestId),
    ...headers,
    'content-length': String(Buffer.byteLength(body ?? '')),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refuse('HEADERS_TOO_LARGE', 'Send at most 16 KiB of address and headers.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return refuse('PAYLOAD_TOO_LARGE', 'Send no chunk extensions.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse('INVALID_REQUEST', 'The request did not arrive in time.')
  return refuse('INVALID_REQUEST', 'This is not a request as RFC 9112 says.')
}

/** Node keeps the answer under way on the socket; another one in the middle of it would be garbage. */
function hasBegunToAnswer(socket: Socket): boolean {
  const { _httpMessage: current } = socket as { _httpMessage?: { headersSent: boolean } | null }
  return current?.headersSent === true
}
