import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { createWorld, type World } from '../../../test/support/world.ts'
import { formOf } from '../merchant/merchant.fixture.ts'
import { operator } from '../webhooks/webhooks.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

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
    assert.equal(text.split('Pays by &lt;invoice&gt;.\nAsk Ann.').length, 2, page)
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
