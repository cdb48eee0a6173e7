import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isSignatureValid } from '../src/signature.ts'

interface Vector {
  readonly secret?: string
  readonly secretHex?: string
  readonly body: string
  readonly signature: string
  readonly source: string
}

const path = new URL('../../server/test/vectors/signatures.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(path, 'utf8')) as { vectors: Vector[] }

for (const { secret, secretHex, body, signature, source } of vectors) {
  const key = secret ?? Buffer.from(secretHex ?? '', 'hex')

  test(`the listener accepts the signature of ${source}`, () => {
    assert.equal(isSignatureValid(Buffer.from(body), key, signature), true)
  })

  test(`the listener rejects everything but the signature of ${source}`, () => {
    assert.equal(isSignatureValid(Buffer.from(`${body} `), key, signature), false)
    assert.equal(isSignatureValid(Buffer.from(body), 'another secret', signature), false)
    assert.equal(isSignatureValid(Buffer.from(body), key, undefined), false)
    assert.equal(isSignatureValid(Buffer.from(body), key, ''), false)
    assert.equal(isSignatureValid(Buffer.from(body), key, signature.slice(0, -1)), false)
    assert.equal(isSignatureValid(Buffer.from(body), key, signature.toLowerCase()), false)
    assert.equal(isSignatureValid(Buffer.from(body), key, Buffer.from(signature, 'base64').toString('hex')), false)
  })
}
