import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { listenDeaf } from '../../../test/support/egress/deaf-listener.ts'
import { CERTIFICATE, listenHttp, listenHttps, listenTcp, openPost } from '../../../test/support/egress/listeners.ts'
import { parseNetworks } from './addresses.ts'
import { createConnector } from './connector.ts'
import { dialFailure, isOurs } from './failure.ts'
import { createResolve } from './resolve.ts'

const loopback = parseNetworks('127.0.0.0/8 ::1/128')
const empty = { headers: {}, body: '{}' }

const privateHosts = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '①②⑦.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[fd00::1]',
]

for (const host of privateHosts) {
  test(`the literal host ${host} is never contacted`, async t => {
    const { port, sockets } = await listenHttp(t, (_, answer) => answer.end())
    const { post } = openPost(t)
    for (const scheme of ['http', 'https']) {
      const outcome = await post({ ...empty, url: `${scheme}://${host}:${port}/` })
      assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'private_address' })
    }
    assert.equal(sockets.length, 0)
  })
}

for (const addresses of [
  ['10.0.0.1'],
  ['127.0.0.1', '10.0.0.1'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['127.1'],
]) {
  test(`a name that resolves to ${addresses} is never contacted`, async t => {
    const { port, sockets } = await listenHttp(t, (_, answer) => answer.end())
    const { post } = openPost(t, { allowedNetworks: loopback, resolve: async () => addresses })
    const outcome = await post({ ...empty, url: `http://hook.example:${port}/` })
    assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'private_address' })
    assert.equal(sockets.length, 0)
  })
}

test('a name that resolves to another address the second time is checked again before the second connection', async t => {
  const { port, sockets } = await listenHttp(t, (_, answer) => answer.setHeader('connection', 'close').end('ok'))
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const { post } = openPost(t, { allowedNetworks: loopback, resolve: async () => answers.shift() ?? [] })
  const url = `http://hook.example:${port}/`
  assert.partialDeepStrictEqual(await post({ ...empty, url }), { kind: 'answered', httpStatus: 200 })
  assert.partialDeepStrictEqual(await post({ ...empty, url }), { kind: 'failed', reason: 'private_address' })
  assert.equal(sockets.length, 1)
})

test('a connection uses one lookup, and the checked address', async t => {
  const { port } = await listenHttp(t, (_, answer) => answer.end('ok'))
  let asked = 0
  const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1'])
  const { post } = openPost(t, { allowedNetworks: loopback, resolve })
  const outcome = await post({ ...empty, url: `http://hook.example:${port}/` })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', answer: 'ok' })
  assert.equal(asked, 1)
})

test('concurrent requests for one name share one lookup', async t => {
  const { port } = await listenHttp(t, (_, answer) => answer.end('ok'))
  let asked = 0
  const gate = Promise.withResolvers<void>()
  const resolve = async () => {
    asked++
    await gate.promise
    return ['127.0.0.1']
  }
  const { post } = openPost(t, { allowedNetworks: loopback, resolve })
  const outcomes = Promise.all(Array.from({ length: 8 }, () => post({ ...empty, url: `http://hook.example:${port}/` })))
  gate.resolve()
  for (const outcome of await outcomes) assert.equal(outcome.kind, 'answered')
  assert.equal(asked, 1)
})

test('if the first address refuses, the next address is used', async t => {
  const { port } = await listenHttp(t, (_, answer) => answer.end('ok'))
  const resolve = async () => ['127.0.0.2', '127.0.0.1']
  const { post } = openPost(t, { allowedNetworks: loopback, resolve })
  assert.equal((await post({ ...empty, url: `http://hook.example:${port}/` })).kind, 'answered')
})

/** Dials a name that has these addresses. */
function dial(
  t: TestContext,
  addresses: readonly string[],
  port: number,
  { timeoutMs = 20_000, protocol = 'http:' } = {},
): Promise<Socket> {
  const connect = createConnector({ allowedNetworks: loopback, resolve: async () => addresses, timeoutMs })
  return new Promise((resolve, reject) => {
    connect({ hostname: 'hook.example', protocol, port: String(port) }, (...[error, socket]) => {
      if (error !== null) return reject(error)
      t.after(() => void socket.destroy())
      resolve(socket)
    })
  })
}

test('a slow address may use its whole time even if all other addresses fail', async t => {
  const { port, accept } = await listenDeaf(t)
  const socket = dial(t, ['127.0.0.1', '127.0.0.2'], port)
  socket.catch(() => {})
  // Longer than the next address waits.
  await setTimeout(600)
  accept()
  assert.equal((await socket).remoteAddress, '127.0.0.1')
})

test('an address that never responds does not delay other addresses and leaves nothing open', async t => {
  const { port } = await listenHttp(t, (_, answer) => answer.end('ok'))
  await listenDeaf(t, { host: '127.0.0.2', port })
  assert.equal((await dial(t, ['127.0.0.2', '127.0.0.1'], port)).remoteAddress, '127.0.0.1')
  await noneIsBeingDialled()
})

test('if no address responds in time, the result is a timeout, and nothing stays open', async t => {
  const { port } = await listenDeaf(t)
  await listenDeaf(t, { host: '127.0.0.2', port })
  await assert.rejects(dial(t, ['127.0.0.1', '127.0.0.2'], port, { timeoutMs: 400 }), { reason: 'timeout' })
  await noneIsBeingDialled()
})

test('if a server never begins the TLS handshake, the connection is closed at the timeout of the whole connection', async t => {
  const { port, sockets } = await listenTcp(t, () => {})
  await assert.rejects(dial(t, ['127.0.0.1'], port, { timeoutMs: 1_000, protocol: 'https:' }), { reason: 'timeout' })
  for (let n = 0; n < 6_000 && sockets[0]?.closed !== true; n++) await setTimeout(10)
  assert.ok(sockets[0]?.closed)
})

test('at most four addresses of a name are tried', async t => {
  const { port, sockets } = await listenHttp(t, (_, answer) => answer.end('ok'))
  const refusing = Array.from({ length: 4 }, (_, n) => `127.0.0.${n + 2}`)
  assert.equal((await dial(t, [...refusing.slice(1), '127.0.0.1'], port)).remoteAddress, '127.0.0.1')
  await assert.rejects(dial(t, [...refusing, '127.0.0.1'], port), { reason: 'refused' })
  assert.equal(sockets.length, 1)
})

test('addresses of both families are tried alternately', async t => {
  const listener = await listenHttp(t, (_, answer) => answer.end('six'), '::1').catch(() => null)
  if (listener === null) return t.skip('no IPv6 on this machine')
  const refusing = Array.from({ length: 9 }, (_, n) => `127.0.0.${n + 2}`)
  assert.equal((await dial(t, [...refusing, '::1'], listener.port)).remoteAddress, '::1')
})

async function noneIsBeingDialled(): Promise<void> {
  for (let n = 0; n < 6_000 && process.getActiveResourcesInfo().includes('TCPConnectWrap'); n++) await setTimeout(10)
  assert.ok(!process.getActiveResourcesInfo().includes('TCPConnectWrap'))
}

test('an allowed IPv6 literal in brackets is contacted', async t => {
  const listener = await listenHttp(t, (_, answer) => answer.end('six'), '::1').catch(() => null)
  if (listener === null) return t.skip('no IPv6 on this machine')
  const { post } = openPost(t, { allowedNetworks: loopback })
  const outcome = await post({ ...empty, url: `http://[::1]:${listener.port}/` })
  assert.partialDeepStrictEqual(outcome, { kind: 'answered', answer: 'six' })
})

test('names of the system resolver are checked like all others', async t => {
  const { port, sockets } = await listenHttp(t, (_, answer) => answer.end('ok'))
  const outcome = await openPost(t).post({ ...empty, url: `http://localhost:${port}/` })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'private_address' })
  assert.equal(sockets.length, 0)
})

test('a name without an address, or that cannot be resolved, is a DNS failure', async t => {
  const unknown = openPost(t, { resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) })
  const nothing = openPost(t, { resolve: async () => [] })
  for (const { post } of [unknown, nothing]) {
    const outcome = await post({ ...empty, url: 'http://hook.example/' })
    assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'dns' })
  }
})

test('a name server that never responds costs at most the deadline', async t => {
  const { post } = openPost(t, { resolve: () => new Promise(() => {}) })
  const outcome = await post({ ...empty, url: 'http://hook.example/', timeoutMs: 50 })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'timeout' })
})

test('a connection that fails for lack of files or memory does not count against the endpoint', async t => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']) {
    const resolve = () => Promise.reject(Object.assign(new Error('there is none left'), { code }))
    const { post } = openPost(t, { allowedNetworks: loopback, resolve })
    const outcome = await post({ ...empty, url: 'https://hook.example/' })
    assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'dns', stalled: true })
    const failure = dialFailure(Object.assign(new Error('connect'), { code }), 'https:')
    assert.deepEqual([failure.reason, isOurs(failure)], ['refused', true])
  }
  const { post } = openPost(t, { allowedNetworks: loopback, resolve: () => Promise.reject(new Error('no such name')) })
  assert.ok(!('stalled' in (await post({ ...empty, url: 'https://hook.example/' }))))
})

test('a lookup that could reach no name server does not count against the endpoint', async t => {
  const { post } = openPost(t, { resolve: createResolve({ nameServers: ['127.0.0.1:1'] }) })
  const outcome = await post({ ...empty, url: 'https://hook.example/' })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'dns', stalled: true })
})

test('a closed port is refused', async t => {
  const { post } = openPost(t, { allowedNetworks: loopback })
  const outcome = await post({ ...empty, url: 'http://127.0.0.1:1/' })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'refused' })
})

const resolve = async () => ['127.0.0.1']

test('a trusted certificate for the name is accepted, with or without a trailing dot', async t => {
  const { port } = await listenHttps(t, (_, answer) => answer.end('safe'))
  const { post } = openPost(t, { allowedNetworks: loopback, resolve, trustedCertificates: CERTIFICATE })
  for (const host of ['localhost', 'localhost.']) {
    const outcome = await post({ ...empty, url: `https://${host}:${port}/` })
    assert.partialDeepStrictEqual(outcome, { kind: 'answered', answer: 'safe' })
  }
})

test('a self-signed certificate is a TLS failure, even if the environment disables verification', async t => {
  const { port } = await listenHttps(t, (_, answer) => answer.end())
  const { post } = openPost(t, { allowedNetworks: loopback, resolve })
  t.mock.method(process, 'emitWarning', () => {})
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  for (const rejectUnauthorized of ['1', '0']) {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = rejectUnauthorized
    const outcome = await post({ ...empty, url: `https://localhost:${port}/` })
    assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'tls' })
  }
})

test('a trusted certificate for another name is a TLS failure, with any Host header', async t => {
  const { port } = await listenHttps(t, (_, answer) => answer.end())
  const { post } = openPost(t, { allowedNetworks: loopback, resolve, trustedCertificates: CERTIFICATE })
  for (const host of ['hook.example', '127.0.0.1']) {
    const outcome = await post({ url: `https://${host}:${port}/`, headers: { host: 'localhost' }, body: '{}' })
    assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'tls' })
  }
})

test('a server without TLS is a TLS failure', async t => {
  const { port } = await listenHttp(t, (_, answer) => answer.end())
  const { post } = openPost(t, { allowedNetworks: loopback, resolve })
  const outcome = await post({ ...empty, url: `https://localhost:${port}/` })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'tls' })
})
