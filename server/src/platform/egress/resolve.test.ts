import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { listenHttp, openPost } from '../../../test/support/egress/listeners.ts'
import { type Answer, openNameServer } from '../../../test/support/egress/name-server.ts'
import { parseNetworks } from './addresses.ts'
import { createResolve } from './resolve.ts'

const SIX = '2606:4700:4700:0:0:0:0:1111'

/** The resolver of this server, with a name server and system files of the test. */
async function open(
  t: TestContext,
  answerOf: (name: string, type: string) => Answer,
  { hosts = '', resolv = '' } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [hostsFile, resolvFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  writeFileSync(hostsFile, hosts)
  writeFileSync(resolvFile, resolv)
  const { address, asked } = await openNameServer(t, answerOf)
  const files = { hostsFile, resolvFile }
  return { resolve: createResolve({ ...files, nameServers: [address] }), asked, ...files }
}

const of = (names: Record<string, Answer>) => (name: string, type: string) => names[`${name} ${type}`] ?? 'unknown'

test('names whose name servers never respond do not delay other names', async t => {
  const { port } = await listenHttp(t, (_, answer) => answer.end('ok'))
  const answerOf = (name: string, type: string) =>
    name !== 'alive.test' ? 'silent' : type === 'A' ? ['127.0.0.1'] : []
  const { resolve, asked } = await open(t, answerOf)
  const { post } = openPost(t, { allowedNetworks: parseNetworks('127.0.0.0/8'), resolve })
  const request = (name: string) =>
    post({ url: `http://${name}.test:${port}/`, headers: {}, body: '{}', timeoutMs: 20_000 })
  const dead = Array.from({ length: 100 }, (_, n) => request(`dead${n}`))
  assert.partialDeepStrictEqual(await request('alive'), { kind: 'answered', answer: 'ok' })
  for (const outcome of await Promise.all(dead)) {
    assert.ok(outcome.kind === 'failed' && ['dns', 'timeout'].includes(outcome.reason))
  }
  assert.equal(new Set(asked.filter(question => question.endsWith(' A'))).size, 101)
})

test('a name that a name server resolves to another address the second time is checked again before the second connection', async t => {
  const { port, sockets } = await listenHttp(t, (_, answer) => answer.setHeader('connection', 'close').end('ok'))
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const { resolve } = await open(t, (_name, type) => (type === 'A' ? (answers.shift() ?? []) : []))
  const { post } = openPost(t, { allowedNetworks: parseNetworks('127.0.0.0/8'), resolve })
  const request = { url: `http://hook.test:${port}/`, headers: {}, body: '{}' }
  assert.partialDeepStrictEqual(await post(request), { kind: 'answered', answer: 'ok' })
  assert.partialDeepStrictEqual(await post(request), { kind: 'failed', reason: 'private_address' })
  assert.equal(sockets.length, 1)
})

test('all addresses of both families are found and used', async t => {
  const { resolve } = await open(t, of({ 'hook.test A': ['8.8.8.8', '8.8.4.4'], 'hook.test AAAA': [SIX] }))
  assert.deepEqual(await resolve('hook.test'), ['8.8.8.8', '8.8.4.4', '2606:4700:4700::1111'])
  const { resolve: mixed } = await open(t, of({ 'hook.test A': ['8.8.8.8'], 'hook.test AAAA': ['0:0:0:0:0:0:0:1'] }))
  const outcome = await openPost(t, { resolve: mixed }).post({ url: 'http://hook.test/', headers: {}, body: '' })
  assert.partialDeepStrictEqual(outcome, { kind: 'failed', reason: 'private_address' })
})

test('if one family gets no response, the other is used, and if both get none, the lookup fails', async t => {
  const { resolve } = await open(t, (name, type) => (name === 'four.test' && type === 'A' ? ['8.8.8.8'] : 'silent'))
  assert.deepEqual(await resolve('four.test'), ['8.8.8.8'])
  await assert.rejects(resolve('none.test'), { code: 'ETIMEOUT' })
})

/** Three name servers. c-ares would ask each three times: 9 questions per family, longer than the 2 s of an attempt. */
async function openThree(t: TestContext, answerOf: (name: string, type: string) => Answer | Promise<Answer>) {
  const servers = await Promise.all([1, 2, 3].map(() => openNameServer(t, answerOf)))
  const resolve = createResolve({ nameServers: servers.map(({ address }) => address) })
  const countAsked = () => servers.reduce((sum, { asked }) => sum + asked.length, 0)
  return { resolve, countAsked }
}

test('a known family does not wait for the other, with any number of silent name servers', async t => {
  for (const [known, address] of [['A', '8.8.8.8'] as const, ['AAAA', SIX] as const]) {
    const { resolve, countAsked } = await openThree(t, (_, type) => (type === known ? [address] : 'silent'))
    assert.equal((await resolve('hook.test')).length, 1)
    assert.ok(countAsked() < 10, `${countAsked()} questions`)
  }
})

test('a lookup without any response ends before all name servers were asked three times', async t => {
  const { resolve, countAsked } = await openThree(t, () => 'silent')
  await assert.rejects(resolve('hook.test'), { code: 'ETIMEOUT' })
  assert.ok(countAsked() < 18, `${countAsked()} questions`)
})

test('a late family is not used', async t => {
  const { port } = await listenHttp(t, (_, answer) => answer.end('ok'))
  const late = Promise.withResolvers<Answer>()
  const { resolve } = await openThree(t, (_, type) => (type === 'A' ? ['127.0.0.1'] : late.promise))
  const found = await resolve('hook.test')
  late.resolve(['0:0:0:0:0:0:0:1'])
  const { post } = openPost(t, { allowedNetworks: parseNetworks('127.0.0.0/8'), resolve: async () => found })
  const request = { url: `http://hook.test:${port}/`, headers: {}, body: '{}' }
  assert.partialDeepStrictEqual(await post(request), { kind: 'answered', answer: 'ok' })
  assert.deepEqual(found, ['127.0.0.1'])
})

test('an unknown name, and a name without records, has no address', async t => {
  const { resolve } = await open(t, of({ 'empty.test A': [], 'empty.test AAAA': [] }))
  assert.deepEqual(await resolve('nobody.test'), [])
  assert.deepEqual(await resolve('empty.test'), [])
})

test('the hosts file wins over DNS, and its changes are read', async t => {
  const hosts = '# a comment\n10.1.1.1\tHook.test hook # 10.9.9.9 hook\n2001:db8::1 hook.test\nno-address hook.test\n'
  const { resolve, asked, hostsFile } = await open(t, () => 'unknown', { hosts })
  assert.deepEqual(await resolve('hook.test'), ['10.1.1.1', '2001:db8::1'])
  assert.deepEqual(await resolve('HOOK.test.'), ['10.1.1.1', '2001:db8::1'])
  assert.deepEqual(await resolve('hook'), ['10.1.1.1'])
  assert.deepEqual(asked, [])
  writeFileSync(hostsFile, '10.1.1.22 hook.test\n')
  assert.deepEqual(await resolve('hook.test'), ['10.1.1.22'])
  rmSync(hostsFile)
  assert.deepEqual(await resolve('hook.test'), [])
  assert.deepEqual([...asked].sort(), ['hook.test A', 'hook.test AAAA'])
})

test('localhost and its subdomains are loopback without a lookup', async t => {
  const { resolve, asked } = await open(t, () => ['8.8.8.8'])
  for (const name of ['localhost', 'localhost.', 'hook.localhost']) {
    assert.deepEqual(await resolve(name), ['127.0.0.1', '::1'])
  }
  assert.deepEqual(asked, [])
})

test('search domains come first for names with few dots, otherwise last, and never for names with a trailing dot', async t => {
  const resolv = 'nameserver 127.0.0.1\ndomain ignored.test\nsearch one.test two.test.\noptions edns0 ndots:2\n'
  const answerOf = of({
    'hook.ns.two.test A': ['10.1.1.1'],
    'a.b.hook A': ['10.2.2.2'],
    'a.b.c.one.test A': ['10.3.3.3'],
  })
  const { resolve, asked, resolvFile } = await open(t, answerOf, { resolv })
  const four = async (name: string) => {
    asked.length = 0
    const found = await resolve(name)
    return [found, asked.flatMap(question => (question.endsWith(' A') ? [question.slice(0, -2)] : []))]
  }
  assert.deepEqual(await four('hook.ns'), [['10.1.1.1'], ['hook.ns.one.test', 'hook.ns.two.test']])
  assert.deepEqual(await four('a.b.hook'), [['10.2.2.2'], ['a.b.hook']])
  assert.deepEqual(await four('a.b.c'), [['10.3.3.3'], ['a.b.c', 'a.b.c.one.test']])
  assert.deepEqual(await four('hook.ns.'), [[], ['hook.ns']])
  writeFileSync(resolvFile, 'nameserver 127.0.0.1\n')
  assert.deepEqual(await four('hook.ns'), [[], ['hook.ns']])
})

test('an unavailable name server is skipped', async t => {
  const { address } = await openNameServer(t, () => 'silent')
  const second = await openNameServer(t, of({ 'hook.test A': ['8.8.8.8'] }))
  const resolve = createResolve({ nameServers: [address, second.address] })
  assert.deepEqual(await resolve('hook.test'), ['8.8.8.8'])
})

test('a resolver that was created without file descriptors is replaced, because it knows no name server', async t => {
  const { resolve } = await open(t, () => 'unknown')
  const asked: Resolver[] = []
  t.mock.method(Resolver.prototype, 'resolve4', async function (this: Resolver) {
    asked.push(this)
    if (asked.length === 1) throw Object.assign(new Error('queryA'), { code: 'ECONNREFUSED' })
    return ['8.8.8.8']
  })
  await assert.rejects(resolve('hook.test'), { code: 'ECONNREFUSED' })
  for (let n = 0; n < 2; n++) assert.deepEqual(await resolve('hook.test'), ['8.8.8.8'])
  assert.notEqual(asked[0], asked[1])
  assert.equal(asked[1], asked[2])
})
