import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { answer } from './route.ts'
import { routeThat, sampleRoutes } from './server.fixture.ts'
import { assertRejected, listening } from './socket.fixture.ts'

test('bytes that are not HTTP get our error body, and the connection closes', async () => {
  const { exchange } = await listening(sampleRoutes())
  for (const bytes of [
    'hello\r\n\r\n',
    'GET /metrics HTTP/9.9\r\n\r\n',
    'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'POST /token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n',
  ]) {
    assertRejected(await exchange(bytes), 400, 'INVALID_REQUEST')
  }
})

test('headers above 16 KiB get 431', async () => {
  const { exchange } = await listening(sampleRoutes())
  const headers = `Host: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n`
  assertRejected(await exchange(`GET /metrics HTTP/1.1\r\n${headers}\r\n`), 431, 'HEADERS_TOO_LARGE')
})

test('an address above 16 KiB gets 431, and a segment longer than any id gets 404', async () => {
  const { exchange } = await listening(sampleRoutes())
  const ask = (address: string) => exchange(`GET ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  assertRejected(await ask(`/metrics?${'x'.repeat(20_000)}`), 431, 'HEADERS_TOO_LARGE')
  assertRejected(await ask(`/${'x'.repeat(20_000)}`), 431, 'HEADERS_TOO_LARGE')
  assertRejected(await ask(`/apps/${'x'.repeat(501)}/plans`), 404, 'RESOURCE_NOT_FOUND')
  assert.match(await ask(`/metrics?${'x'.repeat(10_000)}`), /^HTTP\/1\.1 200 /)
})

test('a request with two Host headers is rejected, also when both are the same', async () => {
  const { exchange } = await listening(sampleRoutes())
  for (const [first, second] of [
    ['a', 'b'],
    ['a', 'a'],
  ]) {
    const text = await exchange(
      `GET /metrics HTTP/1.1\r\nHost: ${first}\r\nhost: ${second}\r\nConnection: close\r\n\r\n`,
    )
    assertRejected(text, 400, 'INVALID_REQUEST')
  }
})

test('a request without Host is rejected with our error body', async () => {
  const { exchange } = await listening(sampleRoutes())
  const text = await exchange('GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n')
  assertRejected(text, 400, 'INVALID_REQUEST')
})

test('a too long body is rejected before it is received completely', async () => {
  const { exchange } = await listening(sampleRoutes())
  const head = 'POST /token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n'
  assertRejected(await exchange(`${head}Content-Length: 99999999\r\n\r\nx`), 413, 'PAYLOAD_TOO_LARGE')
})

test('an Expect header is ignored, and the request is served', async () => {
  const { exchange } = await listening(sampleRoutes())
  const text = await exchange('GET /metrics HTTP/1.1\r\nHost: a\r\nExpect: the-best\r\nConnection: close\r\n\r\n')
  assert.match(text, /^HTTP\/1\.1 200 /)
})

test('on close, requests in progress finish, later requests are rejected, and no new connection is accepted', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const slow = routeThat(async () => {
    started.resolve()
    await finish.promise
    return answer(200)
  })
  const { app, port, exchange } = await listening([slow])
  const request = 'GET /it HTTP/1.1\r\nHost: a\r\n\r\n'
  const underWay = exchange(request)
  await started.promise
  const entered = once(app.server, 'connection')
  const later = connect(port, '127.0.0.1')
  await entered
  const closed = app.close()
  while (app.server.listening) await new Promise(resolve => setImmediate(resolve))
  later.write(request)
  const text = String(await Promise.race([once(later, 'data'), once(later, 'close')]))
  finish.resolve()
  assert.match(await underWay, /^HTTP\/1\.1 200 .*connection: close/is)
  assertRejected(text, 503, 'SERVICE_UNAVAILABLE')
  assert.match(text, /retry-after: 1\r\n/i)
  await closed
  await assert.rejects(fetch(`http://127.0.0.1:${port}/it`))
})

test('a silent connection does not delay the stop', async () => {
  const { app, port } = await listening(sampleRoutes())
  const entered = once(app.server, 'connection')
  const silent = connect(port, '127.0.0.1').on('error', () => {})
  await entered
  const ended = once(silent, 'close')
  await app.close()
  await ended
})

test('an empty chunked body is read as no body', async () => {
  const { exchange } = await listening(sampleRoutes())
  const type = 'application/x-www-form-urlencoded'
  const head = `POST /token HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n`
  const text = await exchange(`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
  assertRejected(text, 400, 'MISSING_PARAMETER')
})
