import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { parseNetworks } from '../egress/addresses.ts'
import { networksOf } from './limits.ts'
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

test("only the operator's proxies report the address of a caller", async () => {
  assert.equal(await seenBy('', '10.0.0.1', '203.0.113.7'), '10.0.0.1')
  assert.equal(await seenBy('10.0.0.0/8', '10.0.0.1', '203.0.113.7'), '203.0.113.7')
  assert.equal(await seenBy('10.0.0.0/8', '::ffff:10.0.0.1', '203.0.113.7'), '203.0.113.7')
  assert.equal(await seenBy('10.0.0.0/8', '192.0.2.1', '203.0.113.7'), '192.0.2.1')
})

test('an address that the caller adds to the header of the proxies is ignored', async () => {
  assert.equal(await seenBy('10.0.0.0/8', '10.0.0.1', '198.51.100.1, 203.0.113.7, 10.0.0.2'), '203.0.113.7')
  assert.equal(await seenBy('10.0.0.0/8', '10.0.0.1', '10.9.9.9, nonsense, 203.0.113.7'), '203.0.113.7')
})

test('an IPv6 address counts by its /64 and /48, and an IPv4 address by itself', () => {
  assert.deepEqual(networksOf('2001:db8:1:2::1'), ['2001:db8:1:2::/64', '2001:db8:1::/48'])
  assert.deepEqual(networksOf('2001:db8:1:2:ffff::9'), networksOf('2001:db8:1:2::1'))
  assert.deepEqual(networksOf('::ffff:203.0.113.7'), ['203.0.113.7'])
  assert.deepEqual(networksOf('unknown'), ['unknown'])
})
