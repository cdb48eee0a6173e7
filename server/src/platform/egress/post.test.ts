import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { drip, type Listener, listenHttp, listenTcp, openPost } from '../../../test/support/egress/listeners.ts'
import { parseNetworks } from './addresses.ts'
import type { PostOptions } from './post.ts'

const options: PostOptions = { allowedNetworks: parseNetworks('127.0.0.0/8 ::1/128') }
/** A timeout that is long enough to connect on a busy machine. */
const DIALLED_BY_THEN_MS = 1_000
const empty = { headers: {}, body: '{}' }
const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

test('the request is a POST with exactly these bytes and headers, and accepts no compression', async t => {
  const seen = Promise.withResolvers<{ request: IncomingMessage; body: Buffer }>()
  const { url } = await listenHttp(t, async (request, answer) => {
    seen.resolve({ request, body: Buffer.concat(await request.toArray()) })
    answer.end('thanks')
  })
  const { post } = openPost(t, options)
  const body = Buffer.from('{"name":"Käse"}')
  const outcome = await post({
    url: `${url}?a=b#part`,
    headers: { 'Content-Type': 'application/json', 'X-A': 'b' },
    body,
  })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 200, answer: 'thanks' })
  assert.ok(Number.isInteger(outcome.durationMs))
  const { request, body: received } = await seen.promise
  assert.deepEqual(received, body)
  assert.equal(`${request.method} ${request.url}`, 'POST /hook?a=b')
  assert.deepEqual(Object.keys(request.headers).sort(), ['connection', 'content-length', 'content-type', 'host', 'x-a'])
})

test('an endpoint that hangs before its headers times out, and its connection is closed', async t => {
  const listener = await listenTcp(t, () => {})
  const outcome = await openPost(t, options).post({ ...empty, url: listener.url, timeoutMs: DIALLED_BY_THEN_MS })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'timeout' })
  assert.ok(outcome.kind === 'failed' && outcome.durationMs >= DIALLED_BY_THEN_MS - 1)
  await closed(listener)
})

test('a 200 after two seconds is a timeout', async t => {
  const { url } = await listenHttp(t, (_, answer) => setTimeout(() => answer.end('ok'), 2_100))
  const outcome = await openPost(t, options).post({ ...empty, url })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'timeout' })
})

test('a deadline that passed while this process was suspended does not count against the endpoint', async t => {
  const { url } = await listenTcp(t, () => {})
  const outcome = openPost(t, options).post({ ...empty, url, timeoutMs: 50 })
  standStill(1_000)
  assert.partialDeepStrictEqual(await outcome, { kind: 'failed', reason: 'timeout', stalled: true })
})

test('a response that arrived while this process was suspended is read after the deadline', async t => {
  const { url } = await listenTcp(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    standStill(DIALLED_BY_THEN_MS + 1_000)
  })
  const outcome = await openPost(t, options).post({ ...empty, url, timeoutMs: DIALLED_BY_THEN_MS })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 200, answer: 'ok' })
})

test('an endpoint that sends its headers too slowly times out, and its connection is closed', async t => {
  const listener = await listenTcp(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    drip(socket, 'x-a: b\r\n', 10)
  })
  const outcome = await openPost(t, options).post({ ...empty, url: listener.url, timeoutMs: DIALLED_BY_THEN_MS })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'timeout' })
  await closed(listener)
})

test('a slow body counts as acknowledged by its headers, and its connection is closed', async t => {
  const listener = await listenTcp(t, socket => {
    socket.write(head)
    drip(socket, '1\r\nx\r\n', 10)
  })
  const outcome = await openPost(t, options).post({ ...empty, url: listener.url, timeoutMs: 10_000 })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 200 })
  assert.match(outcome.kind === 'answered' ? outcome.answer : '', /^x+$/)
  await closed(listener)
})

test('an endless body is cut at 1 KiB, and its connection is closed long before the deadline', async t => {
  const listener = await listenTcp(t, socket => {
    socket.write(head)
    drip(socket, `1000\r\n${'x'.repeat(4096)}\r\n`.repeat(4), 1)
  })
  const outcome = await openPost(t, options).post({ ...empty, url: listener.url })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', answer: 'x'.repeat(1024) })
  await closed(listener)
  // 16 KiB per millisecond: about 16 MiB within the second that a body may take.
  assert.ok((listener.sockets[0]?.bytesWritten ?? 0) < 4 * 1024 * 1024)
})

test('a slow body beyond the kept 1 KiB counts as an open connection until it ends', async t => {
  const listener = await listenTcp(t, socket => {
    socket.write(`${head}1000\r\n${'x'.repeat(4096)}\r\n`)
    drip(socket, '1\r\nx\r\n', 10)
  })
  const { post, state } = openPost(t, options)
  for (let attempt = 0; attempt < 3; attempt++) {
    const outcome = await post({ ...empty, url: listener.url })
    assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 200, answer: 'x'.repeat(1024) })
  }
  assert.ok(state().connectionsOpen <= 1)
})

test('a body that breaks off still acknowledges', async t => {
  const { url } = await listenTcp(t, socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'))
  const outcome = await openPost(t, options).post({ ...empty, url })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 200, answer: 'half' })
})

test('a redirect is a response and is not followed', async t => {
  let followed = 0
  const target = await listenHttp(t, (_, answer) => answer.end(String(followed++)))
  const { url } = await listenHttp(t, (_, answer) => answer.writeHead(302, { location: target.url }).end())
  const outcome = await openPost(t, options).post({ ...empty, url })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 302, answer: '' })
  assert.equal(followed, 0)
})

test('a compressed response is stored compressed', async t => {
  const { url } = await listenHttp(t, (_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain text'))
  })
  const outcome = await openPost(t, options).post({ ...empty, url })
  assert.equal(outcome.kind, 'answered')
  assert.doesNotMatch(outcome.kind === 'answered' ? outcome.answer : 'plain', /plain/)
})

test('a response is stored as valid text, cut at the maximum length', async t => {
  const { url } = await listenHttp(t, (_, answer) => answer.end(Buffer.from([0x61, 0x00, 0xff, 0xc3, 0xa4, 0x62])))
  const { post } = openPost(t, options)
  assert.partialDeepStrictEqual(await post({ ...empty, url }), { answer: 'a\ufffd\ufffdäb' })
  assert.partialDeepStrictEqual(await post({ ...empty, url, keepBytes: 1 }), { answer: 'a' })
  assert.partialDeepStrictEqual(await post({ ...empty, url, keepBytes: 0 }), { answer: '' })
})

test('Retry-After is returned unchanged', async t => {
  const { url } = await listenHttp(t, (_, answer) => answer.writeHead(503, { 'retry-after': '120' }).end())
  const outcome = await openPost(t, options).post({ ...empty, url })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 503, retryAfter: '120' })
})

test('an early hint is not the response', async t => {
  const { url } = await listenTcp(t, socket => {
    socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')
  })
  assert.partialDeepStrictEqual(await openPost(t, options).post({ ...empty, url }), { httpStatus: 204, answer: '' })
  const hinting = await listenTcp(t, socket => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'))
  const outcome = await openPost(t, options).post({ ...empty, url: hinting.url, timeoutMs: DIALLED_BY_THEN_MS })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'timeout' })
})

const broken: Record<string, [string, (socket: Socket) => void]> = {
  'a connection that is reset': ['reset', socket => socket.resetAndDestroy()],
  'a connection that is closed without an answer': ['reset', socket => socket.end()],
  'an answer that is not HTTP': ['protocol', socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  'an upgrade nobody asked for': [
    'protocol',
    socket => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n'),
  ],
  'headers of more than 16 KiB': ['protocol', socket => socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(9_999)}`)],
  'one header of more than 16 KiB': ['protocol', socket => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(17_000)}`)],
}

for (const [what, [reason, misbehave]] of Object.entries(broken)) {
  test(`${what}: ${reason}`, async t => {
    const listener = await listenTcp(t, misbehave)
    const outcome = await openPost(t, options).post({ ...empty, url: listener.url })
    assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason })
    await closed(listener)
  })
}

test('a URL or header that cannot be sent is an outcome, too', async t => {
  const { post } = openPost(t, options)
  for (const url of ['', 'nonsense', 'ftp://127.0.0.1/', 'http://127.0.0.1:99999/']) {
    assert.partialDeepStrictEqual(await post({ ...empty, url }), { kind: 'failed', reason: 'protocol' }, url)
  }
  const headers = { 'x-a': 'b\r\nx-c: d' }
  assert.partialDeepStrictEqual(await post({ url: 'http://127.0.0.1:1/', headers, body: '' }), { reason: 'protocol' })
})

for (const length of [0, 10, 5_000]) {
  test(`a response of ${length} bytes leaves the connection usable`, async t => {
    const { url, sockets } = await listenHttp(t, (_, answer) => answer.end('x'.repeat(length)))
    const { post } = openPost(t, options)
    for (let i = 0; i < 20; i++) {
      assert.equal((await post({ ...empty, url })).kind, 'answered')
      // undici releases a connection one turn of the event loop after the response ends.
      await setImmediate()
    }
    assert.equal(sockets.length, 1)
  })
}

test('one user of an origin has a limited number of connections, and all its requests are served', async t => {
  const { url, sockets } = await listenHttp(t, (_, answer) => setTimeout(() => answer.end('ok'), 1))
  const { post } = openPost(t, { ...options, connectionsPerPool: 3 })
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => post({ ...empty, url })))
  for (const outcome of outcomes) assert.equal(outcome.kind, 'answered')
  assert.ok(sockets.length <= 3, `${sockets.length} connections`)
})

test('a request that waits for a connection until its deadline is never sent, and leaves the connection to others', async t => {
  const held = Promise.withResolvers<ServerResponse>()
  const paths: (string | undefined)[] = []
  const { url, sockets } = await listenHttp(t, (request, answer) => {
    paths.push(request.url)
    if (request.url === '/hook?first') held.resolve(answer)
    else answer.end('ok')
  })
  const { post } = openPost(t, { ...options, connectionsPerPool: 1 })
  const first = post({ ...empty, url: `${url}?first`, timeoutMs: 10_000 })
  const answer = await held.promise
  const late = post({ ...empty, url: `${url}?late`, timeoutMs: 20 })
  const next = post({ ...empty, url: `${url}?next`, timeoutMs: 10_000 })
  assert.partialDeepStrictEqual(await late, { kind: 'failed', reason: 'timeout' })
  answer.end('ok')
  assert.partialDeepStrictEqual(await first, { kind: 'answered', answer: 'ok' })
  assert.partialDeepStrictEqual(await next, { kind: 'answered', answer: 'ok' })
  assert.deepEqual(paths, ['/hook?first', '/hook?next'])
  assert.equal(sockets.length, 1)
})

test('a hanging endpoint does not delay other origins', async t => {
  const hanging = await listenTcp(t, () => {})
  const healthy = await listenHttp(t, (_, answer) => answer.end('ok'))
  const { post } = openPost(t, { ...options, connectionsPerPool: 2 })
  const stuck = Array.from({ length: 10 }, () => post({ ...empty, url: hanging.url, timeoutMs: 300 }))
  const outcome = await Promise.race([...stuck, post({ ...empty, url: healthy.url })])
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', answer: 'ok' })
  for (const other of await Promise.all(stuck)) assert.partialDeepStrictEqual(other, { reason: 'timeout' })
})

test('a user whose requests to an origin hang does not delay other users of the origin', async t => {
  const { url } = await listenHttp(t, (request, answer) => {
    if (request.url === '/hook?quick') answer.end('ok')
  })
  const { post } = openPost(t, { ...options, connectionsPerPool: 2 })
  const slow = { ...empty, url, timeoutMs: DIALLED_BY_THEN_MS }
  const stuck = ['a', 'b', 'c'].flatMap(sharer => Array.from({ length: 4 }, () => post({ ...slow, sharer })))
  const quick = await post({ ...empty, url: `${url}?quick`, sharer: 'd', timeoutMs: 20_000 })
  assert.partialDeepStrictEqual(quick, { kind: 'answered', answer: 'ok' })
  for (const other of await Promise.all(stuck)) assert.partialDeepStrictEqual(other, { reason: 'timeout' })
})

test('a connection is reused only by its own user', async t => {
  const { url, sockets } = await listenHttp(t, (_, answer) => answer.end('ok'))
  const { post } = openPost(t, options)
  for (const sharer of ['a', 'a', 'b', 'b', 'a']) {
    assert.equal((await post({ ...empty, url, sharer })).kind, 'answered')
    await setImmediate()
  }
  assert.equal(sockets.length, 2)
})

test('if a reused connection is closed by the server, the request is sent once more on a new connection', async t => {
  const bodies: string[] = []
  const servedBefore = new WeakSet<Socket>()
  const { url, sockets } = await listenHttp(t, async (request, answer) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    // The second request resets the connection, as servers do that close idle connections.
    if (servedBefore.has(request.socket)) request.socket.resetAndDestroy()
    else answer.end('ok')
    servedBefore.add(request.socket)
  })
  const { post, state } = openPost(t, options)
  for (const body of ['1', '2', '3', '4']) {
    const outcome = await post({ headers: {}, body, url, sharer: 'a' })
    assert.partialDeepStrictEqual(outcome, { kind: 'answered', httpStatus: 200 }, body)
    await setImmediate()
  }
  assert.deepEqual(bodies, ['1', '2', '2', '3', '3', '4', '4'])
  assert.equal(sockets.length, 4)
  assert.deepEqual(state(), { connectionsOpened: 4, connectionsOpen: 1, pools: 1 })
})

test('a request is sent at most twice, and not again after a part of a response or the deadline', async t => {
  let requests = 0
  let then: (socket: Socket) => void = () => {}
  const { url } = await listenHttp(t, (request, answer) => {
    if (++requests === 1) answer.end('ok')
    else then(request.socket)
  })
  const { post } = openPost(t, options)
  const afterOneServed = async (misbehave: (socket: Socket) => void, sharer: string, timeoutMs = 2_000) => {
    requests = 0
    then = misbehave
    assert.equal((await post({ ...empty, url, sharer })).kind, 'answered')
    await setImmediate()
    const outcome = await post({ ...empty, url, sharer, timeoutMs })
    return { ...outcome, requests: requests - 1 }
  }
  const twice = await afterOneServed(socket => socket.destroy(), 'a')
  assert.partialDeepStrictEqual(twice, { kind: 'failed', reason: 'reset', requests: 2 })
  const hinted = (socket: Socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')
  assert.partialDeepStrictEqual(await afterOneServed(hinted, 'b'), { kind: 'failed', reason: 'reset', requests: 1 })
  const late = await afterOneServed(() => {}, 'c', DIALLED_BY_THEN_MS)
  assert.partialDeepStrictEqual(late, { kind: 'failed', reason: 'timeout', requests: 1 })
})

test('above the maximum number of connections, the least recently used idle connections are closed', async t => {
  const held = new Map<string | undefined, ServerResponse>()
  const { url, sockets } = await listenHttp(t, (request, answer) => {
    if (request.url === '/hook?held') held.set('held', answer)
    else answer.end('ok')
  })
  const { post, state } = openPost(t, { ...options, connectionsAtMost: 3 })
  const waiting = post({ ...empty, url: `${url}?held`, sharer: 'first', timeoutMs: 20_000 })
  for (let sharer = 0; sharer < 20; sharer++) {
    assert.equal((await post({ ...empty, url, sharer: String(sharer) })).kind, 'answered')
    await setImmediate()
  }
  await closed({ sockets: sockets.slice(1, -2) })
  assert.equal(state().connectionsOpened, 21)
  assert.equal(state().connectionsOpen, 3)
  held.get('held')?.end('ok')
  assert.partialDeepStrictEqual(await waiting, { kind: 'answered', answer: 'ok' })
  await setImmediate()
  assert.equal((await post({ ...empty, url, sharer: 'first' })).kind, 'answered')
  assert.equal(sockets.length, 21)
})

test('an origin that cannot be reached leaves no pool behind', async t => {
  const { url } = await listenHttp(t, (_, answer) => answer.end('ok'))
  const { post, state } = openPost(t, { ...options, connectionsAtMost: 2 })
  for (let sharer = 0; sharer < 10; sharer++) {
    const refused = await post({ ...empty, url: 'http://127.0.0.1:1/', sharer: String(sharer) })
    assert.partialDeepStrictEqual(refused, { kind: 'failed', reason: 'refused' })
    const invalid = await post({ url, headers: { 'x-a': 'b\r\nc: d' }, body: '', sharer: String(sharer) })
    assert.partialDeepStrictEqual(invalid, { kind: 'failed', reason: 'protocol' })
  }
  assert.deepEqual(state(), { connectionsOpened: 0, connectionsOpen: 0, pools: 2 })
})

test('closing waits for open requests, and a request after closing is a bug', async t => {
  const { url, sockets } = await listenHttp(t, (_, answer) => setTimeout(() => answer.end('ok'), 50))
  const { post, close } = openPost(t, options)
  const outcome = post({ ...empty, url })
  await close()
  assert.partialDeepStrictEqual(await outcome, { kind: 'answered', answer: 'ok' })
  await closed({ sockets })
  await assert.rejects(post({ ...empty, url }), /after close/)
})

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Resolves once every connection is closed. The limit stops the test if a connection never closes, and is far from any deadline. */
async function closed({ sockets }: Pick<Listener, 'sockets'>): Promise<void> {
  assert.ok(sockets.length > 0)
  const signal = AbortSignal.timeout(60_000)
  await Promise.all(sockets.map(socket => closeOf(socket, signal)))
}

/** `once` would reject when a socket is reset while being written to. */
function closeOf(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.closed) return resolve()
    socket.once('close', () => resolve())
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
