import type { Random } from './random.ts'
import { bytesOf, type FuzzRequest } from './request.ts'
import { STRINGS } from './values.ts'

/** Arbitrary bytes, possibly no HTTP request. */
export function rawRequest(request: FuzzRequest, random: Random): Buffer {
  switch (random.below(5)) {
    case 0:
      return bytesOf({ ...request, method: random.pick(METHODS) })
    case 1:
      return bytesOf({ ...request, target: targetOf(request.target, random) })
    case 2:
      return withLine(bytesOf(request), random.pick(LINES))
    case 3:
      return Buffer.from(`${random.pick(MESSAGES)}${random.pick(['', '\r\n', '\r\n\r\n', '\n\n'])}`, 'latin1')
    default:
      return damaged(bytesOf(request), random)
  }
}

const METHODS = [
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'SEARCH',
  'QUERY',
  'get',
  'FOO',
  'GET\t',
  'G\0ET',
  'PUT',
  '',
]

function targetOf(target: string, random: Random): string {
  const odd = Buffer.from(random.pick(STRINGS)).toString('latin1').slice(0, 20_000)
  return random.pick([
    ...[
      '*',
      '/',
      '//',
      '//healthz',
      '/./healthz',
      '/..',
      '/healthz/../apps',
      '/%',
      '/%00',
      '/%2e%2e/',
      'healthz',
      '?',
      '#',
    ],
    ...['http://another/healthz', 'http://:x@/', 'https://127.0.0.1', '/healthz;a=b', '/healthz?%', '/healthz#?', '/é'],
    ...[`/${odd}`, `${target}${odd}`, `${target}?${odd}`, `${target}/`, `${target}//`, target.toUpperCase()],
    ...[
      `/${'a/'.repeat(4_000)}`,
      `/healthz?${'a&'.repeat(4_000)}`,
      `/${'x'.repeat(20_000)}`,
      `${target}?${'a'.repeat(9_000)}`,
    ],
  ])
}

/** Put among the headers. */
const LINES: readonly string[] = [
  ...[
    'no colon',
    ': no name',
    ' folded: x',
    'Space : x',
    'X: a\r\n b',
    'X: nul \0',
    'X: \x01\x7f',
    'X\0: x',
    'Ünder: x',
  ],
  ...['Content-Length: 5', 'Content-Length: -1', 'Content-Length: 1e3', 'Content-Length: 99999999999999999999'],
  ...[
    'Content-Length: 0, 0',
    'Content-Length:',
    'Content-Length: 99999999',
    'Host: a\r\nHost: b',
    'Host:',
    'Host: \xff',
  ],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked, chunked'],
  ...['Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ...['Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n', 'Transfer-Encoding: chunked\r\n\r\n-1\r\n'],
  ...[`Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  ...['Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Length: 3\r\n__proto__: x\r\n\r\n'],
  ...['Connection: close, upgrade\r\nUpgrade: h2c', 'Connection: keep-alive\r\nConnection: close', 'Connection: \0'],
  ...['Expect: 100-continue\r\nExpect: the-best', `X: ${'x'.repeat(17_000)}`, 'X: y\r\n'.repeat(2_500).trimEnd()],
]

const MESSAGES: readonly string[] = [
  ...[
    '',
    'hello',
    '\0\0\0\0',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM',
    'GET',
    'GET /',
  ],
  ...[
    'GET /healthz',
    'GET /healthz HTTP/1.0',
    'GET /healthz HTTP/0.9',
    'GET /healthz HTTP/2.0',
    'GET /healthz HTTP/1.2',
  ],
  ...[
    'GET /healthz HTTP/1.1\nHost: a',
    'GET  /healthz  HTTP/1.1\r\nHost: a',
    '\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a',
  ],
  ...['GET /healthz HTTP/1.1 \r\nHost: a', 'HTTP/1.1 200 OK', 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: a'],
  ...[
    'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a',
    'EHLO example.com',
    '{"method":"GET"}',
  ],
]

function withLine(bytes: Buffer, line: string): Buffer {
  const at = bytes.indexOf('\r\n') + 2
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(`${line}\r\n`, 'latin1'), bytes.subarray(at)])
}

/** A few other bytes, or some missing. */
function damaged(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes)
  for (let times = 1 + random.below(3); times > 0; times--) copy[random.below(copy.length)] = random.below(256)
  return random.chance(0.2) ? copy.subarray(0, random.below(copy.length)) : copy
}
