import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNetworks } from './addresses.ts'
import { rejectDeliveryUrl } from './check-url.ts'

const strict = { allowedNetworks: [], requireHttps: false }
const loopback = { allowedNetworks: parseNetworks('127.0.0.0/8 ::1/128'), requireHttps: false }

const fine = [
  'https://example.com/hooks?a=b',
  'http://example.com',
  'HTTPS://EXAMPLE.COM:8443/',
  'https://example.com/hook#part',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
  'https://notlocalhost/',
  `https://example.com/${'a'.repeat(2_028)}`,
]

for (const url of fine) {
  test(`a delivery URL is accepted: ${url.slice(0, 60)}`, () => {
    assert.equal(rejectDeliveryUrl(url, strict), null)
  })
}

const rejected: [string, RegExp][] = [
  ['', /absolute/],
  ['example.com/hook', /absolute/],
  ['/hook', /absolute/],
  ['ftp://example.com/', /absolute/],
  ['javascript:alert(1)', /absolute/],
  ['file:///etc/passwd', /absolute/],
  ['https:example.com', /absolute/],
  ['https:\\\\example.com', /absolute/],
  ['https://example.com\\@10.0.0.1/', /absolute/],
  [' https://example.com', /absolute/],
  ['https://exam\nple.com', /absolute/],
  ['https://', /absolute/],
  ['https:///example.com', /absolute/],
  ['https://example.com:0/', /port 0/],
  ['https://example.com:99999/', /absolute/],
  ['https://1.2.3.4.5/', /absolute/],
  ['https://user@example.com/', /user name/],
  ['https://:secret@example.com/', /password/],
  [`https://example.com/${'a'.repeat(2_029)}`, /2048/],
  ['http://127.0.0.1/', /not public/],
  ['http://2130706433/', /not public/],
  ['http://0x7f000001/', /not public/],
  ['http://0177.0.0.1/', /not public/],
  ['http://127.1/', /not public/],
  ['http://127.0.0.1./', /not public/],
  ['http://①②⑦.0.0.1/', /not public/],
  ['http://%31%32%37.0.0.1/', /not public/],
  ['http://169.254.169.254/latest/meta-data', /not public/],
  ['http://[::1]/', /not public/],
  ['http://[::ffff:10.0.0.1]/', /not public/],
  ['http://[64:ff9b::a00:1]/', /not public/],
  ['http://[2002:a00:1::]/', /not public/],
  ['http://localhost/', /localhost/],
  ['http://LOCALHOST:8080/', /localhost/],
  ['http://localhost./', /localhost/],
  ['http://hooks.localhost/', /localhost/],
]

for (const [url, problem] of rejected) {
  test(`a delivery URL is rejected: ${JSON.stringify(url.slice(0, 60))}`, () => {
    assert.match(rejectDeliveryUrl(url, strict) ?? 'taken', problem)
  })
}

test('an allowed network allows its addresses, and loopback allows localhost', () => {
  for (const url of ['http://127.0.0.1:1/', 'http://[::1]:1/', 'http://localhost:1/', 'http://0x7f.1/']) {
    assert.equal(rejectDeliveryUrl(url, loopback), null, url)
  }
  assert.match(rejectDeliveryUrl('http://10.0.0.1/', loopback) ?? 'taken', /not public/)
  assert.match(
    rejectDeliveryUrl('http://localhost/', { ...strict, allowedNetworks: parseNetworks('10.0.0.0/8') }) ?? 'taken',
    /localhost/,
  )
})

test('plain http is rejected where https is required', () => {
  assert.equal(rejectDeliveryUrl('https://example.com/', { ...strict, requireHttps: true }), null)
  assert.match(rejectDeliveryUrl('http://example.com/', { ...strict, requireHttps: true }) ?? 'taken', /https/)
})
