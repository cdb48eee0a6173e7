import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { VERSION } from '../../version.ts'
import { formOf, visiting } from '../merchant/merchant.fixture.ts'
import { operator } from '../webhooks/webhooks.fixture.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

test('the system page shows the version, the health, the job runs and the queued mails', async () => {
  const olga = await operator(world)
  await world.app.jobs.renewals.runOnce()
  const { words } = await olga.get('/ops/system')
  assert.ok(words.includes(`Version ${VERSION}`))
  assert.match(words, /Database Up Quarantined rows 0 Charges with unknown outcome 0/)
  assert.match(words, /renewals 1 March 2026 at 10:00:00 UTC Done/)
  assert.match(words, /Queued mails \d/)
  assert.match(words, new RegExp(`This page comes from \\S+:${process.pid} ?, role all Started 1 March 2026`))
})

test('the home page shows the same status, and a viewer sees both pages', async () => {
  const vera = await operator(world, 'VIEWER')
  assert.match((await vera.get('/ops')).words, /Health .*Database Up/)
  assert.equal((await vera.get('/ops/system')).status, 200)
})

test('a developer has no system page', async () => {
  const workspace = { kind: 'DEVELOPER', organizationId: world.organizationId } as const
  const ann = await newPerson(world, workspace, 'ADMIN')
  assert.equal((await visiting(world, ann.token).get('/ops/system')).status, 404)
})

test('the operator rotates the signing key, a double press rotates once, and a viewer cannot', async () => {
  const path = '/ops/system/signing-keys'
  const kids = async () =>
    (await world.call('GET', '/.well-known/jwks.json')).keys.map(({ kid }: { kid: string }) => kid)
  const [before] = await kids()
  const olga = await operator(world)
  assert.match((await olga.get('/ops/system')).text, new RegExp(`href="${path}"`))
  assert.match((await olga.get(path)).words, new RegExp(`${before} .* Signs`))
  assert.equal((await olga.send(path)).location, '/ops/system?done=rotated')
  assert.equal((await olga.send(path)).location, '/ops/system?done=rotated')
  assert.match((await olga.get('/ops/system?done=rotated')).words, /Signing key rotated/)
  assert.match((await olga.get(path)).words, /Signs .* Next/)
  world.clock.set('2026-03-01T10:02:00Z')
  assert.equal((await kids()).length, 2)
  const vera = await operator(world, 'VIEWER')
  assert.doesNotMatch((await vera.get('/ops/system')).words, /Rotate the signing key/)
  assert.equal((await vera.get(path)).status, 403)
})

test('a test mail goes to the person who presses, once however often; the page shows waiting, then sent; a viewer has no button', async () => {
  const path = '/ops/system'
  const olga = await operator(world)
  await world.mails()
  const pressed = await Promise.all([0, 1].map(() => olga.send(path, {}, `${path}/test-mail`)))
  assert.deepEqual(
    pressed.map(({ location }) => location),
    [`${path}#mail`, `${path}#mail`],
  )
  const waiting = await olga.get(path)
  assert.match(waiting.words, /The test mail waits/)
  assert.match(waiting.text, /data-refresh="2"/)
  const mails = await world.mails()
  assert.deepEqual(
    mails.map(({ to, subject }) => [to, subject]),
    [[olga.person.email, 'Test mail from Tillhook']],
  )
  const sent = await olga.get(path)
  assert.match(sent.words, /Test mail sent To \S+@\S+, 1 March 2026/)
  assert.doesNotMatch(sent.text, /data-refresh/)
  const vera = await operator(world, 'VIEWER')
  assert.doesNotMatch((await vera.get(path)).words, /Send a test mail|Test mail sent/)
})

test('a note about an organization, an app or a merchant is added once by a form sent twice', async () => {
  const { organizationId, appId } = await world.developer()
  const { businessId } = await world.merchant({ type: 'MERCHANT' })
  const olga = await operator(world)
  for (const page of [
    `/ops/organizations/${organizationId}`,
    `/ops/apps/${appId.slice('urn:aid:'.length)}`,
    `/ops/merchants/${businessId}`,
  ]) {
    const { hidden = {} } = formOf((await olga.get(page)).text, `${page}/notes`) ?? {}
    const fields = { ...hidden, text: ' Pays by <invoice>.\r\nAsk Ann. ' }
    for (let times = 0; times < 2; times++)
      assert.equal((await olga.post(`${page}/notes`, fields)).location, `${page}#notes`)
    assert.equal((await olga.send(page, { text: '  ' }, `${page}/notes`)).status, 303)
    const { text, words } = await olga.get(page)
    assert.equal(text.split('Pays by &lt;invoice&gt;.<br>Ask Ann.').length, 2, page)
    assert.match(words, /Notes Ann Baker/)
    const { entries } = await world.call('GET', `/audit?kind=NOTE&resourceId=${hidden.noteId}`)
    assert.equal(entries.length, 1, page)
  }
})

test('a viewer reads notes and writes none, and an unknown subject is not found', async () => {
  const { businessId } = await world.merchant({ type: 'MERCHANT' })
  const page = `/ops/merchants/${businessId}`
  const olga = await operator(world)
  assert.equal((await olga.send(page, { text: 'Moved to Lyon' }, `${page}/notes`)).status, 303)
  const viewer = await operator(world, 'VIEWER')
  const seen = await viewer.get(page)
  assert.match(seen.words, /Moved to Lyon/)
  assert.equal(formOf(seen.text, `${page}/notes`), null)
  const { hidden = {} } = formOf((await olga.get(page)).text, `${page}/notes`) ?? {}
  const csrf = /name="csrf" value="([^"]+)"/.exec((await viewer.get('/account')).text)?.[1] ?? ''
  assert.equal((await viewer.post(`${page}/notes`, { ...hidden, csrf, text: 'No' })).status, 403)
  for (const fields of [{ noteId: 'one' }, { text: 'x'.repeat(4_001) }]) {
    assert.equal((await olga.post(`${page}/notes`, { ...hidden, text: 'No', ...fields })).status, 400)
  }
  assert.equal((await olga.post(`/ops/merchants/${v7()}/notes`, { ...hidden, text: 'No' })).status, 404)
  assert.doesNotMatch((await olga.get(page)).words, /Notes .*No /)
})
