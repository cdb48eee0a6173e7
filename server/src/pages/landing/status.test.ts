import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { DEFAULT_BRAND } from '../../core/brand.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Shown } from '../../platform/http/page.ts'
import { statusPage } from './pages.ts'

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

test('without its database the status page answers 503', async () => {
  const sql = (() => Promise.reject(new Error('connection refused'))) as unknown as Sql
  const { handle } = statusPage({ db: { ...world.app.ports.db, sql } })
  const { status, html } = (await handle({} as Parameters<typeof handle>[0])) as Shown
  assert.equal(status, 503)
  assert.match(html(DEFAULT_BRAND).text, /The database does not answer/)
})
