import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { parseNetworks } from '../egress/addresses.ts'
import { networkOf } from './caller-address.ts'
import { answer, route } from './route.ts'
import { testServer } from './server.fixture.ts'

const where = route({
  method: 'GET',
  path: '/where',
  name: 'where',
  operation: 'public',
  summary: 'Where the caller is',
  answers: { 200: Type.Object({ address: Type.String() }) },
  handle: async ({ address }) => answer(200, { address }),
})

async function seenBy(trusted: string, remoteAddress: string, forwarded: string): Promise<string> {
  const { app } = testServer([where], { trustedProxies: parseNetworks(trusted) })
  const headers = { 'x-forwarded-for': forwarded }
  const { body } = await app.inject({ method: 'GET', url: '/where', remoteAddress, headers })
  return JSON.parse(body).address
}

test('a proxy of the operator says where a request came from; nobody else does', async () => {
  assert.equal(await seenBy('', '10.0.0.1', '203.0.113.7'), '10.0.0.1')
  assert.equal(await seenBy('10.0.0.0/8', '10.0.0.1', '203.0.113.7'), '203.0.113.7')
  assert.equal(await seenBy('10.0.0.0/8', '::ffff:10.0.0.1', '203.0.113.7'), '203.0.113.7')
  assert.equal(await seenBy('10.0.0.0/8', '192.0.2.1', '203.0.113.7'), '192.0.2.1')
})

test('what a caller adds in front of what the proxies say is not believed', async () => {
  assert.equal(await seenBy('10.0.0.0/8', '10.0.0.1', '198.51.100.1, 203.0.113.7, 10.0.0.2'), '203.0.113.7')
  assert.equal(await seenBy('10.0.0.0/8', '10.0.0.1', '10.9.9.9, nonsense, 203.0.113.7'), '203.0.113.7')
})

test('one network of IPv6 is counted as one caller, and addresses of IPv4 are each their own', () => {
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff::9'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7')
  assert.notEqual(networkOf('203.0.113.7'), networkOf('203.0.113.8'))
})
