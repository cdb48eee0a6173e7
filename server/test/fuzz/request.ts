import { gzipSync } from 'node:zlib'
import { fieldsOf } from '../matrix/samples.ts'
import type { Described } from './document.ts'
import { jsonBytes } from './json-text.ts'
import { mutate } from './mutate.ts'
import type { Random } from './random.ts'
import { NUMBERS, Raw, STRINGS } from './values.ts'

/** A request and its operation in the document. */
export interface FuzzRequest {
  /** Absent: the request belongs to no operation. */
  readonly operation?: Described
  readonly method: string
  /** The target of the request line, one letter per byte. */
  readonly target: string
  /** One letter a byte. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Buffer
}

export interface Known {
  /** Existing ids by the names of paths, queries and bodies. */
  readonly ids: Readonly<Record<string, string>>
  /** Null: none. */
  readonly bearer: string | null
  readonly requestId: string
}

/** A valid request with usually one defect, so that the remaining parts are processed. */
export function requestTo(operation: Described, known: Known, random: Random): FuzzRequest {
  const wrong = random.pick([...Array(7).fill('body'), 'query', 'query', 'query', 'path', 'headers', 'nothing', 'all'])
  const isWrong = (part: string) => part === wrong || wrong === 'all'
  const body = bodyOf(operation, known, random, isWrong('body'))
  const headers = headersOf(operation, known, body !== undefined)
  return {
    operation,
    method: operation.method,
    target: pathOf(operation, known, random, isWrong('path')) + queryOf(operation, known, random, isWrong('query')),
    headers: isWrong('headers') ? oddHeaders(headers, random) : headers,
    ...(body && { body }),
  }
}

function pathOf({ path, parameters }: Described, { ids }: Known, random: Random, isWrong: boolean): string {
  const names = parameters.filter(one => one.in === 'path').map(one => one.name)
  const odd = isWrong && names.length > 0 ? random.pick(names) : undefined
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    // Without any, the address would be another operation's.
    name === odd
      ? anyEncoded(random) || '%20'
      : percentEncoded(String((name === 'packageName' ? ids.package : ids[name]) ?? 'x')),
  )
  return isWrong && random.chance(0.05) ? `${filled}/` : filled
}

function queryOf({ parameters }: Described, { ids }: Known, random: Random, isWrong: boolean): string {
  const asked = parameters.filter(one => one.in === 'query')
  const properties = Object.fromEntries(asked.map(one => [one.name, one.schema]))
  const sample = Object.entries(fieldsOf({ properties }, ids)).filter(
    ([name]) => asked.some(one => one.name === name && one.required) || random.chance(0.4),
  )
  const pairs = sample.map(([name, value]) => `${name}=${percentEncoded(String(value))}`)
  if (isWrong) {
    const name = asked.length > 0 ? random.pick(asked).name : 'x'
    const odd = `${name}=${anyEncoded(random)}`
    pairs.push(random.pick([odd, odd, odd, `${name}[]=1`, name, '&&', `=${anyEncoded(random)}`, `${odd}&${odd}`]))
    if (random.chance(0.5) && pairs.length > 1) pairs.splice(random.below(pairs.length - 1), 1)
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function bodyOf({ body }: Described, { ids }: Known, random: Random, isWrong: boolean): Buffer | undefined {
  if (body === undefined) return isWrong && random.chance(0.3) ? jsonBytes(random.pick(NUMBERS), random) : undefined
  const sample = fieldsOf(body.schema, ids)
  const required = new Set(body.schema.required)
  const kept = Object.entries(sample).filter(([name]) => required.has(name) || random.chance(0.7))
  const plain = Object.fromEntries(kept)
  if (body.type === 'application/x-www-form-urlencoded') return Buffer.from(formOf(plain, random, isWrong), 'latin1')
  return isWrong ? jsonBytes(mutate(plain, body.schema, random), random) : Buffer.from(JSON.stringify(plain))
}

function formOf(fields: Readonly<Record<string, unknown>>, random: Random, isWrong: boolean): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${percentEncoded(String(value))}`)
  if (isWrong) {
    const name = random.pick([...Object.keys(fields), '', '__proto__', 'x'])
    pairs.splice(random.below(pairs.length + 1), random.pick([0, 1, 1]), `${name}=${anyEncoded(random)}`)
  }
  return pairs.join('&')
}

function headersOf({ body, path }: Described, { bearer, requestId, ids }: Known, hasBody: boolean): [string, string][] {
  const { userSession } = path.startsWith('/terminal/') ? ids : {}
  return [
    ...(userSession === undefined ? [] : [['Service-User-Session', userSession] as [string, string]]),
    ...(bearer === null ? [] : [['Authorization', `BEARER ${bearer}`] as [string, string]]),
    ['Service-Request-Id', requestId],
    ...(hasBody ? [['Content-Type', body?.type ?? 'application/json'] as [string, string]] : []),
  ]
}

/** Headers that do not affect message framing; raw-requests.ts makes those that do. */
function oddHeaders(headers: [string, string][], random: Random): [string, string][] {
  const text = () =>
    random
      .pick(STRINGS)
      .slice(0, 3_000)
      .replace(/[\0\r\n]/g, '')
  const value = Buffer.from(random.chance(0.5) ? text() : `\xff\xfe${text()}`, 'utf8').toString('latin1')
  const [name, ...others] = random.pick([
    ['Service-Request-Id', value],
    ['Service-Request-Id', 'one', 'two'],
    ['Idempotency-Key', value],
    ['Idempotency-Key', ''],
    ['Idempotency-Key', 'one', 'two'],
    ['Authorization', value],
    ['Authorization', `Bearer ${value}`],
    ['Authorization', 'Bearer', 'Basic dTpw'],
    ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'Bearer x'],
    ['Content-Type', value],
    ['Content-Type', 'application/json; charset=utf-16'],
    ['Content-Type', 'application/json;', 'text/plain'],
    ['Content-Type', 'application/problem+json; a="b\\"; c'],
    ['Content-Type', 'multipart/form-data; boundary=x'],
    ['Content-Encoding', 'gzip'],
    ['Content-Encoding', value],
    ['Accept', 'text/html;q=x', value],
    ['api-version', value],
    ['Expect', '100-continue'],
    ['Upgrade', 'websocket'],
    ['Range', 'bytes=0-1,-'],
    ['If-None-Match', '*'],
    ['Cookie', value],
    ['Forwarded', value],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['__proto__', 'x'],
    ['constructor', value],
    ['Host', 'another'],
  ]) as [string, ...string[]]
  const rest = headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase())
  return [...rest, ...others.map((one): [string, string] => [name, one])]
}

/** Encodes every byte that is not plain. */
function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map(byte => (/[\w.:~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte)))
    .join('')
}

const ODD_CODES = ['%', '%zz', '%0', '%00', '%c0%af', '%ED%A0%80', '%FF', '%2F', '%2e%2e', '%25', '+', '%2B', ';', '=']

function anyEncoded(random: Random): string {
  if (random.chance(0.3)) return random.pick([...ODD_CODES, '\xff\xfe', '"', '<>', '|', '^', '`', "'", '*', '..', '.'])
  if (random.chance(0.3)) {
    const number = random.pick(NUMBERS)
    return percentEncoded(number instanceof Raw ? number.text : String(number))
  }
  return percentEncoded(random.pick(STRINGS).slice(0, random.chance(0.05) ? 15_000 : 2_000))
}

const hex = (byte: number) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`

/** The bytes on the wire. */
export function bytesOf({ method, target, headers, body }: FuzzRequest): Buffer {
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host')
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(hasHost ? [] : ['Host: 127.0.0.1']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** Longer bodies are mostly one repeated letter. */
const MOST_WRITTEN_OUT = 2_000

/** A command that repeats the request. Another world may have other ids. */
export function curlOf({ method, target, headers, body }: FuzzRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const parts = [`curl -i -g --path-as-is -X ${method} ${quoted(`http://127.0.0.1:8080${target}`)}`]
  for (const [name, value] of headers) parts.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  if (body === undefined) return parts.join(' ')
  const isLong = body.length > MOST_WRITTEN_OUT
  const bytes = (isLong ? gzipSync(body) : body).toString('base64')
  return `echo ${bytes} | base64 -d ${isLong ? '| gunzip ' : ''}| ${parts.join(' ')} --data-binary @-`
}
