import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

test('the status is a page in the language of the browser, and the landing page links to it', async () => {
  const get = (url: string, language: string) =>
    world.app.http.inject({ method: 'GET', url, headers: { 'accept-language': language } })
  for (const [language, words] of [
    ['en', 'Everything works'],
    ['de', 'Alles funktioniert'],
    ['fr', 'Tout fonctionne'],
    ['es', 'Todo funciona'],
  ] as const) {
    const { statusCode, body } = await get('/status', language)
    assert.equal(statusCode, 200)
    assert.match(body, new RegExp(words))
  }
  assert.match((await get('/', 'en')).body, /href="\/status"/)
})
