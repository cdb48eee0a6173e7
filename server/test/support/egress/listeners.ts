import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createPost, type PostOptions } from '../../../src/platform/egress/post.ts'

/** A server on a free loopback port, gone with its connections when the test ends. */
export interface Listener {
  readonly port: number
  readonly url: string
  /** Every connection ever accepted. */
  readonly sockets: Socket[]
}

/** For `localhost`, signed by itself. Made by the command in the README. */
export const CERTIFICATE = readFileSync(new URL('localhost.crt.pem', import.meta.url), 'utf8')
const KEY = readFileSync(new URL('localhost.key.pem', import.meta.url), 'utf8')

export function listenHttp(t: TestContext, listener: RequestListener, host = '127.0.0.1'): Promise<Listener> {
  return listen(t, createServer(listener), host)
}

export function listenHttps(t: TestContext, listener: RequestListener): Promise<Listener> {
  return listen(t, createTlsServer({ cert: CERTIFICATE, key: KEY }, listener), '127.0.0.1')
}

/** Calls `onRequest` once the head of a request has come. For servers that do what an HTTP library would not. */
export function listenTcp(t: TestContext, onRequest: (socket: Socket) => void): Promise<Listener> {
  const server = createTcpServer(socket => {
    socket.once('data', () => onRequest(socket))
  })
  return listen(t, server, '127.0.0.1')
}

/** Writes `text` again and again until the socket is closed, `everyMs` apart. */
export function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** The way out, closed when the test ends. Loopback is not allowed unless the test says so. */
export function openPost(t: TestContext, options: Partial<PostOptions> = {}) {
  const way = createPost({ allowedNetworks: [], ...options })
  t.after(() => way.close())
  return way
}

async function listen(t: TestContext, server: Server, host: string): Promise<Listener> {
  const sockets: Socket[] = []
  server.on('connection', socket => {
    sockets.push(socket)
    socket.on('error', () => {})
  })
  server.listen(0, host)
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/hook`, sockets }
}
