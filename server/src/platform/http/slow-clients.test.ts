import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { routeThat, sampleRoutes } from './server.fixture.ts'
import { assertRejected, listening } from './socket.fixture.ts'

/** Short for a quick test, and longer than a busy machine needs for a whole request. */
const PATIENCE = { headersWithinMs: 1_000, requestWithinMs: 1_500, lookEveryMs: 50 }
const DRIP_MS = 100
/** An upper bound for every machine. */
const CUT_OFF_WITHIN_MS = 60_000
const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** Sends the start at once and the rest byte by byte, for as long as the connection is open. Resolves with all that came. */
async function drip(port: number, start: string, rest = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  socket.write(start)
  let sent = 0
  const dripping = setInterval(() => {
    if (rest !== '' && socket.writable) socket.write(rest[sent++ % rest.length] ?? '')
  }, DRIP_MS)
  await once(socket, 'close', { signal: AbortSignal.timeout(CUT_OFF_WITHIN_MS) })
  clearInterval(dripping)
  return text
}

test('a client that sends headers or a body too slowly is rejected and disconnected, and other clients are served', async () => {
  const { port } = await listening(sampleRoutes(), { patience: PATIENCE })
  const slow = [
    drip(port, 'GET /metrics HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'x'),
    drip(port, '', 'GET /metrics HTTP/1.1\r\nHost: a\r\n'),
    drip(port, `POST /token HTTP/1.1\r\nHost: a\r\n${FORM}\r\nContent-Length: 1000\r\n\r\ngrantType=`, 'x'),
    drip(port, `POST /token HTTP/1.1\r\nHost: a\r\n${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
    drip(port, ''),
  ]
  let isOver = false
  const cutOff = Promise.all(slow).finally(() => {
    isOver = true
  })
  do {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    assert.equal(answer.status, 200)
    await answer.text()
  } while (!isOver)
  for (const text of await cutOff) assertRejected(text, 400, 'INVALID_REQUEST')
})

test('a client that stops in the head of its second request is rejected like in the first request', async () => {
  const { port } = await listening(sampleRoutes(), { patience: PATIENCE })
  const text = await drip(port, 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\nGET /metrics HTTP/1.1\r\n', 'x')
  assert.match(text, /^HTTP\/1\.1 200 /)
  assertRejected(text.slice(text.indexOf('HTTP/1.1', 1)), 400, 'INVALID_REQUEST')
})

test('a client that does not read its response is disconnected', async () => {
  const long = 'x'.repeat(64 * 1024 * 1024)
  const big = {
    ...routeThat(async () => ({ status: 200, text: { type: 'text/plain', content: long } })),
    contentType: 'text/plain',
  }
  const { app, port } = await listening([big], { patience: { ...PATIENCE, stillMs: 500 } })
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('GET /it HTTP/1.1\r\nHost: a\r\n\r\n')
  const [peer] = await connected
  await once(peer, 'close', { signal: AbortSignal.timeout(CUT_OFF_WITHIN_MS) })
  assert.ok(peer.bytesWritten > 0)
  socket.destroy()
})

test('the default timeouts are 10 s for headers, 30 s for a request and a minute for an idle connection', async () => {
  const { app } = await listening(sampleRoutes())
  const { headersTimeout, requestTimeout, timeout } = app.server
  assert.deepEqual([headersTimeout, requestTimeout, timeout], [10_000, 30_000, 60_000])
})
