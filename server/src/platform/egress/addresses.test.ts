import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress, mayDial, parseNetworks } from './addresses.ts'

const notPublic = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'link local, and the metadata of clouds': ['169.254.169.254', 'fe80::1', 'fe80::1%lo', 'fec0::1'],
  "the platform of Azure's machines": ['168.63.129.16'],
  'protocols and 6to4 relays': ['192.0.0.1', '192.88.99.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255'],
  unspecified: ['::'],
  'unique local, and the metadata of clouds': ['fc00::1', 'fd00:ec2::254'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:a00:1'],
  'IPv4-compatible and translated': ['::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::7f00:1'],
  '6to4': ['2002:7f00:1::', '2002:808:808::1'],
  ISATAP: ['2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:7f00:1', '2a00:1450:4001:0:0:5efe:808:808'],
  Teredo: ['2001::1', '2001:0:7f00:1::'],
  'discard, ORCHID and segment routing': ['100::1', '2001:20::1', '5f00::1'],
  'not assigned': ['4000::1', '1::1', '8000::1', 'e000::1'],
  'no address in its plain spelling': ['', 'localhost', '127.1', '0x7f.1', '2130706433', '010.0.0.1', '8.8.8', '[::1]'],
}

for (const [kind, addresses] of Object.entries(notPublic)) {
  test(`${kind}: not a public address`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address)
  })
}

test('public unicast addresses are public', () => {
  const addresses = ['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '198.20.0.1', '223.255.255.255']
  for (const address of [
    ...addresses,
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2606:4700::5efe',
    '168.63.129.17',
  ]) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('an allowed network allows no other non-public address', () => {
  const networks = parseNetworks('127.0.0.0/8, 10.1.2.3/16 ::1/128\nfd00::/8,192.168.7.7')
  for (const address of ['127.9.9.9', '10.1.255.255', '::1', 'fd12::1', '192.168.7.7', '8.8.8.8']) {
    assert.equal(mayDial(address, networks), true, address)
  }
  for (const address of ['10.2.0.1', '::2', 'fc00::1', '192.168.7.8', '::ffff:127.0.0.1', '::127.0.0.1', '127.1', '']) {
    assert.equal(mayDial(address, networks), false, address)
  }
})

test('an IPv4 network of all addresses allows no IPv6 address, and vice versa', () => {
  assert.equal(mayDial('::1', parseNetworks('0.0.0.0/0')), false)
  assert.equal(mayDial('::ffff:127.0.0.1', parseNetworks('0.0.0.0/0')), false)
  assert.equal(mayDial('127.0.0.1', parseNetworks('::/0')), false)
})

test('an empty text allows no network', () => {
  assert.deepEqual(parseNetworks(' '), [])
})

for (const text of [
  '10.0.0.0/33',
  '10.0.0/8',
  '::1/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  'localhost',
  '1/8',
]) {
  test(`a malformed network is rejected, and the error names it: ${text}`, () => {
    assert.throws(() => parseNetworks(`127.0.0.0/8,${text}`), { message: new RegExp(`^"${text}" is not a network`) })
  })
}
