import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { visiting } from '../merchant/merchant.fixture.ts'

let world: World
let olga: ReturnType<typeof visiting>
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, person)
  olga = visiting(world, person.token)
})
after(() => world?.close())

const developer = async (organizationId: string, role: 'ADMIN' | 'MEMBER' = 'ADMIN') =>
  visiting(world, (await newPerson(world, { kind: 'DEVELOPER', organizationId }, role)).token)

const RATE = { country: 'DE', validFrom: '2026-01-01', behavior: 'EXCLUSIVE', name: 'VAT', rate: '19' }

test("the operator adds, schedules and removes rates, and today's rate is marked", async () => {
  assert.match((await olga.get('/ops/tax')).words, /No tax rates/)
  for (const rate of [
    RATE,
    { ...RATE, validFrom: '2025-01-01', rate: '16' },
    { ...RATE, validFrom: '2027-01-01', rate: '21,5' },
  ]) {
    assert.equal((await olga.send('/ops/tax', rate, '/ops/tax/rates')).location, '/ops/tax?done=set')
  }
  const { words } = await olga.get('/ops/tax')
  for (const row of [
    'Germany 1 January 2027 VAT 21.5% Added to the price Planned',
    'Germany 1 January 2026 VAT 19% Added to the price Current',
    'Germany 1 January 2025 VAT 16% Added to the price Past',
  ]) {
    assert.ok(words.includes(row), words)
  }
  const gone = { country: 'DE', validFrom: '2025-01-01' }
  for (const _ of [1, 2]) {
    assert.equal((await olga.send('/ops/tax', gone, '/ops/tax/rates/remove')).location, '/ops/tax?done=removed')
  }
  const { list } = await world.call('GET', '/tax-rates')
  assert.deepEqual(
    list.map(({ validFrom, rate }: { validFrom: string; rate: string }) => [validFrom, rate]),
    [
      ['2027-01-01', '21.5'],
      ['2026-01-01', '19'],
    ],
  )
})

test('wrong entries are shown and stay in the form', async () => {
  const wrong = { country: '', validFrom: '2026-02-31', behavior: 'EXCLUSIVE', name: ' ', rate: '101' }
  const { status, words, text } = await olga.send('/ops/tax', wrong, '/ops/tax/rates')
  assert.equal(status, 400)
  for (const problem of [
    'Choose a country.',
    'Enter the first day',
    'Enter the name of the tax',
    'Enter a rate from 0 to 100',
  ]) {
    assert.ok(words.includes(problem), words)
  }
  assert.ok(text.includes('value="101"'))
})

test('a developer uses the platform’s rates by default, or own rates, and sets the seller data', async () => {
  const { organizationId } = await world.developer('taxed')
  const dora = await developer(organizationId)
  await olga.send('/ops/tax', RATE, '/ops/tax/rates')
  const before = await dora.get('/dev/tax')
  assert.match(before.words, /Germany 1 January 2026 VAT 19%/)
  assert.doesNotMatch(before.words, /Set a rate/)
  assert.equal((await dora.send('/dev/tax', { source: 'OWN' }, '/dev/tax/source')).location, '/dev/tax?done=chosen')
  assert.match((await dora.get('/dev/tax')).words, /No tax rates.*Set a rate/)
  const own = { ...RATE, country: 'FR', behavior: 'INCLUSIVE', rate: '20' }
  assert.equal((await dora.send('/dev/tax', own, '/dev/tax/rates')).location, '/dev/tax?done=set')
  assert.match((await dora.get('/dev/tax')).words, /France 1 January 2026 VAT 20% Included in the price Current/)
  const bad = await dora.send(
    '/dev/tax',
    { legalName: '', line1: '', city: '', postalCode: '', countryCode: 'XX', taxId: '' },
    '/dev/tax/seller',
  )
  assert.equal(bad.status, 400)
  assert.match(bad.words, /Enter the legal name.*Choose a country/)
  const seller = {
    legalName: 'Apps <GmbH>',
    line1: 'Hafenstr. 1',
    city: 'Hamburg',
    postalCode: '',
    countryCode: 'DE',
    taxId: 'DE123456789',
  }
  assert.equal((await dora.send('/dev/tax', seller, '/dev/tax/seller')).location, '/dev/tax?done=named')
  const { address, taxId } = await world.call('GET', `/organizations/${organizationId}/seller`)
  assert.deepEqual([address, taxId], [{ line1: 'Hafenstr. 1', city: 'Hamburg', countryCode: 'DE' }, 'DE123456789'])
  assert.ok((await dora.get('/dev/tax')).text.includes('Apps &lt;GmbH&gt;'))
})

test('a member reads the settings and cannot change them, and another organization’s rates are hidden', async () => {
  const [one, other] = [await world.developer('one'), await world.developer('other')]
  const dora = await developer(one.organizationId)
  await dora.send('/dev/tax', { source: 'OWN' }, '/dev/tax/source')
  await dora.send('/dev/tax', { ...RATE, country: 'PL' }, '/dev/tax/rates')
  const max = await developer(one.organizationId, 'MEMBER')
  const { text, words } = await max.get('/dev/tax')
  assert.match(words, /Poland 1 January 2026/)
  assert.doesNotMatch(text, /action="\/dev\/tax/)
  const stranger = await developer(other.organizationId)
  assert.doesNotMatch((await stranger.get('/dev/tax')).words, /Poland 1 January 2026/)
  assert.equal((await stranger.get('/ops/tax')).status, 404)
})
