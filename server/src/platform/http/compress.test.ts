import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { createCsrf } from './page-server.ts'
import { answer, route } from './route.ts'
import { testServer } from './server.fixture.ts'

const textOf = (length: number) => 'a'.repeat(length - '{"text":""}'.length)
const sized = route({
  method: 'GET',
  path: '/sized/:length',
  name: 'getSized',
  operation: 'public',
  summary: 'A body of so many bytes',
  params: Type.Object({ length: Type.String() }),
  answers: { 200: Type.Object({ text: Type.String() }) },
  handle: async ({ params }) => answer(200, { text: textOf(Number(params.length)) }),
})

const invoice = route({
  method: 'GET',
  path: '/invoice',
  name: 'getInvoice',
  operation: 'public',
  summary: 'An e-invoice',
  contentType: 'application/xml',
  answers: { 200: Type.String() },
  handle: async () => ({ status: 200, text: { type: 'application/xml', content: textOf(5_000) } }),
})

const { app } = testServer([sized, invoice])
const get = (length: number, accepted?: string) =>
  app.inject({ url: `/sized/${length}`, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

test('an answer above 1 KiB is compressed for a client that accepts it, and has the same body', async () => {
  const plain = JSON.stringify({ text: textOf(5_000) })
  const [br, gzip] = [await get(5_000, 'gzip, deflate, br'), await get(5_000, 'gzip')]
  assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'])
  assert.equal(brotliDecompressSync(br.rawPayload).toString(), plain)
  assert.equal(gunzipSync(gzip.rawPayload).toString(), plain)
  assert.equal(Number(br.headers['content-length']), br.rawPayload.length)
  assert.ok(br.rawPayload.length < 500)
  assert.equal(br.headers.vary, 'accept-encoding')
  const xml = await app.inject({ url: '/invoice', headers: { 'accept-encoding': 'gzip' } })
  assert.equal(xml.headers['content-encoding'], 'gzip')
})

test('an answer of 1 KiB, and an answer to a client that accepts no compression, is sent as it is', async () => {
  for (const [length, accepted] of [
    [1_024, 'br'],
    [5_000, undefined],
    [5_000, 'identity'],
    [5_000, 'br;q=0, gzip; q=0.0'],
  ] as const) {
    const { headers, body } = await get(length, accepted)
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(body.length, length)
  }
  assert.equal((await get(5_000, 'br;q=0, gzip;q=0.5')).headers['content-encoding'], 'gzip')
})

test('no two responses have the same form token, and each token is accepted only in its own session', () => {
  const csrf = createCsrf(Buffer.alloc(32, 1))
  const [ann, bob] = [{ sessionId: 'ann' }, { sessionId: 'bob' }]
  const [first, second] = [csrf.tokenOf(ann), csrf.tokenOf(ann)]
  assert.notEqual(first.slice(0, 16), second.slice(0, 16))
  assert.notEqual(first.slice(16), second.slice(16))
  assert.ok(csrf.isToken(first, ann) && csrf.isToken(second, ann))
  for (const wrong of [first.slice(0, 16) + second.slice(16), first.slice(16), '', undefined])
    assert.equal(csrf.isToken(wrong, ann), false)
  assert.equal(csrf.isToken(first, bob), false)
  assert.equal(csrf.isToken(first, { cookie: 'ann' }), false)
})
