import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'

export interface DeafListener {
  readonly port: number
  /** From now on it takes connections. Who asked in vain is heard when the kernel asks for him again: 1, 3, 7 s after the first time. */
  hear(): void
}

/** Listens, and stands still before it takes anybody. `workerData`: where to listen, and what it waits for. */
const SOURCE = `
  const { workerData: { host, port, heard }, parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer(socket => socket.on('error', () => {}))
  server.listen({ host, port, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    setImmediate(() => Atomics.wait(heard, 0, 0))
  })
`
/** Linux keeps one more than the backlog for whoever will take them. */
const FULL = 2

/** A port that answers no handshake, as a host does that is far away, or dead. */
export async function listenDeaf(t: TestContext, { host = '127.0.0.1', port = 0 } = {}): Promise<DeafListener> {
  const heard = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(SOURCE, { eval: true, workerData: { host, port, heard } })
  const hear = () => {
    Atomics.store(heard, 0, 1)
    Atomics.notify(heard, 0)
  }
  t.after(() => {
    hear()
    return worker.terminate()
  })
  const [taken] = await once(worker, 'message')
  for (let n = 0; n < FULL; n++) {
    const socket = connect({ host, port: taken }).on('error', () => {})
    t.after(() => void socket.destroy())
    await once(socket, 'connect')
  }
  return { port: taken, hear }
}
