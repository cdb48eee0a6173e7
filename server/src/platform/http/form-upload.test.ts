import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MULTIPART, multipart, type Part } from '../../../test/support/upload.ts'
import { OTHER_SHOP, pageServer, SHOP, samplePages } from './page.fixture.ts'

const ANN = { cookie: 'tillhook=ses-of-ann' }
const MAX_BYTES = 2_000_000

function opened() {
  const seen: unknown[] = []
  const { app } = pageServer(samplePages(seen), undefined, { maxFileBytes: MAX_BYTES })
  const csrf = async () => {
    const { body } = await app.inject({ url: `/shops/${SHOP}`, headers: ANN })
    return { name: 'csrf', content: /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? assert.fail(body) }
  }
  const send = (parts: readonly Part[], { headers = ANN, shop = SHOP }: { headers?: object; shop?: string } = {}) =>
    app.inject({
      ...{ method: 'POST', url: `/shops/${shop}/logo`, payload: multipart(parts) },
      headers: { ...MULTIPART, ...headers },
    })
  return { seen, csrf, send }
}

const TITLE = { name: 'title', content: 'Café & كافيه <b>' }
const logoOf = (content: string | Buffer): Part => ({ name: 'logo', content, filename: 'logo.png', type: 'image/png' })

test('a multipart form has its fields and its file', async () => {
  const { seen, csrf, send } = opened()
  const answer = await send([await csrf(), TITLE, logoOf('PNG')])
  assert.equal(answer.statusCode, 303)
  assert.deepEqual(seen, [{ title: TITLE.content, size: 3, first: 'PN' }])
})

test('a form without a chosen file has no file', async () => {
  const { seen, csrf, send } = opened()
  const none = { name: 'logo', content: '', filename: '', type: 'application/octet-stream' }
  for (const parts of [[none], []]) {
    assert.equal((await send([await csrf(), TITLE, ...parts])).statusCode, 303)
  }
  assert.deepEqual(seen, [{ title: TITLE.content }, { title: TITLE.content }])
})

test('a file is not received without the form token, a session and the right', async () => {
  const { seen, csrf, send } = opened()
  const token = await csrf()
  assert.equal((await send([TITLE, logoOf('PNG')])).statusCode, 403)
  assert.equal((await send([TITLE, logoOf('PNG'), token])).statusCode, 403, 'fields come before the file')
  const nobody = await send([token, TITLE, logoOf('PNG')], { headers: {} })
  assert.match(String(nobody.headers.location), /^\/sign-in\?next=/)
  assert.equal((await send([token, TITLE, logoOf('PNG')], { shop: OTHER_SHOP })).statusCode, 403)
  const foreign = { headers: { ...ANN, origin: 'https://evil.example' } }
  assert.equal((await send([token, TITLE, logoOf('PNG')], foreign)).statusCode, 403)
  assert.deepEqual(seen, [])
})

test('a too large file, wrong fields and a broken form are rejected', async () => {
  const { seen, csrf, send } = opened()
  const token = await csrf()
  assert.equal((await send([token, TITLE, logoOf(Buffer.alloc(MAX_BYTES + 1))])).statusCode, 413)
  assert.equal((await send([token, { ...TITLE, content: 'x'.repeat(21) }, logoOf('PNG')])).statusCode, 400)
  assert.equal((await send([token, TITLE, TITLE, logoOf('PNG')])).statusCode, 400)
  assert.equal((await send([token, TITLE, logoOf('PNG'), logoOf('PNG')])).statusCode, 400)
  assert.equal((await send([token, { ...TITLE, content: 'a\0b' }, logoOf('PNG')])).statusCode, 400)
  assert.deepEqual(seen, [])
})
