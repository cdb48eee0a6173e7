import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { codeOf, newPerson, PASSWORD, proveSecondFactor } from '../../../test/support/people.ts'
import { fieldsOf, newVisitor, type Visitor } from '../../../test/support/visitor.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())
// All tests share one address, which would wait for the wrong attempts of all.
beforeEach(() => world.app.ports.db.sql`delete from throttles`)

/** Does what a browser does with the sign-in form: fetch, keep the cookie, post with the token. */
async function postForm(fields: Record<string, string>, path = '/sign-in') {
  const form = await world.app.http.inject({ method: 'GET', url: '/sign-in' })
  const csrf = /name="csrf" value="([^"]+)"/.exec(form.body)?.[1] ?? ''
  const cookie = String(form.headers['set-cookie']).split(';')[0] ?? ''
  return world.app.http.inject({
    method: 'POST',
    url: path,
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ csrf, ...fields }).toString(),
  })
}

const memberOf = async (role: PersonRole) => {
  const { businessId } = await world.merchant({ card: 'none' })
  return newPerson(world, { kind: 'MERCHANT', businessId }, role)
}
const owner = () => memberOf('OWNER')
const viewer = () => memberOf('VIEWER')

test('signing in sets a session cookie that scripts cannot read and other sites cannot send', async () => {
  const { email } = await owner()
  const answer = await postForm({ email, password: PASSWORD, next: '/account?said=name' })
  assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/account?said=name'])
  const [session = '', browser = ''] = [answer.headers['set-cookie'] ?? []].flat()
  assert.match(session, /^tillhook=ses_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.match(browser, /^tillhook-browser=[\w-]{100,256}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/)
})

test('a cookie authenticates pages and not the REST API', async () => {
  const { token } = await owner()
  const headers = { cookie: `tillhook=${token}` }
  const page = await world.app.http.inject({ method: 'GET', url: '/account', headers })
  const route = await world.app.http.inject({ method: 'GET', url: '/users/current', headers })
  assert.deepEqual([page.statusCode, route.statusCode], [200, 401])
})

for (const next of [
  ...['//evil.example', '/\\evil.example', '%2f%2fevil.example', 'http://evil.example', 'https:evil.example', ''],
  ...[
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    '/\r\nset-cookie: a=b',
    '/sign-out',
  ],
]) {
  test(`a foreign return path leads home: ${JSON.stringify(next)}`, async () => {
    const { email } = await owner()
    const answer = await postForm({ email, password: PASSWORD, next })
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/my'])
  })
}

test('the home is the first page of the workspace, and the account for an operator without a second factor', async () => {
  const { organizationId } = await world.developer()
  for (const [person, home] of [
    [await owner(), '/my/subscriptions'],
    [await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER'), '/dev'],
    [await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN'), '/account'],
  ] as const) {
    const visitor = newVisitor(world.app, person.token)
    assert.equal((await visitor.get('/my')).headers.location, home)
    const { body } = await visitor.get('/account')
    assert.equal(body.includes('href="/my/subscriptions"'), home === '/my/subscriptions')
    assert.match(body, /<h1>Your account/)
  }
})

test('a wrong password, an unknown address and a disabled person get the same message', async () => {
  const [ann, bob] = [await owner(), await viewer()]
  await world.call('PATCH', `/users/${bob.userId}`, { status: 'DISABLED' })
  const said = await Promise.all(
    [
      { email: ann.email, password: 'not the password' },
      { email: 'nobody@corner.example', password: PASSWORD },
      { email: bob.email, password: PASSWORD },
    ].map(async fields => {
      const { statusCode, body } = await postForm(fields)
      return `${statusCode} ${body.replaceAll(fields.email, '').replace(/name="csrf" value="[^"]+"/, '')}`
    }),
  )
  assert.equal(new Set(said).size, 1)
  assert.match(said[0] ?? '', /^400 /)
})

test('a form token is valid only in its own session, not in another session of the person or after a new sign-in', async () => {
  const { email, token } = await owner()
  const [here, there] = [newVisitor(world.app, token), newBrowser()]
  await there.signIn(email)
  const fields = async (browser: Pick<Visitor, 'get'>) =>
    fieldsOf((await browser.get('/account')).body, '/account/name')
  const [own, others] = [await fields(here), await fields(there)]
  const rename = async (browser: Pick<Visitor, 'post'>, form: Record<string, string>, name: string) =>
    (await browser.post('/account/name', { ...form, name })).statusCode
  assert.deepEqual([await rename(here, others, 'Eve'), await rename(there, own, 'Eve')], [403, 403])
  await there.signOut()
  await there.signIn(email)
  assert.equal(await rename(there, others, 'Eve'), 403)
  assert.deepEqual([await rename(here, own, 'Ann'), await rename(here, own, 'Ann Again')], [303, 303])
  assert.match((await there.get('/account')).body, /value="Ann Again"/)
})

test('an altered, foreign, expired or invented proof of a password is rejected', async () => {
  const { email } = await owner()
  for (const proof of ['', 'x', 'A'.repeat(120)]) {
    const answer = await postForm({ email, proof, code: '123456' }, '/sign-in/code')
    assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
  }
})

/** A browser with cookies that signs in. Status 303 means success. */
function newBrowser(cookie?: string) {
  const visitor = newVisitor(world.app)
  if (cookie !== undefined) visitor.keep('tillhook-browser', cookie)
  return {
    ...visitor,
    async signIn(email: string, password = PASSWORD) {
      const form = fieldsOf((await visitor.get('/sign-in')).body, '/sign-in')
      const answer = await visitor.post('/sign-in', { ...form, email, password })
      const given = [answer.headers['set-cookie'] ?? []].flat().find(line => line.startsWith('tillhook-browser='))
      return { status: answer.statusCode, cookie: /=([^;]*)/.exec(given ?? '')?.[1] }
    },
    async signOut() {
      const page = await visitor.get('/account')
      await visitor.post('/sign-out', fieldsOf(page.body, '/sign-out'))
    },
  }
}

/** As strangers do from everywhere: the account waits from now on. */
async function guessAt(email: string): Promise<void> {
  for (let i = 0; i < 6; i++) await newBrowser().signIn(email, 'a guess')
  assert.equal((await newBrowser().signIn(email)).status, 429)
}

test('attempts of strangers do not block a sign-in from a known browser, and stay throttled', async () => {
  const { email } = await owner()
  const own = newBrowser()
  assert.equal((await own.signIn(email)).status, 303)
  await own.signOut()
  await guessAt(email)
  assert.equal((await own.signIn(email.toUpperCase())).status, 303)
  assert.equal((await newBrowser().signIn(email)).status, 429)
  // On the account’s own page, too, where the password is asked for again.
  const form = fieldsOf((await own.get('/account')).body, '/account/password')
  const changed = await own.post('/account/password', { ...form, password: PASSWORD, newPassword: `${PASSWORD} too` })
  assert.equal(changed.headers.location, '/account?said=password')
})

test('guesses with a stolen cookie are throttled and do not throttle others', async () => {
  const { email } = await owner()
  const { cookie } = await newBrowser().signIn(email)
  const thief = newBrowser(cookie)
  const responses: number[] = []
  for (let i = 0; i < 7; i++) responses.push((await thief.signIn(email, 'a guess')).status)
  assert.deepEqual(responses, [400, 400, 400, 400, 400, 429, 429])
  assert.equal((await thief.signIn(email)).status, 429)
  assert.equal((await newBrowser().signIn(email)).status, 303)
})

test('a browser cookie of another account, an altered, an invented and a half-year-old cookie are ignored', async () => {
  const [ann, bob] = [await owner(), await owner()]
  const { cookie = '' } = await newBrowser().signIn(ann.email)
  const other = await newBrowser().signIn(bob.email)
  await guessAt(ann.email)
  const sealed = world.app.ports.vault.seal('mail', JSON.stringify({ browserId: 'x' })).toString('base64url')
  const altered = `${cookie.slice(0, 60)}${cookie[60] === 'A' ? 'B' : 'A'}${cookie.slice(61)}`
  for (const wrong of [other.cookie, altered, cookie.slice(0, -4), `${cookie}AAAA`, sealed, 'x', 'A'.repeat(170)]) {
    assert.equal((await newBrowser(wrong).signIn(ann.email)).status, 429)
  }
  assert.equal((await newBrowser(cookie).signIn(ann.email)).status, 303)
  const start = world.clock.now()
  world.clock.set(new Date(start.getTime() + 180 * 86_400_000))
  await guessAt(ann.email)
  assert.equal((await newBrowser(cookie).signIn(ann.email)).status, 429)
  world.clock.set(start)
})

test('codes are counted for a known browser like passwords', async () => {
  const ann = await owner()
  const secret = await proveSecondFactor(world, ann)
  world.clock.set(new Date(world.clock.now().getTime() + 60_000))
  const enter = async (browser: ReturnType<typeof newBrowser>, code: string) => {
    const form = fieldsOf((await browser.get('/sign-in')).body, '/sign-in')
    const asked = await browser.post('/sign-in', { ...form, email: ann.email, password: PASSWORD })
    if (asked.statusCode !== 200) return asked.statusCode
    return (await browser.post('/sign-in/code', { ...fieldsOf(asked.body, '/sign-in/code'), code })).statusCode
  }
  const own = newBrowser()
  assert.equal(await enter(own, codeOf(secret, world.clock.now())), 303)
  await own.signOut()
  // An attacker who knows the password and guesses codes.
  for (let i = 0; i < 12; i++) {
    await enter(newBrowser(), '000000')
    await world.app.ports.db.sql`delete from throttles where kind = 'password'`
  }
  assert.equal(await enter(newBrowser(), codeOf(secret, world.clock.now(), 1)), 429)
  assert.equal(await enter(own, codeOf(secret, world.clock.now(), 1)), 303)
})
