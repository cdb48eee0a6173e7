import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { renderSVG } from 'uqr'
import { newEmail, newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { formOf, type Visitor, visiting } from '../merchant/merchant.fixture.ts'

let world: World
let olga: Visitor
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
  olga = await operator()
})
after(() => world?.close())

async function operator(role: PersonRole = 'ADMIN'): Promise<Visitor> {
  const person = await newPerson(world, { kind: 'OPERATOR' }, role)
  await proveSecondFactor(world, person)
  return { person, ...visiting(world, person.token) }
}

const PLAN = {
  ...{ name: 'Basic', interval: 'MONTH', scope: 'BUSINESS' },
  amounts: [{ country: 'US', currency: 'USD', value: 500 }],
}

async function newApp() {
  const { appId, organizationId } = await world.developer()
  const app = appId.slice('urn:aid:'.length)
  const submit = async (plans: object[], version = '1.0') => {
    const { releaseId } = await world.call('POST', `/apps/${appId}/releases`, { version, plans })
    return { releaseId, path: `/ops/reviews/${app}/${releaseId}` }
  }
  const stateOf = async (releaseId: string) => (await world.call('GET', `/apps/${appId}/releases/${releaseId}`)).status
  return { appId, app, organizationId, submit, stateOf }
}

test('the home page lists the pending tasks with links, and a review approves a release', async () => {
  const home = await olga.get('/my')
  assert.equal(home.location, '/ops')
  const { submit, stateOf } = await newApp()
  const { releaseId, path } = await submit([PLAN])
  assert.match((await olga.get('/ops')).words, /Needs you .*release(s wait| waits) for review .*Approve or reject/)
  const queue = await olga.get('/ops/reviews')
  assert.ok(queue.text.includes(`href="${path}"`))
  assert.equal((await olga.send(path, {}, `${path}/approve`)).location, `${path}?done=approved`)
  assert.equal(await stateOf(releaseId), 'APPROVED')
  assert.match((await olga.get(`${path}?done=approved`)).words, /on sale\. (Next review|Back to the reviews)/)
  assert.ok(!(await olga.get('/ops/reviews')).text.includes(path))
  assert.ok((await olga.get('/ops/reviews?status=APPROVED')).text.includes(path))
})

test('a review shows each changed term beside the approved one, and what is new', async () => {
  const { submit } = await newApp()
  const first = await submit([PLAN])
  await olga.send(first.path, {}, `${first.path}/approve`)
  const dearer = { ...PLAN, amounts: [{ country: 'US', currency: 'USD', value: 700 }] }
  const next = await submit([dearer, { ...PLAN, name: '<b>Large</b>' }], '1.1')
  const { words, text } = await olga.get(next.path)
  assert.match(words, /Compared with 1\.0/)
  assert.match(words, /Basic Changed/)
  assert.match(text, /<ins>US \$7\.00<\/ins><br><del>US \$5\.00<\/del>/)
  assert.ok(text.includes('&lt;b&gt;Large&lt;/b&gt;'))
})

test('a rejection needs a reason, is decided once, and the page shows the reason', async () => {
  const { submit, stateOf } = await newApp()
  const { releaseId, path } = await submit([PLAN])
  const form = formOf((await olga.get(path)).text, `${path}/reject`)
  assert.ok(form)
  const empty = await olga.post(`${path}/reject`, { ...form.hidden, reason: '  ' })
  assert.match(`${empty.status} ${empty.words}`, /^400 .*Say what the developer must change/)
  const [, template = ''] = /name="reason"[^>]*>\n([^<]*)</.exec((await olga.get(`${path}?template=plans`)).text) ?? []
  assert.match((await olga.post(`${path}/reject`, { ...form.hidden, reason: template })).words, /Replace the …/)
  assert.equal(await stateOf(releaseId), 'SUBMITTED')
  const sent = { ...form.hidden, reason: 'Ask for fewer permissions.' }
  assert.equal((await olga.post(`${path}/reject`, sent)).location, `${path}?done=rejected`)
  assert.equal((await olga.post(`${path}/approve`, form.hidden)).location, path)
  assert.equal(await stateOf(releaseId), 'REJECTED')
  const { words } = await olga.get(path)
  assert.match(words, /Why it was rejected Ask for fewer permissions\./)
  assert.doesNotMatch(words, /Decision/)
})

test('a question keeps the release in review, is mailed once and answered on the page of the developer', async () => {
  const { submit, stateOf, app, appId, organizationId } = await newApp()
  const { releaseId, path } = await submit([PLAN], '3.1')
  await world.mails()
  const { text: page } = await olga.get(`${path}?template=permissions`)
  assert.match(page, /<textarea[^>]*name="reason"[^>]*>\nThe app asks for permissions/)
  const ask = formOf(page, `${path}/ask`)
  const sent = { ...ask?.hidden, text: 'Why <the camera>?' }
  for (const _ of [1, 2]) assert.equal((await olga.post(`${path}/ask`, sent)).location, `${path}?done=asked`)
  const long = await olga.post(`${path}/ask`, { ...sent, text: 'x'.repeat(2_001) })
  assert.deepEqual([long.status, /Enter at most 2000 characters/.test(long.words)], [400, true])
  const mails = (await world.mails()).filter(({ subject }) => subject.endsWith('3.1'))
  assert.deepEqual([mails.length, mails[0]?.text.includes('Question: Why <the camera>?')], [1, true])
  const ann = visiting(world, (await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')).token)
  const own = `/dev/apps/${app}/releases/${releaseId}`
  const shown = await ann.get(own)
  assert.match(shown.text, /Question of the operator<.*Why &lt;the camera&gt;\?/s)
  assert.equal((await ann.send(own, { text: 'To scan.' }, `${own}/answer`)).location, `${own}?done=answered`)
  assert.match((await olga.get(path)).words, /Answer of the developer .*To scan\./)
  assert.match((await olga.get('/ops/reviews')).words, /Waiting for review Answered/)
  assert.equal(await stateOf(releaseId), 'SUBMITTED')
  const { messages } = await world.call('GET', `/apps/${appId}/releases/${releaseId}`)
  assert.deepEqual(
    messages.map(({ author, text }: { author: string; text: string }) => [author, text]),
    [
      ['OPERATOR', 'Why <the camera>?'],
      ['DEVELOPER', 'To scan.'],
    ],
  )
  const stranger = await world.developer()
  const bo = { kind: 'DEVELOPER', organizationId: stranger.organizationId } as const
  const other = visiting(world, (await newPerson(world, bo, 'ADMIN')).token)
  assert.equal((await other.get(own)).status, 404)
  await olga.send(path, {}, `${path}/approve`)
  assert.equal((await olga.post(`${path}/ask`, { ...sent, messageId: releaseId })).location, path)
  assert.equal((await world.call('GET', `/apps/${appId}/releases/${releaseId}`)).messages.length, 2)
})

test('an organization is created once by a form that is sent twice, and its first member is invited', async () => {
  const name = 'Épicerie <script>'
  const form = formOf((await olga.get('/ops/organizations/new')).text)
  const sent = { ...form?.hidden, name, email: 'dev@epicerie.example' }
  const [once, twice] = [
    await olga.post('/ops/organizations/new', sent),
    await olga.post('/ops/organizations/new', sent),
  ]
  assert.deepEqual([once.status, once.location], [303, twice.location])
  const listed = await olga.get(`/ops/organizations?q=${encodeURIComponent('épic')}`)
  assert.equal(listed.text.split('Épicerie &lt;script&gt;</a>').length, 2)
  const path = once.location.split('?')[0] ?? ''
  const email = newEmail()
  const invited = await olga.send(`${path}/invite`, { email, role: 'ADMIN' })
  assert.equal(invited.location, `${path}?done=invited`)
  assert.ok((await olga.get(path)).words.includes(email))
  const mails = (await world.mails()).filter(({ to }) => to === email)
  assert.equal(mails.length, 1)
})

test('the form of a new organization shows the errors and keeps the entered values', async () => {
  const { status, words, text } = await olga.send('/ops/organizations/new', { name: ' ', email: 'nowhere' })
  assert.equal(status, 400)
  assert.match(words, /Enter the name of the organization.*Enter an e-mail address/)
  assert.ok(text.includes('value="nowhere"'))
})

test('an app that the operator disables loses its tokens until the operator enables it', async () => {
  const { app, appId } = await newApp()
  const path = `/ops/apps/${app}`
  const stateOf = async () => (await world.call('GET', `/apps/${appId}`)).disabledBy
  assert.equal((await olga.send(`${path}/disable`)).location, `${path}?done=disabled`)
  assert.equal(await stateOf(), 'OPERATOR')
  assert.match((await olga.get(path)).words, /Disabled by the operator/)
  assert.equal((await olga.send(`${path}/enable`)).location, `${path}?done=enabled`)
  assert.equal(await stateOf(), undefined)
})

test('a merchant is found by its name and shows subscriptions, invoices and terminals', async () => {
  const { businessId, subscribe } = await world.merchant()
  await subscribe(await world.plan({ name: 'Espresso' }))
  await world.work()
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Harbour' })
  const device = { name: 'Till 7', serialNumber: 'S-7' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  const path = `/ops/merchants/${businessId}`
  const tested = visiting(world, `${olga.person.token}; tillhook-mode=test.${olga.person.membershipId}`)
  assert.ok((await tested.get(`/ops/merchants?q=${businessId}`)).text.includes(`href="${path}"`))
  const live = await olga.get(`/ops/merchants?q=${businessId}`)
  assert.match(live.words, /No merchants found Test merchants are under Test\./)
  const { words } = await olga.get(path)
  assert.match(words, /Espresso .*\$5\.00 .*Active/)
  assert.match(words, /Invoices.*Paid/)
  assert.match(words, /Harbour.*Till 7.*S-7.*Not activated.*Never/)
  const activate = `${path}/terminals/${deviceId.slice('urn:tid:'.length)}/activate`
  const made = await olga.send(path, {}, activate)
  assert.equal(made.status, 200)
  const code = /id="code"[^>]*>([^<]+)</.exec(made.text)?.[1] ?? ''
  assert.match(code, /^[0-9A-Z-]{16,}$/)
  assert.ok(made.text.includes(renderSVG(`service-store:activate?code=${code}`)))
  assert.ok(!(await olga.get(path)).text.includes(code))
  assert.equal((await olga.get(activate)).location, path)
})

test('the operator creates a merchant, a store, a terminal and an invitation, each once by a form sent twice', async () => {
  const twice = async (path: string, fields: Record<string, string>) => {
    const sent = { ...formOf((await olga.get(path)).text)?.hidden, ...fields }
    const once = await olga.post(path, sent)
    assert.deepEqual([once.status, once.location], [303, (await olga.post(path, sent)).location], once.words)
    return once.location.split('?')[0] ?? ''
  }
  const legalName = 'مقهى الميناء <script>'
  const email = newEmail()
  const merchant = { legalName, doingBusinessAs: '', country: 'FR', timezone: 'Europe/Paris', type: 'MERCHANT' }
  const path = await twice('/ops/merchants/new', { ...merchant, emailAddress: 'cafe@harbour.example' })
  await twice(`${path}/stores/new`, { displayName: 'Pier 4' })
  const add = /href="([^"]+terminals\/new)"/.exec((await olga.get(path)).text)?.[1] ?? assert.fail('the store')
  const terminal = await twice(add, { name: 'Till 1', serialNumber: 'H-1' })
  assert.match((await olga.get(terminal)).words, /Till 1 Not activated .*H-1 .*New activation code/)
  await twice(`${path}/invite`, { email, role: 'OWNER' })
  const { text, words } = await olga.get(path)
  assert.ok(text.includes('مقهى الميناء &lt;script&gt;'))
  assert.match(words, new RegExp(`Pier 4 .*Till 1 H-1 .*Invitations .*${email} Owner .*Europe/Paris`))
  const { stores } = await world.call('GET', `/businesses/${path.split('/').at(-1)}`)
  assert.deepEqual(
    stores.map((store: { devices: object[] }) => store.devices.length),
    [1],
  )
  assert.equal((await world.mails()).filter(({ to }) => to === email).length, 1)
})

test('the forms about a merchant show the errors, keep the entered values and create nothing', async () => {
  const typed = {
    legalName: 'x'.repeat(200),
    doingBusinessAs: '',
    emailAddress: 'nowhere',
    country: '',
    timezone: 'UTC',
    type: 'MERCHANT',
  }
  const empty = await olga.send('/ops/merchants/new', typed)
  assert.equal(empty.status, 400)
  assert.match(empty.words, /Enter an e-mail address\. Choose a country\./)
  assert.ok(empty.text.includes(`value="${typed.legalName}"`) && empty.text.includes('value="nowhere"'))
  const wrong = { ...typed, emailAddress: 'a@b.example', country: 'ZZ', timezone: 'Nowhere' }
  assert.match((await olga.send('/ops/merchants/new', wrong)).words, /must be an ISO 3166-1/)
  const { businessId } = await world.merchant()
  const path = `/ops/merchants/${businessId}`
  assert.match((await olga.send(`${path}/stores/new`, { displayName: ' ' })).words, /Enter the name of the store/)
  assert.match((await olga.send(`${path}/invite`, { email: 'x', role: 'OWNER' })).words, /Enter an e-mail address/)
  const none = '018f0000-0000-7000-8000-000000000000'
  for (const each of [`${path}/stores/${none}/terminals/new`, `/ops/merchants/${none}/invite`])
    assert.equal((await olga.get(each)).status, 404, each)
  const vera = await operator('VIEWER')
  for (const each of ['/ops/merchants/new', `${path}/stores/new`, `${path}/invite`])
    assert.equal((await vera.get(each)).status, 403, each)
  assert.doesNotMatch((await vera.get(path)).words, /Add a store|Invite a person/)
})

test('a viewer of the operator sees every page without buttons, and a submitted form is rejected', async () => {
  const vera = await operator('VIEWER')
  const { app, submit, stateOf } = await newApp()
  const { releaseId, path } = await submit([PLAN])
  const { csrf = '' } = formOf((await olga.get(path)).text, `${path}/approve`)?.hidden ?? {}
  for (const seen of [
    '/ops',
    '/ops/reviews',
    path,
    '/ops/organizations',
    '/ops/apps',
    `/ops/apps/${app}`,
    '/ops/money',
  ]) {
    const { status, text } = await vera.get(seen)
    assert.equal(status, 200, seen)
    assert.equal(formOf(text), null, seen)
  }
  assert.equal((await vera.get('/ops/organizations/new')).status, 403)
  assert.equal((await vera.post(`${path}/approve`, { csrf })).status, 403)
  assert.equal(await stateOf(releaseId), 'SUBMITTED')
})

test("a developer gets 404 on each of the operator's pages, and a form without its token changes nothing", async () => {
  const { app, organizationId, submit, stateOf } = await newApp()
  const { releaseId, path } = await submit([PLAN])
  const developer = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const dev = visiting(world, developer.token)
  for (const seen of ['/ops', '/ops/reviews', path, `/ops/organizations/${organizationId}`, `/ops/apps/${app}`]) {
    assert.equal((await dev.get(seen)).status, 404, seen)
  }
  assert.equal((await olga.post(`${path}/approve`, {})).status, 403)
  assert.equal(await stateOf(releaseId), 'SUBMITTED')
})

test('an unknown id is 404, and a search without words lists everything', async () => {
  const none = '018f0000-0000-7000-8000-000000000000'
  for (const path of [
    `/ops/reviews/${none}/${none}`,
    `/ops/organizations/${none}`,
    `/ops/apps/${none}`,
    `/ops/merchants/${none}`,
  ]) {
    assert.equal((await olga.get(path)).status, 404, path)
  }
  for (const path of ['organizations', 'apps', 'merchants']) {
    assert.equal((await olga.get(`/ops/${path}?q=...`)).status, 200)
  }
})

test('the audit page shows who changed what, with the values before and after, and filters', async () => {
  const { organizationId, appId, app } = await newApp()
  const oscar = await operator()
  const change = `/ops/apps/${app}/disable`
  assert.equal((await oscar.send(change)).status, 303)
  const page = await olga.get(`/ops/audit?resourceId=${encodeURIComponent(appId)}`)
  assert.match(page.words, /App changed .* \d values/)
  assert.match(page.words, new RegExp(`Ann Baker operator .*operator:${oscar.person.userId}`))
  assert.match(page.text, /<del>ACTIVE<\/del><ins>DISABLED<\/ins>/)
  assert.match(page.words, /App created/)
  const kinds = await olga.get(`/ops/audit?resourceId=${organizationId}&kind=ORGANIZATION`)
  assert.match(kinds.words, /Organization created/)
  assert.doesNotMatch(kinds.words, /App created/)
  const caller = await olga.get(`/ops/audit?principal=${encodeURIComponent(`operator:${oscar.person.userId}`)}`)
  const callers = new Set(caller.text.match(/operator:[0-9a-f-]{36}(?=<\/code>)/g))
  assert.deepEqual([...callers], [`operator:${oscar.person.userId}`])
  assert.match((await olga.get('/ops/audit?resourceId=nothing')).words, /No changes found .*Clear the filters/)
  for (const wrong of ['kind=NONE', 'after=x', 'from=today', `resourceId=${'x'.repeat(256)}`]) {
    assert.equal((await olga.get(`/ops/audit?${wrong}`)).status, 400, wrong)
  }
  const ofDays = async (days: string) =>
    (await olga.get(`/ops/audit?resourceId=${encodeURIComponent(appId)}&${days}`)).words
  assert.match(await ofDays('from=2020-01-01'), /App created/)
  assert.match(await ofDays('to=2020-01-01'), /No changes found/)
  const next = /href="([^"]+)"[^>]*>Next page/.exec((await olga.get('/ops/audit')).text)?.[1]?.replaceAll('&amp;', '&')
  assert.match((await olga.get(next ?? assert.fail('more than one page'))).words, /First page/)
  assert.equal((await (await operator('VIEWER')).get('/ops/audit')).status, 200)
})

test('the home of an installation without developers says what to do first', async () => {
  const fresh = await createWorld({ at: '2026-03-01T10:00:00Z' })
  try {
    const { sql } = fresh.app.ports.db
    await sql`delete from hooks`
    await sql`delete from app_keys`
    await sql`delete from apps`
    await sql`delete from organizations`
    const person = await newPerson(fresh, { kind: 'OPERATOR' }, 'ADMIN')
    await proveSecondFactor(fresh, person)
    const home = await visiting(fresh, person.token).get('/ops')
    assert.match(
      home.words,
      /First steps Create an organization and invite its developers, or send developers to .*\/join/,
    )
    assert.doesNotMatch(home.words, /Nothing needs you /)
  } finally {
    await fresh.close()
  }
})

test('the operator ends all subscriptions of a disabled app on its page, which shows the progress', async () => {
  const { appId, app } = await newApp()
  const planId = await world.plan({}, appId)
  const shop = await world.merchant({ type: 'MERCHANT' })
  const { subscriptionId } = await world.call('POST', `/apps/${appId}/subscriptions`, {
    businessId: shop.businessId,
    planId,
  })
  const path = `/ops/apps/${app}`
  assert.equal((await olga.get(`${path}/end`)).location, path, 'the app is on sale')
  assert.ok(!(await olga.get(path)).text.includes(`${path}/end`))
  await olga.send(`${path}/disable`, {})
  assert.ok((await olga.get(path)).text.includes(`href="${path}/end"`))
  assert.ok(!(await (await operator('VIEWER')).get(path)).text.includes(`href="${path}/end"`))
  assert.match((await olga.get(`${path}/end`)).words, /One subscription ends now/)
  assert.equal((await olga.send(`${path}/end`, { refund: 'on' })).location, path)
  assert.match((await olga.get(path)).words, /State Running Ended 0 of 1/)
  while ((await world.app.jobs.appEndings.runOnce()) > 0);
  assert.match((await olga.get(path)).words, /State Done Ended 1 of 1 Refunds 1/)
  assert.equal((await world.call('GET', `/apps/${appId}/subscriptions/${subscriptionId}`)).status, 'ENDED')
  assert.equal((await olga.get(`${path}/end`)).location, path, 'nothing is left to end')
})

test('missed charges wait on a page and on the home page until an operator decides; a viewer sees no form', async () => {
  const { sql } = world.app.ports.db
  const at = (hours: number) => new Date(world.clock.now().getTime() + hours * 3_600_000)
  assert.match((await olga.get('/ops/catch-up')).words, /Nothing was missed/)
  await sql`
    insert into billing_progress (last_run_at, outage_from, outage_until, state, goes_on_at)
    values (${at(0)}, ${at(-48)}, ${at(0)}, 'WAITING', ${at(4)})`
  assert.match((await olga.get('/ops')).words, /1 decision about missed charges/)
  assert.match((await olga.get('/ops/catch-up')).words, /Missed charges wait until .* Decide/)
  const viewer = await operator('VIEWER')
  assert.ok(!(await viewer.get('/ops/catch-up')).text.includes('name="decision"'))
  const wrong = await olga.send('/ops/catch-up', { decision: 'SPREAD', days: '0' })
  assert.deepEqual([wrong.status, /Enter a number of days from 1 to 60\./.test(wrong.words)], [400, true])
  await olga.send('/ops/catch-up', { decision: 'SPREAD', days: '3' })
  assert.match((await olga.get('/ops/catch-up')).words, /Spread over days Days 3 Decided/)
  assert.ok(!(await olga.get('/ops')).words.includes('missed charges'))
})

test('the developer gets one mail when a release is approved or rejected, with the reason', async () => {
  const { submit, stateOf } = await newApp()
  await world.mails()
  const [good, bad] = [await submit([PLAN], '7.1'), await submit([PLAN], '7.2')]
  await olga.send(good.path, {}, `${good.path}/approve`)
  await olga.send(bad.path, { reason: 'It crashes <at once>.' }, `${bad.path}/reject`)
  assert.deepEqual([await stateOf(good.releaseId), await stateOf(bad.releaseId)], ['APPROVED', 'REJECTED'])
  const mails = (await world.mails()).filter(({ subject }) => /7\.[12] is/.test(subject))
  assert.deepEqual(mails.map(({ subject }) => subject.replace(/.* (7)/, '$1')).sort(), [
    '7.1 is approved',
    '7.2 is rejected',
  ])
  const [rejected] = mails.filter(({ subject }) => subject.endsWith('rejected'))
  assert.match(rejected?.text ?? '', /Reason: It crashes <at once>\./)
  assert.ok(rejected?.html?.includes('It crashes &lt;at once&gt;.'))
})
