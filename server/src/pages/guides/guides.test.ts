import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { CONTENTS } from './pages.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const get = (url: string) => world.app.http.inject({ method: 'GET', url, headers: { accept: 'text/html' } })

test('every guide is a page with a heading, a table of contents and nothing inline', async () => {
  for (const { path, title } of CONTENTS) {
    const { statusCode, body } = await get(path)
    assert.equal(statusCode, 200, path)
    assert.match(body, /<article><h1 id="/, path)
    assert.ok(body.includes(`aria-current="page">${title}</a>`), path)
    assert.doesNotMatch(body, /<script>| style="| on\w+="|file=code/, path)
  }
})

test('every link of a guide leads to an existing page and heading', async () => {
  const pages = new Map(await Promise.all(CONTENTS.map(async ({ path }) => [path, (await get(path)).body] as const)))
  let links = 0
  for (const [from, body] of pages) {
    const article = body.slice(body.indexOf('<article>'))
    for (const [, href = ''] of article.matchAll(/<a href="([^"]+)"/g)) {
      if (!href.startsWith('/') && !href.startsWith('#')) continue
      links++
      const { pathname, hash } = new URL(href, `http://tillhook${from}`)
      const target = pages.get(pathname) ?? (await get(pathname)).body
      assert.notEqual((await get(pathname)).statusCode, 404, `${from} links to ${href}`)
      if (hash !== '')
        assert.ok(target.includes(`id="${decodeURIComponent(hash.slice(1))}"`), `${from} links to ${href}`)
    }
  }
  assert.ok(links > 20, `${links} links`)
})

test('an unknown guide answers 404 with the contents and reads no file', async () => {
  for (const name of ['nothing', '..%2foperating', '%2e%2e%2f%2e%2e%2fpackage.json', 'README']) {
    const { statusCode, body } = await get(`/guides/${name}`)
    assert.equal(statusCode, 404, name)
    assert.ok(body.includes('href="/guides/quickstart"'), name)
  }
})

test('every guide of the folder is listed in the contents', async () => {
  const folder = new URL('../../../../docs/guides/', import.meta.url)
  const names = globSync('*.md', { cwd: folder }).map(name =>
    name === 'README.md' ? 'index' : name.replace(/\.md$/, ''),
  )
  const listed = new Set<string>(CONTENTS.map(({ name }) => name))
  assert.deepEqual(
    names.filter(name => !listed.has(name)),
    [],
  )
})
