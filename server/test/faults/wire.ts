import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A network between a service and its database that can be cut. */
export interface Wire {
  /** The database URL with the address of the wire. */
  through(databaseUrl: string): string
  /** Ends all connections. New connections are refused, as without a database, or reset. */
  cut(how: 'refused' | 'reset'): Promise<void>
  /** Connections stay and new connections are accepted, but no bytes pass. */
  silence(): void
  restore(): Promise<void>
  close(): Promise<void>
}

const RESTORED_WITHIN_MS = 60_000

export async function openWire(): Promise<Wire> {
  const sockets = new Set<Socket>()
  let target: { host: string; port: number } | undefined
  let isReset = false
  let isSilent = false
  /** Work for the time when bytes pass again. */
  let held: (() => void)[] = []
  const accept = (near: Socket) => {
    near.on('error', () => {})
    if (isReset || target === undefined) return near.resetAndDestroy()
    sockets.add(near)
    if (isSilent) return held.push(() => accept(near))
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }
  let server: Server | undefined = createServer(accept).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const refuse = async () => {
    const closed = server && once(server, 'close')
    server?.close()
    server = undefined
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }
  return {
    through: databaseUrl => {
      const url = new URL(databaseUrl)
      target = { host: url.hostname, port: Number(url.port) }
      url.host = `127.0.0.1:${port}`
      return url.href
    },
    cut: async how => {
      if (how === 'refused') return refuse()
      isReset = true
      for (const socket of sockets) socket.resetAndDestroy()
    },
    silence: () => {
      isSilent = true
      for (const socket of sockets) {
        socket.pause()
        held.push(() => socket.resume())
      }
    },
    restore: async () => {
      isReset = false
      isSilent = false
      for (const goOn of held) goOn()
      held = []
      server ??= await listenAgain(accept, port)
    },
    close: refuse,
  }
}

/** Another process may hold the port for a moment, since the system assigns it freely. */
async function listenAgain(accept: (socket: Socket) => void, port: number): Promise<Server> {
  const giveUpAt = performance.now() + RESTORED_WITHIN_MS
  for (;;) {
    const server = createServer(accept).listen(port, '127.0.0.1')
    const failure = await Promise.race([once(server, 'listening').then(() => null), once(server, 'error')])
    if (failure === null) return server
    if (performance.now() > giveUpAt) throw failure[0]
    await wait(50)
  }
}
