import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newPerson, PASSWORD } from '../../../test/support/people.ts'
import { addAttempts } from '../../../test/support/webhooks.ts'
import { createWorld, type Json, type World } from '../../../test/support/world.ts'
import { formOf, visiting } from '../merchant/merchant.fixture.ts'
import { openStudio, operator, send } from './webhooks.fixture.ts'

const AT = '2026-03-01T10:00:00Z'
const DAY_MS = 86_400_000

let world: World
before(async () => {
  world = await createWorld({ at: AT })
})
after(() => world?.close())

const csrfIn = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
/** The body and the URL that a shell passes to curl. */
const argumentsOf = (page: string) => {
  const shown = /<code id="curl">([\s\S]*?)<\/code>/.exec(page)?.[1] ?? ''
  const command = shown.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const printed = execFileSync('sh', [
    '-c',
    `curl() { for last; do :; done; printf '%s\\n' "$last" "$1"; }\n${command}`,
  ])
  return printed.toString().trim().split('\n')
}
const hookOf = (hookId: string): Promise<Json> => world.call('GET', `/hooks/${hookId}`)
const setHealth = async (hookId: string, row: Json): Promise<void> => {
  const { sql } = world.app.ports.db
  await sql`delete from hook_health where hook_id = ${hookId}`
  await sql`insert into hook_health ${sql({ failures: 7, opened: 0, hook_id: hookId, ...row })}`
}
const jobsOf = async (appId: string): Promise<Json[]> =>
  (await world.call('GET', `/apps/${appId}/deliveries/redeliveries`)).redeliveries

test('developers see the hooks of their organization, operators all hooks, and other hooks are not found', async t => {
  const [mine, other] = [await openStudio(t, world), await openStudio(t, world)]
  const [ann, eve, oscar] = [await mine.developer('VIEWER'), await other.developer(), await operator(world)]
  await world.call('POST', `/businesses/${mine.businessId}/approvals`, { appId: mine.appId })
  await mine.hook({ businessId: mine.businessId, eventTypes: ['ORDER_OPENED'] })
  const { text, words } = await ann.get('/webhooks')
  assert.match(
    words,
    /Only webhooks of Stories, all merchants SUBSCRIPTION_END, SUBSCRIPTION_START and 1 more No attempts 0 Active/,
  )
  assert.doesNotMatch(words, /Add an endpoint/, 'a viewer adds none')
  assert.ok(words.includes(`merchant ${mine.businessId}`))
  assert.ok(words.includes(mine.listener.url) && !words.includes(other.listener.url))
  assert.match(text, /<a href="\/webhooks" aria-current="page">Webhooks<\/a>/)
  assert.ok((await oscar.get(`/webhooks?app=${mine.uuid}`)).words.includes(mine.listener.url))
  assert.match((await oscar.get(mine.path)).text, /Developer<.*href="mailto:dev@/s)
  assert.doesNotMatch((await ann.get(mine.path)).text, /mailto:/)

  await mine.notify()
  const [{ id }] = await mine.history()
  const own = await ann.get(mine.pathOf(id))
  assert.equal(own.status, 200)
  const csrf = csrfIn((await eve.get(other.path)).text)
  for (const path of [mine.path, `${mine.path}/off`, `${mine.path}/on`, mine.pathOf(id)]) {
    assert.equal((await eve.get(path)).status, 404, path)
  }
  // Another hook's delivery at the address of the developer's hook.
  assert.equal((await eve.get(other.pathOf(id))).status, 404)
  for (const what of ['/test', '/off', '/on', `/notifications/${id}/again`]) {
    assert.equal((await eve.post(`${mine.path}${what}`, { csrf, missed: 'SEND' })).status, 404, what)
  }
  assert.equal((await eve.post(`${other.pathOf(id)}/again`, { csrf })).status, 404)
  assert.equal((await eve.get(`/webhooks?app=${mine.uuid}`)).status, 404)
  assert.equal((await oscar.get(`/webhooks?app=${v7()}`)).status, 404)
  assert.equal((await hookOf(mine.hookId)).active, true)
  assert.equal(mine.listener.received.length, 1)

  const person = await newPerson(world, { kind: 'MERCHANT', businessId: mine.businessId }, 'OWNER')
  const shop = visiting(world, person.token)
  for (const path of ['/webhooks', mine.path, mine.pathOf(id)]) assert.equal((await shop.get(path)).status, 403, path)
  assert.doesNotMatch((await shop.get('/account')).text, /href="\/webhooks"/)
})

test('a hook is listed with its health in words', async t => {
  const { hookId, uuid, path, developer } = await openStudio(t, world)
  const ann = await developer()
  const { sql } = world.app.ports.db
  const shown = async () => [(await ann.get(`/webhooks?app=${uuid}`)).words, (await ann.get(path)).words]
  const expectWords = async (expected: RegExp) => {
    for (const words of await shown()) assert.match(words, expected)
  }
  const failed = { failing_since: '2026-03-01T09:00:00Z', last_failure: '500', last_failed_at: '2026-03-01T09:59:30Z' }
  const since = 'since 1 March 2026 at 09:00:00 UTC'
  await expectWords(/Active/)
  await setHealth(hookId, failed)
  await expectWords(
    new RegExp(`Failing.*It failed 7 times in a row, ${since}\\. .*HTTP 500, on 1 March 2026 at 09:59:30 UTC`),
  )
  await setHealth(hookId, { ...failed, opened: 1, open_until: '2026-03-01T10:05:00Z' })
  await expectWords(
    new RegExp(`Paused.*Nothing is sent until 1 March 2026 at 10:05:00 UTC: it failed 7 times in a row, ${since}`),
  )
  await setHealth(hookId, { ...failed, opened: 1, open_until: AT })
  await expectWords(/Probing.*The next attempt tests whether the endpoint has recovered/)
  await setHealth(hookId, { failures: 0 })
  await expectWords(/Slow.*takes over 1\.5 seconds/)
  for (const [reason, words] of [
    [
      'failing',
      /Disabled.*Disabled automatically: every attempt failed for three days\..*No deliveries have been recorded for it since 1 March/,
    ],
    ['gone', /Disabled.*the endpoint answered 410 Gone for a day/],
  ] as const) {
    await sql`
      update hooks set active = false, disabled_reason = ${reason}, off_since = ${failed.failing_since}
      where hook_id = ${hookId}`
    await expectWords(words)
  }
  await world.call('PATCH', `/hooks/${hookId}`, { active: false })
  await expectWords(/Switched off/)
})

test('the list continues page by page, and can be limited to one app', async t => {
  const { hook, uuid, developer, organizationId, listener } = await openStudio(t, world)
  const ann = await developer()
  for (let i = 0; i < 25; i++) await hook({ deliveryUrl: `${listener.url}/number-${i}-` })
  const packageName = `com.example.second${v7().replaceAll('-', '')}`
  const second = await world.call('POST', '/apps', { organizationId, name: 'Second App', packageName })
  await hook({ applicationId: second.appId })
  const pages: string[] = []
  let at: string | undefined = `/webhooks?app=${uuid}`
  for (let turn = 0; at !== undefined && turn < 5; turn++) {
    const { text, words } = await ann.get(at)
    assert.match(words, /Showing endpoints of Stories\./)
    pages.push(words)
    at = /href="([^"]*)"[^>]*>Next page/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.equal(pages.length, 2)
  assert.ok(pages[0]?.includes('number-23-') && !pages[0]?.includes('number-24-'))
  assert.ok(pages[1]?.includes('number-24-') && !pages[1]?.includes('Second App'))
  assert.match((await ann.get(`/webhooks?app=${second.appId.slice(8)}`)).words, /Showing endpoints of Second App/)
  assert.match(
    (await ann.get(`/webhooks?app=${uuid}&after=ffffffff-ffff-7fff-bfff-ffffffffffff`)).words,
    /No webhooks here/,
  )
  for (const wrong of ['app=urn:aid:1', 'app=', 'after=x', `app=${uuid}&app=${uuid}`, `after=${'1'.repeat(5_000)}`]) {
    assert.equal((await ann.get(`/webhooks?${wrong}`)).status, 400, wrong)
  }
})

test("a hook's page shows everything but the secret, and its notifications by state", async t => {
  const { path, hookId, listener, notify, history, developer, hook } = await openStudio(t, world)
  const ann = await developer()
  assert.match((await ann.get(path)).words, /No deliveries yet/)
  await notify(2)
  listener.reply = 500
  await notify(1)
  await notify(1, false)
  const all = await ann.get(path)
  assert.ok(!all.text.includes('a secret word'))
  assert.ok(all.words.includes(hookId) && all.words.includes('SUBSCRIPTION_START'))
  const counts = async (status: string) =>
    (await ann.get(`${path}?status=${status}`)).text.match(/href="\/webhooks\/[^"]*\/notifications\//g)?.length ?? 0
  assert.deepEqual(
    [await counts('DELIVERED'), await counts('ERRORED_RETRYING'), await counts('SCHEDULED'), await counts('ERRORED')],
    [2, 1, 1, 0],
  )
  assert.match((await ann.get(`${path}?status=ERRORED`)).words, /No matching deliveries/)
  await notify(24, false)
  const first = await ann.get(path)
  const next = /href="([^"]*)"[^>]*>Next page/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await ann.get(next)
  const idsIn = (text: string) => [...text.matchAll(/\/notifications\/([0-9a-f-]{36})/g)].map(([, id]) => id)
  assert.deepEqual(
    [...idsIn(first.text), ...idsIn(second.text)],
    (await history()).map(({ id }: Json) => id),
  )
  assert.match(second.words, /First page/)
  for (const wrong of ['done=nothing', 'status=ERRORED&status=ERRORED']) {
    assert.equal((await ann.get(`${path}?${wrong}`)).status, 400, wrong)
  }
  assert.equal((await ann.get('/webhooks/nonsense')).status, 400)
  const long = await hook({ deliveryUrl: `${listener.url}/${'a'.repeat(1_500)}<b>` })
  assert.equal((await ann.get(`/webhooks/${long}`)).status, 200)
})

test('a notification is shown as sent, with every attempt, and a redelivery sends the same bytes', async t => {
  const { listener, notify, history, developer, path, pathOf } = await openStudio(t, world)
  const ann = await developer()
  listener.reply = (_received, response) => void response.writeHead(500).end('<b>no</b> thanks')
  await notify()
  const [{ id, resourceId }] = await history()
  const failed = await ann.get(pathOf(id))
  assert.match(failed.words, /Retrying.*Attempts.*Failed HTTP 500 \d+ ms/)
  assert.ok(failed.text.includes('&lt;b&gt;no&lt;/b&gt; thanks'), 'what a listener answers is text')
  assert.ok(failed.words.includes(`"resourceId": "${resourceId}"`))
  assert.match(failed.text, /data-refresh="3"/)
  assert.deepEqual(argumentsOf(failed.text), [listener.received[0]?.text, listener.url])
  listener.reply = 200
  const again = `${pathOf(id)}/again`
  const fields = formOf(failed.text, again)?.hidden ?? {}
  const sent = await Promise.all([1, 2, 3].map(() => ann.post(again, fields)))
  assert.deepEqual(new Set(sent.map(({ location }) => location)), new Set([`${pathOf(id)}?done=again`]))
  await send(world)
  assert.equal(listener.received.length, 2, 'pressed three times at once, it is sent once')
  assert.equal(listener.received[1]?.text, listener.received[0]?.text)
  const delivered = await ann.get(`${pathOf(id)}?done=again`)
  assert.match(delivered.words, /Delivered.*Queued to be sent again.*Failed HTTP 500.*Acknowledged: HTTP 200/)
  assert.doesNotMatch(delivered.text, /data-refresh/)
  assert.equal((await ann.send(pathOf(id), {}, again)).status, 303)
  await send(world)
  assert.equal(listener.received.length, 3)
  const list = await ann.get('/webhooks')
  assert.match(list.words, /66\.6% of 3 acknowledged/)
  assert.match(list.words, /Add an endpoint/)

  await ann.send(`${path}/off`)
  const rejected = await ann.post(again, fields)
  assert.equal(rejected.status, 409)
  assert.match(rejected.words, /Not sent again The hook is not active\./)
  assert.match((await ann.get(pathOf(id))).words, /Enable the endpoint to send this again/)
  assert.equal((await ann.get(pathOf(v7()))).status, 404)
  assert.equal((await ann.get(pathOf('nonsense'))).status, 400)
})

test('a delivery with very many attempts shows the latest, with a note', async t => {
  const { notify, history, developer, pathOf } = await openStudio(t, world)
  const ann = await developer()
  await notify()
  const [{ id }] = await history()
  assert.doesNotMatch((await ann.get(pathOf(id))).words, /the latest/)
  const answers = Array.from({ length: 150 }, (_, number) => `answer ${number};`)
  await addAttempts(world.app.ports, id, answers)
  const { words } = await ann.get(pathOf(id))
  assert.match(words, /Only the latest 100 are shown\./)
  assert.ok(!words.includes('answer 49;') && words.includes('answer 50;') && words.includes('answer 149;'))
})

test('a test shows its outcome, each press sends one test up to a limit, and a test cannot be redelivered', async t => {
  const { listener, developer, path } = await openStudio(t, world)
  const ann = await developer('MEMBER')
  const passed = await ann.send(`${path}/test`)
  assert.match(passed.location, new RegExp(`^${path}/notifications/[0-9a-f-]{36}$`))
  const shown = await ann.get(passed.location)
  assert.match(shown.words, /TEST.*Delivered.*A test is sent once.*Acknowledged: HTTP 200/)
  const csrf = csrfIn(shown.text)
  const again = await ann.post(`${passed.location}/again`, { csrf })
  assert.deepEqual([again.status, /A test cannot be sent again/.test(again.words)], [409, true])
  listener.reply = 503
  const failed = await ann.get((await ann.send(`${path}/test`)).location)
  assert.match(failed.words, /Failed the test was not acknowledged.*Failed HTTP 503/)
  assert.equal(listener.received.length, 2)
  // Tests through the API count as well.
  for (let i = 0; i < 28; i++) await world.call('POST', `${path.replace('webhooks', 'hooks')}/test`, {}, 200)
  const tooMany = await ann.post(`${path}/test`, { csrf })
  assert.deepEqual([tooMany.status, tooMany.headers['retry-after']], [429, '2'])
  assert.equal(listener.received.length, 30)
})

test('a hook is switched off and on, with or without its missed notifications, with repeated presses', async t => {
  const { hookId, appId, listener, notify, developer, path } = await openStudio(t, world)
  const ann = await developer()
  assert.match((await ann.get(`${path}/off`)).words, /Switch this endpoint off\?.*are not recorded/)
  const off = formOf((await ann.get(`${path}/off`)).text)?.hidden ?? {}
  const switched = await Promise.all([1, 2].map(() => ann.post(`${path}/off`, off)))
  assert.deepEqual(new Set(switched.map(({ location }) => location)), new Set([`${path}?done=off`]))
  assert.equal((await hookOf(hookId)).active, false)
  assert.equal((await ann.get(`${path}/off`)).location, path)
  assert.match((await ann.get(`${path}/on`)).words, /Only queued deliveries are sent/)
  assert.equal((await ann.send(`${path}/on`, { missed: 'LEAVE' })).location, `${path}?done=on`)
  assert.deepEqual([(await hookOf(hookId)).active, await jobsOf(appId)], [true, []])
  assert.equal((await ann.get(`${path}/on`)).location, path)

  listener.reply = 500
  await notify()
  await world.app.ports.db.sql`
    update hooks set active = false, disabled_reason = 'failing', off_since = ${AT} where hook_id = ${hookId}`
  const asked = await ann.get(`${path}/on`)
  assert.match(asked.words, /Queued deliveries end unsent/)
  const fields = formOf(asked.text)?.hidden ?? {}
  for (const wrong of [{}, { missed: '' }, { missed: 'ALL' }]) {
    assert.equal((await ann.post(`${path}/on`, { ...fields, ...wrong })).status, 400)
  }
  const pressed = await Promise.all([1, 2, 3].map(() => ann.post(`${path}/on`, { ...fields, missed: 'SEND' })))
  assert.deepEqual(pressed.map(({ location }) => location).sort(), [
    ...[`${path}?done=on`, `${path}?done=on`, `${path}?done=resent`],
  ])
  const late = await ann.post(`${path}/on`, { ...fields, missed: 'SEND' })
  assert.equal(late.location, `${path}?done=on`)
  const jobs = await jobsOf(appId)
  assert.deepEqual(
    jobs.map(({ undeliveredSince, hookId: of }) => [undeliveredSince, of]),
    [['2026-03-01T10:00:00Z', hookId]],
    'one, of what was missed since it was off',
  )
  const trail = await world.call('GET', `/audit?kind=HOOK&resourceId=${hookId}`)
  assert.partialDeepStrictEqual(trail.entries[0], {
    ...{ operation: 'hooks.manage', path: '/webhooks/:hookId/on', after: { active: true } },
    principal: `developer:${ann.person.userId}:${(await world.call('GET', `/apps/${appId}`)).organizationId}`,
  })
})

test('a viewer sees every page without buttons, and a form of another session changes nothing', async t => {
  const { hookId, notify, history, developer, path, pathOf } = await openStudio(t, world)
  const [ann, bob, olga] = [await developer('VIEWER'), await developer(), await operator(world, 'VIEWER')]
  await notify()
  const [{ id }] = await history()
  for (const looker of [ann, olga]) {
    const pages = [await looker.get(path), await looker.get(pathOf(id))]
    for (const { status, text } of pages) {
      assert.equal(status, 200)
      assert.doesNotMatch(text, /method="post" action="\/webhooks|\/(on|off|test)"/)
    }
    const csrf = csrfIn(pages[0]?.text ?? '')
    for (const what of [`${path}/off`, `${path}/on`]) assert.equal((await looker.get(what)).status, 403, what)
    for (const what of [`${path}/test`, `${path}/off`, `${path}/on`, `${pathOf(id)}/again`]) {
      assert.equal((await looker.post(what, { csrf, missed: 'SEND' })).status, 403, what)
    }
  }
  const csrf = csrfIn((await ann.get(path)).text)
  for (const fields of [{ csrf }, {}] as Record<string, string>[]) {
    for (const what of [`${path}/test`, `${path}/off`, `${pathOf(id)}/again`]) {
      assert.equal((await bob.post(what, fields)).status, 403, what)
    }
  }
  assert.equal((await hookOf(hookId)).active, true)
  assert.equal((await history()).length, 1)
})

test('a deleted hook is not found, with any button', async t => {
  const { hookId, notify, history, developer, path, pathOf } = await openStudio(t, world)
  const ann = await developer()
  await notify()
  const [{ id }] = await history()
  const csrf = csrfIn((await ann.get(path)).text)
  await world.call('DELETE', `/hooks/${hookId}`, undefined, 204)
  for (const gone of [path, `${path}/on`, pathOf(id)]) {
    const { status, words } = await ann.get(gone)
    assert.deepEqual([status, words.includes('There is no such hook.')], [404, true])
  }
  for (const what of [`${path}/test`, `${path}/off`, `${path}/on`, `${pathOf(id)}/again`]) {
    assert.equal((await ann.post(what, { csrf, missed: 'LEAVE' })).status, 404, what)
  }
})

test('a notification older than 30 days is neither shown nor redelivered', async t => {
  const { notify, history, developer, pathOf, path, listener } = await openStudio(t, world)
  const ann = await developer()
  await notify()
  const [{ id }] = await history()
  world.clock.set(new Date(new Date(AT).getTime() + 31 * DAY_MS))
  const opened = await world.ask(null, 'POST', '/sessions', { body: { email: ann.person.email, password: PASSWORD } })
  const later = visiting(world, opened.body.token)
  const { words, text } = await later.get(path)
  assert.match(words, /No deliveries yet/)
  const gone = await later.get(pathOf(id))
  assert.deepEqual([gone.status, gone.words.includes('There is no such delivery.')], [404, true])
  assert.equal((await later.post(`${pathOf(id)}/again`, { csrf: csrfIn(text) })).status, 404)
  await send(world)
  assert.equal(listener.received.length, 1)
})
