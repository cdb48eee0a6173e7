import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after } from 'node:test'
import type { AnyRoute } from './route.ts'
import { testServer } from './server.fixture.ts'
import type { HttpOptions } from './server.ts'

/** A server with these routes on a port of its own until the calling test ends. */
export async function listening(routes: AnyRoute[], options: Partial<HttpOptions> = {}) {
  const { app } = testServer(routes, options)
  after(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  /** Sends bytes as they are, and waits until the server closes. */
  const exchange = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.write(bytes)
    await once(socket, 'close')
    return text
  }
  return { app, port, exchange }
}

/** The whole answer, as it came: our error body, and the end of the connection. */
export function assertRejected(text: string, status: number, code: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), text)
  const parsed = JSON.parse(body)
  assert.equal(parsed.code, code)
  assert.equal(parsed.httpStatus, status)
  assert.match(head, /api-version: 1\.2/)
  assert.match(head, new RegExp(`service-request-id: ${parsed.requestId}`))
  assert.match(head, /connection: close/i)
}
