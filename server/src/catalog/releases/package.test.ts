import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { openScratch, type Scratch } from '../../../test/support/scratch.ts'
import { tokenOf } from '../../../test/support/tokens.ts'
import {
  BOUNDARY,
  MULTIPART,
  multipart,
  type Part,
  packageOf,
  RELEASE,
  uploadRelease,
} from '../../../test/support/upload.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
let url: string
/** An app without releases. */
let empty: string
let scratch: Scratch
const { TMPDIR = tmpdir() } = process.env
before(async () => {
  scratch = await openScratch()
  // Temporary files of this process only.
  process.env.TMPDIR = scratch.folder
  world = await createWorld()
  empty = (await world.developer()).appId
  url = await world.app.http.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  process.env.TMPDIR = TMPDIR
  await world?.close()
  await scratch?.remove()
})

const releasesOf = (appId: string) => `/apps/${appId}/releases`
const packageAt = (appId: string, releaseId: string) => `${releasesOf(appId)}/${releaseId}/package`

function post(appId: string, body: Buffer, headers: Record<string, string> = {}) {
  return world.ask(OPERATOR_KEY, 'POST', releasesOf(appId), {
    body,
    headers: { ...MULTIPART, 'idempotency-key': randomUUID(), ...headers },
  })
}

async function fetchPackage(appId: string, releaseId: string, bearer = OPERATOR_KEY) {
  const answer = await fetch(`${url}${packageAt(appId, releaseId)}`, { headers: { authorization: `Bearer ${bearer}` } })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

async function nothingLeft(appId: string) {
  assert.equal((await world.call('GET', releasesOf(appId))).total, 0)
  const [row] = await world.app.ports.db.sql<{ chunks: number }[]>`
    select count(*) as chunks from package_chunks as c join releases as r on r.release_id = c.release_id
    where r.app_id = ${appId.slice('urn:aid:'.length)}`
  assert.equal(row?.chunks, 0)
}

test('a large package is returned byte for byte by every process, and its release has size and hash', async () => {
  const { appId } = await world.developer()
  const content = randomBytes(3 * 1024 * 1024 + 17)
  const { status, body } = await uploadRelease(world, OPERATOR_KEY, appId, content)
  assert.equal(status, 201)
  const sha256 = createHash('sha256').update(content).digest('hex')
  assert.deepEqual(body.package, { size: content.length, sha256, contentType: 'application/zip' })
  assert.equal(body.plans.length, 1)
  const read = await world.call('GET', `${releasesOf(appId)}/${body.releaseId}`)
  assert.deepEqual(read, body)
  const { answer, bytes } = await fetchPackage(appId, body.releaseId)
  assert.equal(answer.status, 200)
  assert.ok(bytes.equals(content))
  const headers = ['content-type', 'content-length', 'content-disposition', 'x-content-type-options']
  assert.deepEqual(
    headers.map(name => answer.headers.get(name)),
    ['application/octet-stream', String(content.length), 'attachment', 'nosniff'],
  )
  const another = await world.openAnother()
  const elsewhere = await world.ask(OPERATOR_KEY, 'GET', packageAt(appId, body.releaseId), { app: another })
  assert.equal(elsewhere.headers['content-length'], String(content.length))
})

const apk = (name: string) => readFileSync(new URL(`../../../test/vectors/apk/${name}.apk`, import.meta.url))

async function submitApk(appId: string, name: string | Buffer, release: object = {}) {
  const content = JSON.stringify({ version: '1.0', plans: [], ...release })
  const bytes = typeof name === 'string' ? apk(name) : name
  return await post(appId, multipart([{ name: 'release', content }, packageOf(bytes)]))
}

test('an APK is read at upload and shown in the review, and a later APK must match the approved one', async () => {
  const { organizationId } = await world.developer()
  const app = { organizationId, name: 'Till helper', packageName: 'com.example.till' }
  const { appId } = await world.call('POST', '/apps', app)
  const { status, body } = await submitApk(appId, 'version-2')
  assert.equal(status, 201, JSON.stringify(body))
  const { icon, ...facts } = body.package.apk
  assert.match(icon, /^data:image\/png;base64,/)
  assert.deepEqual(facts.permissions, ['android.permission.NFC', 'com.service.store.BILLING'])
  assert.deepEqual([facts.packageName, facts.versionCode, facts.label], ['com.example.till', 2, 'Till helper'])
  assert.deepEqual((await world.call('GET', `${releasesOf(appId)}/${body.releaseId}`)).package, body.package)
  // Without the picture: a page has up to a thousand releases.
  assert.deepEqual((await world.call('GET', releasesOf(appId))).list[0].package, { ...body.package, apk: facts })

  assert.equal((await submitApk(appId, 'version-2')).body.code, 'VERSION_CODE_TOO_LOW')
  assert.equal((await submitApk(appId, 'version-1')).body.code, 'VERSION_CODE_TOO_LOW')
  // A rejected release binds no later one.
  await world.call('POST', `${releasesOf(appId)}/${body.releaseId}/reject`, { reason: 'no' }, 200)
  assert.equal((await submitApk(appId, 'version-1')).status, 201)
  assert.equal((await submitApk(appId, 'version-2-another-signer')).body.code, 'SIGNER_CHANGED')
  assert.equal((await submitApk(appId, 'version-2')).status, 201)
})

test('a file that is not an APK of the app is rejected with the package name, unless packageKind is OTHER', async () => {
  const { appId } = await world.developer()
  for (const sent of ['version-1', 'v1-only', 'two-signers', Buffer.from('no APK')] as const) {
    const { status, body } = await submitApk(appId, sent)
    assert.deepEqual([status, body.code, body.fields[0].path], [400, 'INVALID_PARAMETER', 'package'])
  }
  await nothingLeft(appId)
  const other = await submitApk(appId, Buffer.from('no APK'), { packageKind: 'OTHER' })
  assert.deepEqual([other.status, 'apk' in other.body.package], [201, false])
  assert.equal((await submitApk(appId, Buffer.from('x'), { packageKind: 'ZIP' })).body.fields[0].path, 'packageKind')
})

test('a release without a package has no package to download', async () => {
  const { appId } = await world.developer()
  const { releaseId, ...release } = await world.call('POST', releasesOf(appId), { version: '1', plans: [] })
  assert.ok(!('package' in release))
  const { status, body } = await world.ask(OPERATOR_KEY, 'GET', packageAt(appId, releaseId))
  assert.deepEqual([status, body.code], [404, 'RESOURCE_NOT_FOUND'])
  const unknown = await world.ask(OPERATOR_KEY, 'GET', packageAt(appId, randomUUID()))
  assert.equal(unknown.body.code, 'RELEASE_NOT_FOUND')
})

test("an app's own token and a foreign release id get no package", async () => {
  const { appId, ...credentials } = await world.developer()
  const other = await world.developer()
  const { body } = await uploadRelease(world, OPERATOR_KEY, appId, Buffer.from('mine'))
  const app = await fetchPackage(appId, body.releaseId, await tokenOf(world, { appId, ...credentials }))
  assert.equal(app.answer.status, 403)
  const foreign = await world.ask(OPERATOR_KEY, 'GET', packageAt(other.appId, body.releaseId))
  assert.equal(foreign.body.code, 'RELEASE_NOT_FOUND')
})

test('an upload without the right to submit is rejected before the package is read', async () => {
  const { appId, ...credentials } = await world.developer()
  const token = await tokenOf(world, { appId, ...credentials })
  const { status, body } = await uploadRelease(world, token, appId, randomBytes(2 * 1024 * 1024))
  assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
  await nothingLeft(appId)
})

test('an upload repeated with its key has one effect, and another package with the same key is rejected', async () => {
  const { appId } = await world.developer()
  const headers = { 'idempotency-key': randomUUID() }
  const body = multipart([RELEASE, packageOf('one')])
  const first = await post(appId, body, headers)
  const again = await post(appId, body, headers)
  assert.deepEqual([again.status, again.text], [201, first.text])
  const other = await post(appId, multipart([RELEASE, packageOf('two')]), headers)
  assert.equal(other.body.code, 'REQUEST_ID_DUPLICATE')
  assert.equal((await world.call('GET', releasesOf(appId))).total, 1)
})

test('the audit trail contains the hash of a package and none of its bytes', async () => {
  const { appId } = await world.developer()
  const { body } = await uploadRelease(world, OPERATOR_KEY, appId, Buffer.from('words of the package'))
  const { entries } = await world.call('GET', `/audit?resourceId=${body.releaseId}`)
  assert.equal(entries[0].after.package_sha256, body.package.sha256)
  assert.doesNotMatch(JSON.stringify(entries), /words of the package/)
})

test('the JSON part may be a file or have no type, and other parts are ignored', async () => {
  const { appId } = await world.developer()
  const other: Part = { name: 'note', content: 'x' }
  for (const release of [
    { ...RELEASE, filename: 'release.json' },
    { name: 'release', content: RELEASE.content },
  ]) {
    const { status, text } = await post(appId, multipart([other, release, other, packageOf('p'), other]))
    assert.equal(status, 201, text)
  }
})

const broken = multipart([RELEASE, packageOf('abc')])
const rejected: readonly [string, Buffer, number, string, string?][] = [
  ['no package', multipart([RELEASE]), 400, 'MISSING_PARAMETER', 'package'],
  ['no release', multipart([{ name: 'other', content: 'x' }]), 400, 'MISSING_PARAMETER', 'release'],
  ['the package first', multipart([packageOf('x'), RELEASE]), 400, 'INVALID_PARAMETER', 'release'],
  ['the release twice', multipart([RELEASE, RELEASE, packageOf('x')]), 400, 'INVALID_PARAMETER', 'release'],
  ['the release again, after all', multipart([RELEASE, packageOf('x'), RELEASE]), 400, 'INVALID_PARAMETER', 'release'],
  ['the package twice', multipart([RELEASE, packageOf('x'), packageOf('y')]), 400, 'INVALID_PARAMETER', 'package'],
  ['an empty package', multipart([RELEASE, packageOf('')]), 400, 'INVALID_PARAMETER', 'package'],
  ['a release that is no JSON', multipart([{ ...RELEASE, content: '{' }, packageOf('x')]), 400, 'INVALID_REQUEST'],
  [
    'a release that is no UTF-8',
    multipart([{ ...RELEASE, content: Buffer.from([0xff]) }, packageOf('x')]),
    ...([400, 'INVALID_REQUEST'] as const),
  ],
  [
    'a release without version',
    multipart([{ ...RELEASE, content: '{"plans":[]}' }, packageOf('x')]),
    400,
    'MISSING_PARAMETER',
    'version',
  ],
  [
    'a release over 1 MiB',
    multipart([{ ...RELEASE, content: Buffer.alloc(2 ** 20 + 1, 32) }, packageOf('x')]),
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  [
    'parts without number',
    multipart([RELEASE, packageOf('x'), ...Array(20).fill({ name: 'a', content: 'a' })]),
    400,
    'INVALID_REQUEST',
  ],
  [
    'a name of every object',
    multipart([{ name: '__proto__', content: 'x' }, RELEASE, packageOf('x')]),
    400,
    'INVALID_REQUEST',
  ],
  ['a body that ends within the package', broken.subarray(0, broken.indexOf('abc') + 2), 400, 'INVALID_REQUEST'],
  ['a body without its last boundary', broken.subarray(0, -BOUNDARY.length - 8), 400, 'INVALID_REQUEST'],
  ['a body of no parts', Buffer.from('nothing of the kind'), 400, 'INVALID_REQUEST'],
]
for (const [what, body, status, code, field] of rejected) {
  test(`${what} is rejected and leaves nothing`, async () => {
    const response = await post(empty, body)
    assert.deepEqual([response.status, response.body.code], [status, code], response.text)
    assert.equal(response.body.fields?.[0].path, field)
    await nothingLeft(empty)
  })
}

test('a form without a boundary and a compressed form are rejected', async () => {
  const body = multipart([RELEASE, packageOf('x')])
  const bare = await post(empty, body, { 'content-type': 'multipart/form-data' })
  assert.deepEqual([bare.status, bare.body.code], [400, 'INVALID_REQUEST'])
  const packed = await post(empty, body, { 'content-encoding': 'gzip' })
  assert.equal(packed.status, 415)
})

test('no other operation accepts a form with files', async () => {
  const body = multipart([{ name: 'name', content: 'Acme' }])
  const { status } = await world.ask(OPERATOR_KEY, 'POST', '/organizations', { body, headers: MULTIPART })
  assert.equal(status, 415)
})

test('an interrupted upload leaves nothing in the database and in the temporary folder', async () => {
  const { appId } = await world.developer()
  const { hostname, port } = new URL(url)
  const whole = multipart([RELEASE, packageOf(randomBytes(4 * 1024 * 1024))])
  const closed = new Promise<void>(resolve => {
    world.app.http.server.once('request', (_request, answer) => answer.once('close', resolve))
  })
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST ${releasesOf(appId)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${OPERATOR_KEY}\r\n` +
      `content-type: ${MULTIPART['content-type']}\r\ncontent-length: ${whole.length}\r\n\r\n`,
  )
  await new Promise(resolve => socket.write(whole.subarray(0, whole.length / 2), resolve))
  socket.destroy()
  await closed
  // The effects of the broken upload, if any, are visible once a complete upload is answered.
  assert.equal((await post(appId, whole)).status, 201)
  assert.equal((await world.call('GET', releasesOf(appId))).total, 1)
  assert.deepEqual(readdirSync(scratch.folder), [])
})

test('the connection stays usable after a rejection in the middle of an upload', async () => {
  const { appId } = await world.developer()
  const body = multipart([packageOf(randomBytes(4 * 1024 * 1024)), RELEASE])
  for (let times = 0; times < 3; times++) {
    const headers = { ...MULTIPART, authorization: `Bearer ${OPERATOR_KEY}` }
    const answer = await fetch(`${url}${releasesOf(appId)}`, { method: 'POST', headers, body: new Uint8Array(body) })
    assert.equal(answer.status, 400)
    assert.equal(((await answer.json()) as { code: string }).code, 'INVALID_PARAMETER')
  }
})
