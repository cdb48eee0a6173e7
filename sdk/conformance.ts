import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { CallCase, Outcome, Reply } from '../scripts/contract/sdk-case-types.ts'

/*
 * The server of the conformance suite (contract/sdk-cases.json, `calls`). Case n has the base URL `<server>/cases/<n>`: the client's requests
 * are answered by script. `POST <server>/outcomes/<n>` with the outcome of the call returns the differences from what the case expects.
 * `GET <server>/private-key` returns the key of the app. As a program, the server prints its address and ends with its standard input.
 */

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LATEST_CLOCK_MS = 60_000
/** Timers may fire a little early. */
const EARLY_MS = 20

interface Seen {
  readonly at: number
  readonly method: string
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export async function openConformance() {
  const { calls } = JSON.parse(readFileSync(new URL('../contract/sdk-cases.json', import.meta.url), 'utf8')) as {
    calls: CallCase[]
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const scripts = calls.map(one => createScript(one, pem))
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const [, kind, index, ...rest] = (request.url ?? '').split('/')
    const script = scripts[Number(index)]
    if (kind === 'private-key') response.end(pem)
    else if (kind === 'outcomes' && script) response.end(JSON.stringify(script.differences(JSON.parse(text))))
    else if (kind === 'cases' && script) {
      send(response, script.reply(seenOf(request, rest.join('/'), text), baseUrlOf(request, `/cases/${index}`)))
    } else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    calls,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function createScript(one: CallCase, pem: string) {
  const requests: Seen[] = []
  const ids = new Set<unknown>()
  const wrong: string[] = []
  let tokenRequests = 0
  let issued = 0

  function token(seen: Seen, baseUrl: string): Reply {
    const scripted = one.tokenReplies?.[tokenRequests]
    tokenRequests++
    const { claims, problems } = readAssertion(seen, baseUrl, pem)
    wrong.push(...problems)
    if (ids.has(claims.jti)) wrong.push('an assertion was used twice')
    // The same assertion may arrive again while its first response is lost.
    if (scripted) return scripted
    ids.add(claims.jti)
    const now = Date.now() + (one.serverSecondsAhead ?? 0) * 1000
    const headers = { date: new Date(now).toUTCString() }
    if (Math.abs(Number(claims.iat) * 1000 - now) > LATEST_CLOCK_MS) {
      return { status: 401, headers, body: { code: 'INVALID_ASSERTION', requestId: 'req-1' } }
    }
    const expiresIn = one.expiresIn ?? 86_400
    const rest = { refreshToken: 'r', scope: 'ALL', tokenType: 'BEARER' }
    return { headers, body: { accessToken: `t${++issued}`, expiresIn, ...rest } }
  }

  return {
    reply(seen: Seen, baseUrl: string): Reply {
      if (seen.path.join() === 'token') return token(seen, baseUrl)
      requests.push(seen)
      const reply = one.replies[requests.length - 1]
      if (!reply) wrong.push(`request ${requests.length} is one too many`)
      return reply ?? { status: 418 }
    },
    differences(outcome: Outcome): string[] {
      const { expect } = one
      const differ = (name: string, is: unknown, should: unknown) => {
        if (!isDeepStrictEqual(is, should))
          wrong.push(`${name}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`)
      }
      differ('outcome', outcome, expect.outcome)
      differ('requests', requests.map(summary), expect.requests)
      differ('requests for tokens', tokenRequests, expect.tokenRequests ?? (one.as === 'app' ? 1 : 0))
      const keys = [...new Set(requests.map(({ headers }) => headers['idempotency-key']))]
      const [key] = keys
      const isKeyed =
        expect.idempotencyKey === 'generated' ? /^[\w-]{16,}$/.test(String(key)) : key === expect.idempotencyKey
      if (requests.length > 0 && (keys.length !== 1 || !isKeyed))
        wrong.push(`idempotency keys: ${JSON.stringify(keys)}`)
      const [first, second] = requests
      const paused = first && second ? second.at - first.at : 0
      if (paused < (expect.pauseSeconds ?? 0) * 1000 - EARLY_MS) wrong.push(`the pause was ${paused} ms`)
      for (const { headers, text } of requests) {
        if (headers['api-version'] !== '1.2') wrong.push('api-version is missing')
        if (text !== '' && !headers['content-type']?.startsWith('application/json')) wrong.push('content-type is wrong')
      }
      return wrong
    },
  }
}

function summary({ method, path, query, headers, text }: Seen) {
  const token = headers.authorization?.replace(/^Bearer /, '')
  return {
    method,
    path,
    token,
    ...(Object.keys(query).length > 0 && { query }),
    ...(text !== '' && { body: JSON.parse(text) }),
  }
}

function readAssertion({ text, headers, method }: Seen, baseUrl: string, pem: string) {
  const form = new URLSearchParams(text)
  const [head = '', body = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString() || '{}') as Record<string, unknown>
  const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString() || '{}')
  const verify = createVerify('sha256').update(`${head}.${body}`)
  const isGenuine = verify.verify(createPublicKey(pem), signature, 'base64url')
  const life = Number(claims.exp) - Number(claims.iat)
  const checks: [boolean, string][] = [
    [method === 'POST', 'a token is requested by POST'],
    [
      headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false,
      'the request for a token is no form',
    ],
    [headers.authorization === undefined, 'the request for a token carries a token'],
    [form.get('grantType') === GRANT_TYPE, 'the grant type is wrong'],
    [isGenuine, 'the signature of the assertion is wrong'],
    [alg === 'RS256' && kid === 'k1', 'alg or kid is wrong'],
    [claims.iss === claims.sub && String(claims.iss).startsWith('urn:aid:'), 'iss or sub is wrong'],
    [claims.aud === baseUrl, `aud is ${claims.aud} instead of ${baseUrl}`],
    [life > 0 && life <= 300, `the assertion lives ${life} s`],
    [typeof claims.jti === 'string', 'jti is missing'],
  ]
  return { claims, problems: checks.flatMap(([ok, problem]) => (ok ? [] : [problem])) }
}

function seenOf(request: IncomingMessage, rest: string, text: string): Seen {
  const [path = '', query = ''] = rest.split('?')
  return {
    at: performance.now(),
    method: request.method ?? '',
    path: path.split('/').map(decodeURIComponent),
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: request.headers,
    text,
  }
}

function baseUrlOf(request: IncomingMessage, path: string): string {
  return `http://${request.headers.host}${path}`
}

function send(response: ServerResponse, { status = 200, headers = {}, body, hangUp }: Reply): void {
  if (hangUp) response.destroy()
  else if (body === undefined) response.writeHead(status, headers).end()
  else response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

if (import.meta.main) {
  const { url, close } = await openConformance()
  process.stdout.write(`${url}\n`)
  process.stdin.resume().on('end', close)
}
