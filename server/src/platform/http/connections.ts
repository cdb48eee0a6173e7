import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** However long a request takes, a stop waits no longer. */
const STOP_WITHIN_MS = 10_000

/** Whoever has just connected may send its request still, and is told 503. */
const MAY_STILL_ASK_MS = 500

/**
 * Follows a server's connections, so that it can stop. Node waits for a connection that never sent a request until its peer
 * goes away, which may be never. Returns what to call when the stop begins: silent connections are ended soon, the others
 * after their answer.
 */
export function followConnections(server: Server): () => void {
  const connections = new Set<Socket>()
  const answering = new Map<Socket, number>()
  let stopping = false

  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }: { socket: Socket }, response: ServerResponse) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (answering.get(socket) ?? 1) - 1
      if (left > 0) answering.set(socket, left)
      else answering.delete(socket)
      if (stopping && left === 0) socket.end()
    })
  })

  return () => {
    stopping = true
    setTimeout(() => {
      for (const socket of connections) if (!answering.has(socket)) socket.destroy()
    }, MAY_STILL_ASK_MS).unref()
    setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS).unref()
  }
}
