import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ASSETS, asset } from '../web/assets.ts'
import { pageServer, samplePages } from './page.fixture.ts'

test('assets are cached for ever under a name with their hash, with their content type', async () => {
  const { app } = pageServer(samplePages())
  const types = new Map<string, unknown>()
  for (const { path, bytes } of ASSETS) {
    const { statusCode, headers, rawPayload } = await app.inject(path)
    assert.equal(statusCode, 200)
    assert.ok(rawPayload.equals(bytes) && bytes.length > 0)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(path, /^\/assets\/web-[0-9a-f]{16}\/[a-z-]+\.(css|js|svg)$/)
    types.set(path.replace(/.*\./, ''), headers['content-type'])
    const again = await app.inject({ url: path, headers: { 'if-none-match': `"other", W/${headers.etag}` } })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
    assert.equal((await app.inject({ url: path, headers: { 'if-none-match': '"other"' } })).statusCode, 200)
    assert.equal((await app.inject({ url: path, method: 'HEAD' })).headers['content-length'], String(bytes.length))
  }
  assert.deepEqual(Object.fromEntries(types), {
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    svg: 'image/svg+xml',
  })
})

test('an unknown name, a path outside of the folder and another method find no asset', async () => {
  const { app } = pageServer(samplePages())
  const path = asset('base.css')
  for (const url of [
    path.replace(/-[0-9a-f]{4}/, '-0000'),
    '/assets/',
    '/assets/../app.ts',
    '/assets/%2e%2e%2fapp.ts',
    '/assets/base.css',
  ]) {
    assert.equal((await app.inject(url)).statusCode, 404, url)
  }
  assert.equal((await app.inject({ method: 'POST', url: path })).statusCode, 404)
})

test('every page loads its styles and script from our own origin, and all of them exist', async () => {
  const { app } = pageServer(samplePages())
  const { body } = await app.inject({ url: '/only-posted' })
  const loaded = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  const names = loaded.map(path => path?.replace(/-[0-9a-f]{16}/, ''))
  assert.deepEqual(
    names.sort(),
    [
      ...['announce.js', 'base.css', 'components.css', 'dashboard.css', 'icon.svg', 'idiomorph.js'],
      ...['page.js', 'till.css', 'tokens.css', 'visit.js'],
    ].map(name => `/assets/web/${name}`),
  )
  const served = new Set(ASSETS.map(({ path }) => path))
  assert.deepEqual(
    loaded.filter(path => !served.has(path ?? '')),
    [],
  )
})
