import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { jpegHead, pngOf, webpHead } from '../../../test/support/pictures.ts'
import { newPackageName } from '../../../test/support/tenants.ts'
import { iconForm, MULTIPART, multipart, sendIcon } from '../../../test/support/upload.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { MAX_ICON_BYTES } from '../../core/icon.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

/** Creates a developer with an app, and a function that uploads an icon. */
async function newOwner() {
  const { organizationId, appId } = await world.developer('Icons')
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'MEMBER')
  return { organizationId, appId, token, path: `/apps/${appId}` }
}

const send = (of: { token: string; appId: string }, icon: Buffer, app: object = {}, type?: string) =>
  sendIcon(world, of.token, { appId: of.appId, icon, app, ...(type !== undefined && { type }) })

async function fetchIcon(url: string, headers = {}) {
  const { statusCode, headers: given, rawPayload } = await world.app.http.inject({ url, headers })
  return { status: statusCode, headers: given, bytes: rawPayload }
}

const pathOf = (url: string) => {
  const { origin, pathname, search } = new URL(url)
  assert.equal(origin, new URL(world.app.ports.settings.baseUrl).origin)
  return `${pathname}${search}`
}

test("an app's icon is public and has an immutable address", async () => {
  const { token, organizationId } = await newOwner()
  const png = pngOf()
  const app = { organizationId, name: 'Loyalty', packageName: newPackageName() }
  const made = await world.ask(token, 'POST', '/apps', { body: iconForm(app, png), headers: MULTIPART })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { icon, appId } = made.body
  assert.equal(icon.contentType, 'image/png')
  assert.deepEqual((await world.ask(token, 'GET', `/apps/${appId}`)).body.icon, icon)
  const shown = await fetchIcon(pathOf(icon.url))
  assert.deepEqual([shown.status, shown.bytes.equals(png)], [200, true])
  assert.equal(shown.headers['content-type'], 'image/png')
  assert.equal(shown.headers['content-length'], String(png.length))
  assert.equal(shown.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(shown.headers['x-content-type-options'], 'nosniff')
  assert.match(String(shown.headers['content-security-policy']), /default-src 'none'/)
  const again = await fetchIcon(pathOf(icon.url), { 'if-none-match': String(shown.headers.etag) })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
})

test('a new icon has a new address, and the old address serves the new icon without caching', async () => {
  const owner = await newOwner()
  const first = await send(owner, pngOf())
  const second = await send(owner, webpHead('VP8X', 512), { name: 'Renamed' }, 'image/png')
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(second.body.name, 'Renamed')
  assert.equal(second.body.icon.contentType, 'image/webp')
  assert.notEqual(second.body.icon.url, first.body.icon.url)
  const old = await fetchIcon(pathOf(first.body.icon.url))
  assert.deepEqual([old.headers['content-type'], old.headers['cache-control']], ['image/webp', 'no-cache'])
  const latest = await fetchIcon(`${owner.path}/icon`)
  assert.deepEqual([latest.status, latest.headers['cache-control']], [200, 'no-cache'])
  // A change of another field keeps the icon.
  const { body } = await world.ask(owner.token, 'PATCH', owner.path, { body: { name: 'Again' } })
  assert.deepEqual(body.icon, second.body.icon)
})

test('if two icons are uploaded concurrently, one wins, with a matching name and bytes', async () => {
  const owner = await newOwner()
  const [png, jpeg] = [pngOf(), jpegHead(128)]
  await Promise.all([send(owner, png), send(owner, jpeg), send(owner, png), send(owner, jpeg)])
  const { icon } = (await world.ask(owner.token, 'GET', owner.path)).body
  const shown = await fetchIcon(pathOf(icon.url))
  assert.equal(shown.headers['content-type'], icon.contentType)
  assert.ok(shown.bytes.equals(icon.contentType === 'image/png' ? png : jpeg))
})

test('a file that is not an icon is rejected with the name of the field, and the previous icon stays', async () => {
  const owner = await newOwner()
  const { icon } = (await send(owner, pngOf())).body
  for (const [bytes, problem] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), /PNG, JPEG or WebP/],
    [pngOf({ width: 2000 }), /48 to 1024/],
    [pngOf({ before: ['acTL'] }), /animated/],
  ] as const) {
    const { status, body } = await send(owner, bytes)
    assert.deepEqual([status, body.code, body.fields[0].path], [400, 'INVALID_PARAMETER', 'icon'])
    assert.match(body.fields[0].problem, problem)
  }
  assert.equal((await send(owner, Buffer.alloc(0))).status, 400)
  const large = Buffer.concat([pngOf(), Buffer.alloc(MAX_ICON_BYTES)])
  assert.equal((await send(owner, large)).status, 413)
  assert.equal((await send(owner, Buffer.alloc(3_000_000, 1))).status, 413)
  const swapped = multipart([{ name: 'icon', content: pngOf(), type: 'image/png' }])
  assert.equal((await world.ask(owner.token, 'PATCH', owner.path, { body: swapped, headers: MULTIPART })).status, 400)
  assert.deepEqual((await world.ask(owner.token, 'GET', owner.path)).body.icon, icon)
  const whole = Buffer.concat([pngOf(), Buffer.alloc(MAX_ICON_BYTES - pngOf().length)])
  assert.equal((await send(owner, whole)).status, 200)
})

test('another organization, a merchant, a viewer and a caller without a token cannot change an icon', async () => {
  const [owner, foreign] = [await newOwner(), await newOwner()]
  const viewer = await newPerson(world, { kind: 'DEVELOPER', organizationId: owner.organizationId }, 'VIEWER')
  const { icon } = (await send(owner, pngOf())).body
  for (const [token, status] of [
    [foreign.token, 404],
    [viewer.token, 403],
  ] as const) {
    assert.equal((await send({ token, appId: owner.appId }, jpegHead(64))).status, status)
    assert.equal((await world.ask(token, 'DELETE', `${owner.path}/icon`)).status, status)
  }
  assert.equal((await world.ask(null, 'DELETE', `${owner.path}/icon`)).status, 401)
  assert.deepEqual((await world.ask(owner.token, 'GET', owner.path)).body.icon, icon)
})

test('removing an icon twice removes it once', async () => {
  const owner = await newOwner()
  const { icon } = (await send(owner, pngOf())).body
  for (let i = 0; i < 2; i++) {
    const { status } = await world.ask(owner.token, 'DELETE', `${owner.path}/icon`)
    assert.equal(status, 204)
  }
  assert.equal((await world.ask(owner.token, 'GET', owner.path)).body.icon, undefined)
  assert.equal((await fetchIcon(pathOf(icon.url))).status, 404)
  const [row] = await world.app.ports.db.sql<{ count: number }[]>`
    select count(*)::int as count from app_icons where app_id = ${owner.appId.slice('urn:aid:'.length)}`
  assert.equal(row?.count, 0)
  assert.equal((await fetchIcon('/apps/urn:aid:018f0000-0000-7000-8000-000000000000/icon')).status, 404)
  assert.equal((await fetchIcon('/apps/1/icon')).status, 400)
})
