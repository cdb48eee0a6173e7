import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import {
  CERTIFICATE,
  drip,
  listenHttp,
  listenHttps,
  listenTcp,
  openPost,
} from '../../../test/support/egress/listeners.ts'
import { parseNetworks } from './addresses.ts'

const options = { allowedNetworks: parseNetworks('127.0.0.0/8') }
const request = { headers: {}, body: '{}', timeoutMs: 20_000 }
const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

/** For each flood: the first bytes, the repeated bytes, and the expected outcome. */
const floods: Record<string, [string, string, object]> = {
  'a chunk extension without end': [`${head}1;`, 'x', { kind: 'answered', httpStatus: 200, answer: '' }],
  'early hints without end': [
    '',
    `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(15_000)}\r\n\r\n`,
    { kind: 'failed', reason: 'protocol' },
  ],
  'a reason phrase without end': ['HTTP/1.1 200 ', 'x', { kind: 'failed', reason: 'protocol' }],
  'blank lines without end': ['', '\r\n', { kind: 'failed', reason: 'protocol' }],
}

for (const [what, [first, again, expected]] of Object.entries(floods)) {
  test(`${what} ends with its connection, long before the deadline`, async t => {
    const listener = await listenTcp(t, socket => flood(socket, first, again))
    assert.partialDeepStrictEqual(await openPost(t, options).post({ ...request, url: listener.url }), expected)
    await isStopped(listener.sockets[0])
  })
}

test('over TLS as well', async t => {
  const { port, sockets } = await listenHttps(t, ({ socket }) => flood(socket, `${head}1;`, 'x'))
  const trusting = { ...options, resolve: async () => ['127.0.0.1'], trustedCertificates: CERTIFICATE }
  const outcome = await openPost(t, trusting).post({ ...request, url: `https://localhost:${port}/` })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 200, answer: '' })
  await isStopped(sockets[0])
})

test('blank lines from the server close an idle connection, and the next request opens another', async t => {
  const answered = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  const listener = await listenTcp(t, socket => socket.write(answered))
  const { post } = openPost(t, options)
  assert.partialDeepStrictEqual(await post({ ...request, url: listener.url }), { answer: 'ok' })
  const [idle] = listener.sockets
  assert.ok(idle)
  flood(idle, '', '\r\n')
  await isStopped(idle)
  assert.partialDeepStrictEqual(await post({ ...request, url: listener.url }), { answer: 'ok' })
})

test('earlier responses on a connection do not use up the limit of a later request', async t => {
  const { url, sockets } = await listenHttp(t, (_, answer) => answer.end('x'.repeat(30_000)))
  const { post } = openPost(t, options)
  for (let n = 0; n < 40; n++) {
    assert.partialDeepStrictEqual(await post({ ...request, url }), { kind: 'answered', httpStatus: 200 })
    await setImmediate()
  }
  assert.equal(sockets.length, 1)
})

test('the longest headers and a body in the smallest chunks are read, and the connection stays usable', async t => {
  const headers = 'x:y\r\n'.repeat(8_000)
  const longest = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${headers}\r\n${'1\r\nx\r\n'.repeat(32 * 1024)}0\r\n\r\n`
  const { url, sockets } = await listenTcp(t, socket => {
    socket.write(longest)
    socket.on('data', () => socket.write(longest))
  })
  const { post } = openPost(t, options)
  for (let n = 0; n < 2; n++) {
    assert.partialDeepStrictEqual(await post({ ...request, url }), { kind: 'answered', httpStatus: 200 })
    await setImmediate()
  }
  assert.equal(sockets.length, 1)
})

async function isStopped(socket: Socket | undefined): Promise<void> {
  for (let n = 0; n < 6_000 && socket?.closed !== true; n++) await setTimeout(10)
  assert.ok(socket?.closed)
  assert.ok(socket.bytesWritten < 2 * 1024 * 1024, `${socket.bytesWritten} bytes`)
}

/** 64 KiB per millisecond. In one process the sender is never far ahead of its reader. */
function flood(socket: Socket, first: string, again: string): void {
  socket.write(first)
  drip(socket, again.repeat(Math.ceil(65_536 / again.length)), 1)
}
