import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { pngOf } from '../../../test/support/pictures.ts'
import { sendLogo } from '../../../test/support/upload.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { MAX_ICON_BYTES } from '../../core/icon.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const BRAND = {
  name: 'Acme Apps',
  accent: '#0b5bf5',
  supportUrl: 'mailto:help@acme.example',
  termsUrl: 'https://acme.example/terms',
  privacyUrl: 'https://acme.example/privacy',
  imprintUrl: 'https://acme.example/imprint',
}

const put = (body: object, bearer: string | null = OPERATOR_KEY) => world.ask(bearer, 'PUT', '/brand', { body })
const putLogo = (logo: Buffer, brand: object = BRAND) => sendLogo(world, brand, logo)
const pageOf = async (url = '/sign-in', app = world.app) => (await app.http.inject({ url })).body

test('until the operator sets a brand, pages show the default', async () => {
  assert.deepEqual(await world.call('GET', '/brand'), { name: 'Tillhook' })
  const page = await pageOf()
  assert.match(page, /<title>Sign in · Tillhook<\/title>/)
  assert.doesNotMatch(page, /brand\/style/)
})

test('a brand applies at once in this process, and within seconds in other processes', async () => {
  const other = await world.openAnother()
  assert.match(await pageOf('/sign-in', other), /Tillhook/)
  const { status, body } = await put(BRAND)
  assert.deepEqual([status, body], [200, BRAND])
  const page = await pageOf()
  assert.match(page, /<title>Sign in · Acme Apps<\/title>/)
  for (const link of [BRAND.supportUrl, BRAND.termsUrl, BRAND.privacyUrl, BRAND.imprintUrl]) {
    assert.ok(page.includes(`href="${link}"`), link)
  }
  const isThere = async () => (await pageOf('/sign-in', other)).includes('Acme Apps')
  for (let poll = 0; poll < 3_000 && !(await isThere()); poll++) await setTimeout(20)
  assert.ok(await isThere())
  const { payload, headers } = await world.app.http.inject({ url: '/brand/style.css?v=0b5bf5' })
  assert.match(payload, /--accent:#0b5bf5/)
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.ok(page.includes('/brand/style.css?v=0b5bf5'))
  const { body: reference } = await world.app.http.inject('/docs')
  assert.match(reference, /<title>Acme Apps API /)
})

test('an absent field is cleared, and the logo stays until it is removed', async () => {
  const png = pngOf()
  const { body } = await putLogo(png)
  assert.equal(body.logo.contentType, 'image/png')
  assert.deepEqual((await put({ name: 'Acme' })).body, { name: 'Acme', logo: body.logo })
  const { pathname, search } = new URL(body.logo.url)
  const shown = await world.app.http.inject({ url: `${pathname}${search}` })
  assert.ok(shown.rawPayload.equals(png))
  assert.equal(shown.headers['content-type'], 'image/png')
  const headers = { 'if-none-match': String(shown.headers.etag) }
  assert.equal((await world.app.http.inject({ url: `${pathname}${search}`, headers })).statusCode, 304)
  assert.ok((await pageOf()).includes(`<img class="mark" src="${pathname}${search}"`))
  assert.equal((await world.ask(OPERATOR_KEY, 'DELETE', '/brand/logo')).status, 204)
  assert.equal((await world.app.http.inject({ url: '/brand/logo' })).statusCode, 404)
  assert.match(await pageOf(), /class="mark-letter"[^>]*>A</)
})

test('brand values that no page can show are rejected with the name of the field and change nothing', async () => {
  await put(BRAND)
  for (const [body, path] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'Acme\u202eApps' }, 'name'],
    [{ ...BRAND, accent: 'red' }, 'accent'],
    [{ ...BRAND, accent: '#ffd400' }, 'accent'],
    [{ ...BRAND, supportUrl: 'javascript:alert(1)' }, 'supportUrl'],
    [{ ...BRAND, termsUrl: 'http://acme.example' }, 'termsUrl'],
  ] as const) {
    const { status, body: said } = await put(body)
    assert.deepEqual([status, said.fields?.[0]?.path], [400, path], JSON.stringify(body))
  }
  const broken = pngOf().subarray(0, -20)
  const emptied = Buffer.from(pngOf())
  emptied.fill(0, 45, 60)
  for (const logo of [Buffer.from('<svg/>'), pngOf({ width: 64, height: 32 }), broken, emptied]) {
    const { status, body } = await putLogo(logo, { name: 'Other' })
    assert.deepEqual([status, body.fields?.[0]?.path], [400, 'logo'])
  }
  assert.equal((await putLogo(Buffer.alloc(MAX_ICON_BYTES + 1))).status, 413)
  assert.deepEqual(await world.call('GET', '/brand'), BRAND)
})

test('only the operator reads the brand, and a viewer cannot change it', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  const merchant = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  const developer = await newPerson(world, { kind: 'DEVELOPER', organizationId: world.organizationId }, 'ADMIN')
  const viewer = await newPerson(world, { kind: 'OPERATOR' }, 'VIEWER')
  await proveSecondFactor(world, viewer)
  for (const { token } of [merchant, developer, viewer]) {
    assert.equal((await put({ name: 'Mine' }, token)).status, 403)
    assert.equal((await world.ask(token, 'DELETE', '/brand/logo')).status, 403)
  }
  assert.equal((await put({ name: 'Mine' }, null)).status, 401)
  assert.equal((await world.ask(merchant.token, 'GET', '/brand')).status, 403)
  assert.equal((await world.ask(viewer.token, 'GET', '/brand')).status, 200)
})

test('mails come from the name of the brand, or from its own sender', async () => {
  await put(BRAND)
  const { businessId } = await world.merchant({ card: 'none' })
  const { email } = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  const sender = async () => {
    await world.ask(null, 'POST', '/password-resets', { body: { email } })
    return (await world.mails()).at(-1)?.fromName
  }
  assert.equal(await sender(), 'Acme Apps')
  await put({ ...BRAND, mailName: 'Acme Billing' })
  assert.equal(await sender(), 'Acme Billing')
})
