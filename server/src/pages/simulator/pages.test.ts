import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newTill } from '../../../test/support/purchases.ts'
import { createWorld, type World } from '../../../test/support/world.ts'

let sandbox: World
let taking: World
before(async () => {
  sandbox = await createWorld()
  taking = await createWorld({ stripe: { secretKey: 'sk_test_of_the_tests' } })
})
after(async () => {
  await sandbox?.close()
  await taking?.close()
})

const get = ({ app }: World, url: string) => app.http.inject({ method: 'GET', url })

/** The allowed frame ancestors by both headers. */
async function framedBy(world: World, url: string) {
  const { headers } = await get(world, url)
  const [, ancestors] = /frame-ancestors ([^;]+)/.exec(String(headers['content-security-policy'])) ?? []
  return [ancestors, headers['x-frame-options']]
}

test('a sandbox installation has the simulator with all its assets and nothing inline', async () => {
  const { statusCode, body, headers } = await get(sandbox, '/simulator')
  assert.equal(statusCode, 200)
  assert.doesNotMatch(body, /<style| style="|<script>| on\w+="/)
  assert.match(String(headers['content-security-policy']), /script-src 'self';.*frame-src 'self'/)
  const [main] = /\/assets\/simulator-\w+\/main\.js/.exec(body) ?? assert.fail('its script')
  const seen = new Set([main])
  for (const path of seen) {
    const script = await get(sandbox, path)
    assert.equal(script.statusCode, 200, path)
    assert.match(String(script.headers['cache-control']), /immutable/)
    for (const [, name = ''] of script.body.matchAll(/from '(\.[^']+)'/g))
      seen.add(new URL(name, `http://a${path}`).pathname)
  }
  assert.equal(seen.size, 10, 'its scripts find each other')
})

test('an installation with a real gateway has no simulator', async () => {
  const { statusCode } = await get(taking, '/simulator')
  assert.equal(statusCode, 404)
  assert.doesNotMatch((await get(taking, '/')).body, /\/simulator/)
  assert.match((await get(sandbox, '/')).body, /\/simulator/)
})

test('a purchase may be framed only by our own pages, where the simulator exists', async () => {
  const till = await newTill(sandbox)
  const screen = await till.open({ planId: await sandbox.plan() })
  const unknown = '/purchases/01900000-0000-7000-8000-000000000000'
  assert.deepEqual(await framedBy(sandbox, screen.url), ["'self'", 'SAMEORIGIN'])
  assert.deepEqual(await framedBy(sandbox, unknown), ["'self'", 'SAMEORIGIN'])
  assert.deepEqual(await framedBy(taking, unknown), ["'none'", 'DENY'])
  for (const path of ['/', '/simulator', '/sign-in', '/my/subscriptions']) {
    assert.deepEqual(await framedBy(sandbox, path), ["'none'", 'DENY'], path)
  }
})
