import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { MULTIPART, multipart } from '../../../test/support/upload.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { formOf, visiting } from '../merchant/merchant.fixture.ts'
import { enterPlan, PLAN_ENTRIES, sendRelease } from './release.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

let apps = 0

async function studio(packageName = `com.example.steps${++apps}`) {
  const { organizationId } = await world.call('POST', '/organizations', { name: 'Lakeside', email: 'dev@lake.example' })
  const { appId } = await world.call('POST', '/apps', { organizationId, name: 'Till helper', packageName })
  const person = (role: PersonRole = 'ADMIN') => newPerson(world, { kind: 'DEVELOPER', organizationId }, role)
  const { token } = await person()
  return { appId, token, person, path: `/dev/apps/${appId.slice('urn:aid:'.length)}`, ...visiting(world, token) }
}

const apk = (name: string) => readFileSync(new URL(`../../../test/vectors/apk/${name}.apk`, import.meta.url))

/** Posts the first step with a file, as a browser does. */
async function upload({ path, token, get }: Awaited<ReturnType<typeof studio>>, file: Buffer, fields: object = {}) {
  const hidden = formOf((await get(`${path}/release`)).text, `${path}/release`)?.hidden ?? assert.fail('a form')
  const pairs = Object.entries({ ...hidden, version: '', ...fields })
  const parts = pairs.map(([name, content]) => ({ name, content: String(content) }))
  const sent = await world.app.http.inject({
    ...{ method: 'POST', url: `${path}/release` },
    headers: { ...MULTIPART, cookie: `tillhook=${token}` },
    payload: multipart([...parts, { name: 'package', content: file, filename: 'till.apk', type: 'application/zip' }]),
  })
  return { status: sent.statusCode, words: sent.body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') }
}

test('a package is read and compared, and a release carries it with several plans and notes', async () => {
  const ann = await studio('com.example.till')
  const { path, appId } = ann
  assert.equal((await upload(ann, apk('version-1'))).status, 303)
  const { words } = await ann.get(`${path}/release`)
  for (const pattern of [/Till helper/, /1\.1, code 1/, /CAMERA/, /com\.example\.till/, /First package/])
    assert.match(words, pattern)
  for (const name of ['Pro', 'كافيه', '<script>alert(1)</script>', 'n'.repeat(200)]) {
    assert.equal((await enterPlan(ann, path, { name })).status, 303, name)
  }
  const listed = await ann.get(`${path}/release/plans`)
  assert.ok(!listed.text.includes('<script>alert'))
  await ann.send(`${path}/release/notes`, { notes: 'Try it\r\nwith table 4.' })
  const sent = await ann.send(`${path}/release/send`)
  assert.match(sent.location, /\/releases\/[0-9a-f-]+\?done=submitted$/)
  const [{ releaseId }] = (await world.call('GET', `/apps/${appId}/releases`)).list
  const release = await world.call('GET', `/apps/${appId}/releases/${releaseId}`)
  assert.deepEqual([release.version, release.notes, release.plans.length], ['1.1', 'Try it\nwith table 4.', 4])
  assert.equal(release.package.apk.versionCode, 1)
  const page = await ann.get(sent.location)
  for (const pattern of [/Release submitted/, /In review/, /Waiting/, new RegExp(release.package.sha256)]) {
    assert.match(page.words, pattern)
  }
})

test('a file that is not an APK, expands too far, or belongs to another app or signer is rejected on its step', async () => {
  const ann = await studio()
  const { path } = ann
  const foreign = await upload(ann, apk('version-1'), { version: '7' })
  assert.equal(foreign.status, 400)
  assert.match(foreign.words, /has the package name com\.example\.till, but the package name of the app is/)
  assert.match((await upload(ann, Buffer.from('hello'))).words, /it is not a ZIP archive/)
  assert.match((await upload(ann, bomb())).words, /AndroidManifest\.xml is larger than|is damaged/)
  assert.match((await upload(ann, apk('unsigned'))).words, /not signed/)
  assert.equal((await world.call('GET', `/apps/${ann.appId}/releases`)).total, 0)
  assert.match((await ann.get(`${path}/release`)).words, /No package yet/)

  const other = await studio('com.example.till2')
  await world.app.ports.db.sql`update apps set package_name = 'com.example.old' where package_name = 'com.example.till'`
  await world.app.ports.db.sql`
    update apps set package_name = 'com.example.till' where app_id = ${other.appId.slice('urn:aid:'.length)}`
  assert.equal((await upload(other, apk('version-1'))).status, 303)
  await other.send(`${other.path}/release/send`)
  assert.match((await upload(other, apk('version-1'))).words, /Raise versionCode/)
  const signer = await upload(other, apk('version-2-another-signer'))
  assert.equal(signer.status, 400)
  assert.match(signer.words, /signed by/)
})

/** An archive that says its manifest is 1 GiB. */
function bomb(): Buffer {
  const bytes = Buffer.from(apk('version-1'))
  const at = bytes.indexOf(Buffer.from('AndroidManifest.xml'), bytes.length - 70_000)
  for (let from = bytes.indexOf('PK\u0001\u0002'); from >= 0; from = bytes.indexOf('PK\u0001\u0002', from + 4)) {
    const length = bytes.readUInt16LE(from + 28)
    if (bytes.toString('utf8', from + 46, from + 46 + length) === 'AndroidManifest.xml')
      bytes.writeUInt32LE(2 ** 30, from + 24)
  }
  assert.ok(at > 0)
  return bytes
}

test('wrong entries of a plan are shown beside their fields, stay in the form, and save nothing', async () => {
  const ann = await studio()
  const { path } = ann
  for (const [entries, problem] of [
    [{ name: ' ' }, /Enter the name of the plan/],
    [{ name: 'a\u0000b' }, /./],
    [{ name: 'a\u202eb' }, /Enter a name without control characters/],
    [{ price: 'five' }, /Enter an amount such as 5\.00/],
    [{ price: '5.001' }, /Enter an amount such as 5\.00/],
    [{ price: '', country: '' }, /Enter a price/],
    [{ price: '0.01' }, /at least/],
    [{ currency: 'XXX' }, /Enter an amount such as 5\.00/],
    [{ country: 'ZZ' }, /two letters of a country/],
    [{ trial: '-1' }, /Enter a whole number/],
    [{ trial: '999' }, /from 0 to 365/],
    [{ intervalCount: '13' }, /from 1 to 12/],
    [{ intervalCount: '0' }, /from 1 to 12/],
    [{ grace: '29' }, /from 0 to 28/],
    [{ description: 'd'.repeat(2_001) }, /at most 2000 characters/],
  ] as const) {
    const answer = await enterPlan(ann, path, { description: 'Typed before', ...entries })
    assert.equal(answer.status, 400, JSON.stringify(entries))
    assert.match(answer.words, problem)
    if (!('description' in entries) && !('name' in entries)) assert.match(answer.text, /Typed before<\/textarea>/)
  }
  assert.match((await ann.get(`${path}/release/plans`)).words, /No plans in this release/)
})

test('prices are added and removed without script, and a price below the card minimum is rejected in its row', async () => {
  const ann = await studio()
  const { path } = ann
  const more = await enterPlan(ann, path, { do: 'row' })
  assert.equal(more.status, 200)
  assert.equal(more.text.match(/name="price"/g)?.length, 2)
  const fewer = await enterPlan(ann, path, { do: 'remove-0' })
  assert.equal(fewer.text.match(/name="price"/g)?.length, 1)
  const { text } = await ann.get(`${path}/release/plans`)
  const editor = new RegExp(`${path}/release/plans/[0-9a-f-]{36}`).exec(text)?.[0] ?? assert.fail(text)
  const hidden = formOf((await ann.get(editor)).text, editor)?.hidden ?? assert.fail('a form')
  const rows = (prices: readonly (readonly [string, string, string])[]) => {
    const { country, currency, price, ...rest } = PLAN_ENTRIES
    const given = new URLSearchParams({ ...hidden, ...rest })
    for (const [c, m, p] of prices)
      for (const [k, v] of [
        ['country', c],
        ['currency', m],
        ['price', p],
      ] as const)
        given.append(k, v)
    return world.app.http.inject({
      ...{ method: 'POST', url: editor, payload: given.toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: `tillhook=${ann.token}` },
    })
  }
  const twice = await rows([
    ['US', 'USD', '5'],
    ['', '', ''],
    ['us', 'USD', '6'],
  ])
  assert.equal(twice.statusCode, 400)
  assert.match(twice.body, /href="#country-2"/)
  assert.equal(
    (
      await rows([
        ['US', 'USD', '5'],
        ['', 'EUR', ''],
        ['DE', 'EUR', '4.50'],
        ['JP', 'JPY', '700'],
      ])
    ).statusCode,
    303,
  )
  const { words } = await ann.get(`${path}/release/plans`)
  for (const price of ['US $5.00', 'DE €4.50', 'JP ¥700']) assert.match(words, new RegExp(price.replace('$', '\\$')))
})

test('the preview card shows the plan as the terminal sells it', async () => {
  const ann = await studio()
  const { path } = ann
  const { text } = await ann.get(`${path}/release/plans`)
  const editor = new RegExp(`${path}/release/plans/[0-9a-f-]{36}`).exec(text)?.[0] ?? assert.fail(text)
  const hidden = formOf((await ann.get(editor)).text, editor)?.hidden ?? assert.fail('a form')
  const card = (entries: object) => ann.post(`${editor}/card`, { ...hidden, ...PLAN_ENTRIES, ...entries })
  const shown = await card({ trial: '14', intervalCount: '3', name: '<b>Pro</b>' })
  for (const pattern of [/Till helper/, /\$5\.00 every 3 months, per business/, /Free for 14 days/, /BUY NOW/])
    assert.match(shown.words, pattern)
  assert.ok(!shown.text.includes('<b>Pro'))
  assert.match((await card({ price: 'x' })).words, /The plan appears here/)
  assert.equal((await ann.post(`${editor}/card`, { ...PLAN_ENTRIES, revision: '0' })).status, 403, 'without the token')
  assert.match((await ann.get(`${path}/release/plans`)).words, /No plans in this release/)
})

test('when two people edit one draft, the second keeps the entries and is informed', async () => {
  const ann = await studio()
  const bob = visiting(world, (await ann.person()).token)
  const { path } = ann
  const hidden = formOf((await bob.get(`${path}/release/notes`)).text, `${path}/release/notes`)?.hidden ?? {}
  await ann.send(`${path}/release`, { version: '2.0' }, `${path}/release`)
  const late = await bob.post(`${path}/release/notes`, { ...hidden, notes: 'Bob writes' })
  assert.equal(late.status, 409)
  assert.match(late.words, /Another person has changed this draft/)
  assert.match(late.text, /Bob writes<\/textarea>/)
  const again = formOf(late.text, `${path}/release/notes`)?.hidden ?? {}
  assert.equal((await bob.post(`${path}/release/notes`, { ...again, notes: 'Bob writes' })).status, 303)
  const { words } = await ann.get(`${path}/release/send`)
  assert.match(words, /Version 2\.0/)
  assert.match(words, /Bob writes/)
})

test('the final form, sent twice, creates one release, and a discarded draft is not sent', async () => {
  const ann = await studio()
  const { path, appId } = ann
  await ann.send(`${path}/release`, { version: '1.0' }, `${path}/release`)
  await enterPlan(ann, path)
  const form = formOf((await ann.get(`${path}/release/send`)).text, `${path}/release/send`)?.hidden ?? {}
  const [one, two] = await Promise.all([ann.post(`${path}/release/send`, form), ann.post(`${path}/release/send`, form)])
  assert.equal(one.location, two.location)
  assert.equal((await ann.post(`${path}/release/send`, form)).location, one.location)
  assert.equal((await world.call('GET', `/apps/${appId}/releases`)).total, 1)

  await ann.send(`${path}/release`, { version: '2.0' }, `${path}/release`)
  await enterPlan(ann, path)
  const late = formOf((await ann.get(`${path}/release/send`)).text, `${path}/release/send`)?.hidden ?? {}
  assert.equal((await ann.send(`${path}/release/discard`)).location, `${path}?done=discarded`)
  assert.match((await ann.post(`${path}/release/send`, late)).words, /There is no draft/)
  assert.equal((await world.call('GET', `/apps/${appId}/releases`)).total, 1)
})

test('a release is withdrawn once and can be sent again with its plans, and a decided release cannot be withdrawn', async () => {
  const ann = await studio()
  const { path, appId } = ann
  const release = (await sendRelease(ann, path)).location.replace(/\?.*/, '')
  assert.match((await ann.send(`${release}/withdraw`)).location, /done=withdrawn$/)
  assert.match((await ann.get(release)).words, /Withdrawn/)
  assert.equal((await ann.get(`${release}/withdraw`)).location, release)
  assert.equal((await ann.send(release, {}, `${release}/again`)).location, `${path}/release`)
  assert.match((await ann.get(`${path}/release/send`)).words, /New prices/)
  const second = (await ann.send(`${path}/release/send`)).location.replace(/\?.*/, '')
  await world.call('POST', `/apps/${appId}/releases/${second.split('/').at(-1)}/reject`, { reason: 'No icon' }, 200)
  assert.match((await ann.get(second)).words, /Why it was rejected No icon/)
  const [plan] = (await world.call('GET', `/apps/${appId}/plans?status=INACTIVE`)).list
  assert.equal(plan, undefined)
})

test('every address of a release is 404 for another organization and 403 for a viewer who would change it', async () => {
  const ann = await studio()
  const { path } = ann
  const release = (await sendRelease(ann, path)).location.replace(/\?.*/, '')
  await ann.send(`${path}/release`, { version: '2.0' }, `${path}/release`)
  const eve = await studio()
  const vic = visiting(world, (await ann.person('VIEWER')).token)
  const plan = `${path}/release/plans/018f0000-0000-7000-8000-000000000001`
  const steps = [
    `${path}/release`,
    `${path}/release/plans`,
    plan,
    `${path}/release/notes`,
    `${path}/release/send`,
    `${path}/release/discard`,
  ]
  for (const url of [...steps, release, `${release}/withdraw`]) assert.equal((await eve.get(url)).status, 404, url)
  const csrf = formOf((await eve.get(`${eve.path}/release`)).text)?.hidden.csrf ?? ''
  for (const url of [`${plan}/card`, `${plan}/remove`, `${release}/again`, `${release}/withdraw`]) {
    const answer = await eve.post(url, { ...PLAN_ENTRIES, csrf, revision: '1' })
    assert.equal(answer.status, 404, url)
  }
  // A release of another app of the same organization is as one that does not exist.
  assert.equal((await eve.get(`${eve.path}/releases/${release.split('/').at(-1)}`)).status, 404)
  for (const url of steps) assert.equal((await vic.get(url)).status, 403, url)
  const seen = await vic.get(release)
  assert.equal(seen.status, 200)
  assert.doesNotMatch(seen.text, /Withdraw/)
})
