import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson, PASSWORD } from '../../test/support/people.ts'
import { createWorld, type World } from '../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

/** What a browser would do with the sign-in form: fetch it, keep its cookie, post it with its token. */
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

const owner = async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  return newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
}

test('signing in sets the session’s cookie, which no script reads and no other site’s form sends', async () => {
  const { email } = await owner()
  const answer = await postForm({ email, password: PASSWORD, next: '/account?said=name' })
  assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/account?said=name'])
  assert.match(String(answer.headers['set-cookie']), /^tillhook=ses_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('a cookie counts on pages and not on the REST API', async () => {
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
  test(`what is no path of ours leads to the account: ${JSON.stringify(next)}`, async () => {
    const { email } = await owner()
    const answer = await postForm({ email, password: PASSWORD, next })
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/account'])
  })
}

test('a wrong password, an unknown address and a disabled person read alike', async () => {
  const [ann, bob] = [await owner(), await owner()]
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

test('a proof of a password that was altered, is another’s, is old or is made up opens nothing', async () => {
  const { email } = await owner()
  for (const proof of ['', 'x', 'A'.repeat(120)]) {
    const answer = await postForm({ email, proof, code: '123456' }, '/sign-in/code')
    assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
  }
})
