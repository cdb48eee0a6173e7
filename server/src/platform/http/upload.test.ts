import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { MULTIPART, multipart, packageOf } from '../../../test/support/upload.ts'
import { answer, route } from './route.ts'
import { testServer } from './server.fixture.ts'

const MAX_BYTES = 3_000_000
const FILE = Buffer.alloc(MAX_BYTES, 'file')

function openServer() {
  const seen: Buffer[] = []
  const upload = route({
    method: 'POST',
    path: '/things',
    name: 'uploadThing',
    operation: 'public',
    summary: '',
    body: Type.Object({ name: Type.String() }),
    upload: { json: 'thing', file: 'package' },
    answers: { 201: Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer()) }) },
    handle: async ({ body, file }) => {
      if (file === undefined) return answer(201, { name: body.name })
      const chunks: Buffer[] = []
      for await (const chunk of file.chunks()) chunks.push(chunk)
      seen.push(...chunks)
      return answer(201, { name: body.name, size: file.size })
    },
  })
  return { seen, ...testServer([upload], { maxFileBytes: MAX_BYTES }) }
}

const thing = { name: 'thing', content: '{"name":"Till"}' }
const post = (payload: Buffer) => ({ method: 'POST', url: '/things', headers: MULTIPART, payload }) as const

test('a file of the maximum size arrives completely, in pieces of 1 MiB', async () => {
  const { app, seen } = openServer()
  const { statusCode, body } = await app.inject(post(multipart([thing, packageOf(FILE)])))
  assert.deepEqual([statusCode, JSON.parse(body)], [201, { name: 'Till', size: MAX_BYTES }])
  assert.ok(Buffer.concat(seen).equals(FILE))
  assert.ok(seen.every(chunk => chunk.length <= 2 ** 20))
})

test('a file one byte larger, and a larger declared body, are 413 and reach no handler', async () => {
  const { app, seen } = openServer()
  for (const more of [Buffer.alloc(1), Buffer.alloc(2 ** 20 + 1)]) {
    const { statusCode, json } = await app.inject(post(multipart([thing, packageOf(Buffer.concat([FILE, more]))])))
    assert.equal(statusCode, 413)
    assert.equal(json().code, 'PAYLOAD_TOO_LARGE')
  }
  assert.deepEqual(seen, [])
})

test('the same route accepts JSON without a file, and 415 names both types', async () => {
  const { app } = openServer()
  const alone = await app.inject({ method: 'POST', url: '/things', payload: { name: 'Till' } })
  assert.deepEqual([alone.statusCode, alone.json()], [201, { name: 'Till' }])
  const headers = { 'content-type': 'text/plain' }
  const wrong = await app.inject({ method: 'POST', url: '/things', headers, payload: 'Till' })
  assert.equal(wrong.statusCode, 415)
  assert.match(wrong.json().developerMessage, /application\/json, or multipart\/form-data/)
})
