import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'

export interface DeafListener {
  readonly port: number
  /** Accepts connections from now on. The kernel repeats an unanswered handshake after 1, 3 and 7 s. */
  accept(): void
}

/** Listens without accepting. `workerData`: the address, and the flag that the worker waits for. */
const SOURCE = `
  const { workerData: { host, port, accepts }, parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer(socket => socket.on('error', () => {}))
  server.listen({ host, port, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    setImmediate(() => Atomics.wait(accepts, 0, 0))
  })
`
/** Linux queues one more connection than the backlog. */
const FULL = 2

/** A port that answers no handshake, like a distant or dead host. */
export async function listenDeaf(t: TestContext, { host = '127.0.0.1', port = 0 } = {}): Promise<DeafListener> {
  const accepts = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(SOURCE, { eval: true, workerData: { host, port, accepts } })
  const accept = () => {
    Atomics.store(accepts, 0, 1)
    Atomics.notify(accepts, 0)
  }
  t.after(() => {
    accept()
    return worker.terminate()
  })
  const [taken] = await once(worker, 'message')
  for (let n = 0; n < FULL; n++) {
    const socket = connect({ host, port: taken }).on('error', () => {})
    t.after(() => void socket.destroy())
    await once(socket, 'connect')
  }
  return { port: taken, accept }
}
