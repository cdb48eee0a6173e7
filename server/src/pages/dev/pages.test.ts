import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { type Visitor, visiting } from '../merchant/merchant.fixture.ts'
import { sendRelease } from './release.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

let packages = 0

async function developer(role: PersonRole = 'ADMIN', organizationId?: string) {
  const own =
    organizationId ??
    (await world.call('POST', '/organizations', { name: 'Lakeside', email: 'dev@lake.example' })).organizationId
  const person = await newPerson(world, { kind: 'DEVELOPER', organizationId: own }, role)
  return { organizationId: own as string, person, ...visiting(world, person.token) }
}

async function newApp(ann: Visitor) {
  packages++
  const packageName = `com.example.dev${packages}`
  const made = await ann.send('/dev/apps/new', { name: 'Table Planner', packageName })
  assert.equal(made.status, 200, made.words)
  const path = /\/dev\/apps\/[0-9a-f-]{36}/.exec(made.text)?.[0] ?? assert.fail('a link to the app')
  return { ...made, path, packageName, appId: `urn:aid:${path.slice('/dev/apps/'.length)}` }
}

const eventTypes = 'APPLICATION_SUBSCRIPTION_START'

test('a developer goes from the checklist to an approved plan, a token and a webhook', async () => {
  const ann = await developer()
  assert.equal((await ann.get('/my')).location, '/dev')
  assert.match((await ann.get('/dev')).words, /Create an app Open/)
  const { path, appId, text } = await newApp(ann)
  const pem = /-----BEGIN PRIVATE KEY-----[\w+/=\s]+-----END PRIVATE KEY-----/.exec(text)?.[0] ?? assert.fail('the key')
  const kid = /TILLHOOK_KEY_ID=([\w-]+)/.exec(text)?.[1] ?? assert.fail('the key id')
  assert.ok(!(await ann.get(path)).text.includes('PRIVATE KEY'), 'the key is shown once')

  const submitted = await sendRelease(ann, path)
  const [release] = (await world.call('GET', `/apps/${appId}/releases`)).list
  assert.equal(submitted.location, `${path}/releases/${release.releaseId}?done=submitted`)
  await world.call('POST', `/apps/${appId}/releases/${release.releaseId}/approve`, {}, 200)
  const [plan] = (await world.call('GET', `/apps/${appId}/plans`)).list
  assert.deepEqual([plan.name, plan.amount, plan.interval], ['Pro', 500, 'MONTH'])

  const added = await ann.send(
    `${path}/endpoint`,
    { deliveryUrl: 'http://127.0.0.1:9/hooks', eventTypes },
    `${path}/endpoint`,
  )
  assert.equal(added.status, 200, added.words)
  assert.match(added.text, /whsec_[A-Za-z0-9+/]{43}=/)
  assert.match(added.words, /Verify a webhook .* JavaScript .* Python .* Java /)
  const [hook] = (await world.call('GET', `/hooks?applicationId=${appId}`)).hooks
  assert.equal(hook.deliveryUrl, 'http://127.0.0.1:9/hooks')
  assert.match(
    (await ann.get('/dev')).words,
    /Get the first access token Open .* Add an endpoint for webhooks Done First webhook acknowledged Open/,
  )

  const { createPrivateKey } = await import('node:crypto')
  assert.equal(createPrivateKey(pem).asymmetricKeyType, 'rsa')
  const [, saved = ''] =
    /href="data:application\/x-pem-file;base64,([\w+/=]+)" download="private-key.pem"/.exec(text) ?? []
  assert.equal(Buffer.from(saved, 'base64').toString().trim(), pem.trim())
  const keys = (await world.call('GET', `/apps/${appId}`)).keys
  assert.deepEqual(
    keys.map((key: { kid: string }) => key.kid),
    [kid],
  )
  const second = await ann.send(`${path}/keys`, {}, `${path}/keys`)
  assert.match(second.text, /BEGIN PRIVATE KEY/)
})

test('the curl code beside a new key gets a token with the settings of the page', async t => {
  const ann = await developer()
  const { text } = await newApp(ann)
  const codeOf = (id: string) =>
    new RegExp(`<code id="${id}">([^<]*)</code>`).exec(text)?.[1]?.replaceAll('&#39;', "'").replaceAll('&quot;', '"') ??
    assert.fail(id)
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-key-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'private-key.pem'), codeOf('private-key'))
  const settings = codeOf('env')
    .split('\n')
    .map(line => line.split(/=(.*)/s).slice(0, 2))
  assert.deepEqual(settings.at(-1), ['TILLHOOK_PRIVATE_KEY', 'private-key.pem'])
  // The arguments of curl instead of the call: the service of this test does not listen.
  const script = `curl() { printf '%s\\n' "$@"; }\n${codeOf('token-3-code').replaceAll('&amp;', '&')}`
  const env = { PATH: process.env.PATH, ...Object.fromEntries(settings) }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env })
  const [, url, , grantType = '', , assertion = ''] = stdout.split('\n')
  assert.equal(url, `${world.app.ports.settings.baseUrl}/token`)
  const form = new URLSearchParams()
  for (const [name = '', value = ''] of [grantType, assertion].map(field => field.split(/=(.*)/s)))
    form.set(name, value)
  const answer = await world.app.http.inject({
    ...{ method: 'POST', url: '/token', payload: form.toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.match((await ann.get('/dev')).words, /Get the first access token Done/)
})

test('wrong input is shown beside its field, stays in the form, and creates nothing', async () => {
  const ann = await developer()
  const { path, packageName, appId } = await newApp(ann)
  const again = await ann.send('/dev/apps/new', { name: 'Another', packageName })
  assert.equal(again.status, 400)
  assert.match(again.words, /Another app has this packageName/)
  assert.match(again.text, /value="Another"/)
  for (const deliveryUrl of ['', 'https://', 'ftp://a.example', 'http://10.0.0.1/', 'http://user:pass@a.example/']) {
    const answer = await ann.send(`${path}/endpoint`, { deliveryUrl, eventTypes }, `${path}/endpoint`)
    assert.equal(answer.status, 400, deliveryUrl)
  }
  assert.deepEqual((await world.call('GET', `/hooks?applicationId=${appId}`)).hooks, [])
})

test('a form that is sent twice creates one app and one endpoint', async () => {
  const ann = await developer()
  const { path, appId } = await newApp(ann)
  for (const word of ['added', 'renewed']) {
    const answer = await ann.send(
      `${path}/endpoint`,
      { deliveryUrl: 'http://127.0.0.1:9/', eventTypes },
      `${path}/endpoint`,
    )
    assert.match(answer.words, new RegExp(`Endpoint ${word}`))
  }
  assert.equal((await world.call('GET', `/hooks?applicationId=${appId}`)).hooks.length, 1)
})

test('another organization gets 404 for an app, and a viewer sees every page without buttons', async () => {
  const ann = await developer()
  const { path } = await newApp(ann)
  const eve = await developer()
  for (const url of [path, `${path}/release`, `${path}/endpoint`]) assert.equal((await eve.get(url)).status, 404, url)
  assert.equal((await ann.get('/dev/apps/00000000-0000-7000-8000-000000000000')).status, 404)
  const vic = await developer('VIEWER', ann.organizationId)
  const { status, text } = await vic.get(path)
  assert.equal(status, 200)
  assert.doesNotMatch(text, /New release|Add an endpoint|Create a key/)
  assert.equal((await vic.get(`${path}/release`)).status, 403)
})
