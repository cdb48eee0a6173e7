import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newPerson, PASSWORD, secretFor } from '../../../test/support/people.ts'
import { fieldsOf, newVisitor } from '../../../test/support/visitor.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())
beforeEach(() => world.app.ports.db.sql`delete from throttles`)

async function send(path: string, entered: Record<string, string>, browser = newVisitor(world.app), to = path) {
  const submit = await opened(path, browser, to)
  return await submit(entered)
}

/** Opens the page. Returns what submits its form, so that several people can have it open. */
async function opened(path: string, browser = newVisitor(world.app), to = path) {
  const { body } = await browser.get(path)
  const fields = fieldsOf(body, to)
  return async (entered: Record<string, string>) => {
    const answer = await browser.post(to, { ...fields, ...entered })
    return { browser, status: answer.statusCode, location: answer.headers.location, body: answer.body }
  }
}

const OLGA = { key: OPERATOR_KEY, name: 'Olga', email: 'olga@op.example', password: PASSWORD }
const people = async () => (await world.app.ports.db.sql`select email from users order by email`).map(one => one.email)
const organizations = () => world.app.ports.db.sql`select name from organizations where name like 'Joined%'`

test('the setup shows each error, keeps the other values of the form, and creates nothing', async () => {
  for (const [entered, status, words] of [
    [{ key: '' }, 400, /Enter the operator key/],
    [{ key: 'wrong' }, 400, /not the operator key/],
    [{ name: ' ' }, 400, /Enter your name/],
    [{ email: 'olga' }, 400, /Enter your e-mail/],
    [{ password: 'short' }, 400, /at least/i],
  ] as const) {
    const answer = await send('/setup', { ...OLGA, ...entered })
    assert.equal(answer.status, status)
    assert.match(answer.body, words)
    assert.doesNotMatch(answer.body, new RegExp(`${OPERATOR_KEY}|${PASSWORD}`))
  }
  assert.deepEqual(await people(), [])
})

test('wrong keys are throttled by address', async () => {
  let status = 0
  for (let attempts = 0; attempts < 100 && status !== 429; attempts++) {
    status = (await send('/setup', { ...OLGA, key: `wrong ${attempts}` })).status
  }
  assert.equal(status, 429)
  assert.equal((await send('/setup', OLGA)).status, 429, 'the right key waits as well')
})

test('an operator key in the sign-in form leads to the setup', async () => {
  const answer = await send('/sign-in', { email: '', password: OPERATOR_KEY })
  assert.deepEqual([answer.status, answer.location], [303, '/setup'])
})

test('two concurrent setup forms create one signed-in operator, and the page then leads to the sign-in', async () => {
  const [first, second] = [await opened('/setup'), await opened('/setup')]
  const answers = await Promise.all([first(OLGA), second({ ...OLGA, email: 'otto@op.example' })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409])
  assert.equal((await people()).length, 1)
  const [won] = answers.filter(({ status }) => status === 303)
  assert.equal((await won?.browser.get('/account'))?.statusCode, 200)
  const { body } = await newVisitor(world.app).get('/setup')
  assert.match(body, /is set up/)
  assert.doesNotMatch(body, /<form/)
})

test('a developer signs up with a confirmed address and works in an organization of their own', async () => {
  const email = 'dora@joined.example'
  const asked = await send('/join', { organization: 'Joined Ltd', email })
  assert.equal(asked.status, 200)
  assert.equal((await organizations()).length, 0, 'nothing is stored before the confirmation')
  const secret = await secretFor(world, email)
  const confirming = async () => {
    const browser = newVisitor(world.app)
    await browser.get(`/join/confirm?secret=${secret}`)
    return browser
  }
  assert.match((await send('/join/confirm', { name: 'Dora', password: 'x' }, await confirming())).body, /at least/i)
  const forms = [await confirming(), await confirming()]
  const submits = await Promise.all(forms.map(one => opened('/join/confirm', one)))
  const both = await Promise.all(submits.map(submit => submit({ name: 'Dora', password: PASSWORD })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 404])
  const [won] = both.filter(({ status }) => status === 303)
  assert.equal(won?.location, '/dev')
  assert.equal((await won?.browser.get('/dev'))?.statusCode, 200)
  assert.equal((await organizations()).length, 1)
  assert.equal(
    (await newVisitor(world.app).get(`/join/confirm?secret=${secret}`)).statusCode,
    404,
    'the link works once',
  )
})

test('a link expires after a day and must be complete', async () => {
  const email = 'late@joined.example'
  await send('/join', { organization: 'Joined late', email })
  const secret = await secretFor(world, email)
  const open = (text: string) => newVisitor(world.app).get(`/join/confirm?secret=${text}`)
  for (const wrong of ['', 'x', secret.slice(0, -2), `${secret.slice(0, -4)}AAAA`]) {
    assert.equal((await open(wrong)).statusCode, 404)
  }
  assert.equal((await open(secret)).statusCode, 303)
  world.clock.set(new Date(world.clock.now().getTime() + 24 * 3_600_000))
  assert.equal((await open(secret)).statusCode, 404)
})

test('an address with an account gets a mail that says so, and the page does not reveal the account', async () => {
  const { email } = await newPerson(world, { kind: 'OPERATOR' }, 'VIEWER')
  const [known, fresh] = [
    await send('/join', { organization: 'Joined', email }),
    await send('/join', { organization: 'Joined', email: 'fresh@joined.example' }),
  ]
  assert.equal(known.status, 200)
  assert.equal(known.body.replaceAll(email, ''), fresh.body.replaceAll('fresh@joined.example', ''))
  const mail = (await world.mails()).findLast(({ to }) => to === email)
  assert.match(mail?.text ?? '', /has an account already/)
})

test('mails to one address are limited, and a closed installation has no form', async () => {
  let status = 0
  for (let attempts = 0; attempts < 100 && status !== 429; attempts++) {
    status = (await send('/join', { organization: 'Joined', email: 'many@joined.example' })).status
  }
  assert.equal(status, 429)
  const settings = { ...world.app.ports.settings, isJoinOpen: false }
  const closed = await world.openAnother({ settings })
  const { statusCode, body } = await closed.http.inject({
    method: 'GET',
    url: '/join',
    headers: { accept: 'text/html' },
  })
  assert.equal(statusCode, 404)
  assert.match(body, /by invitation/)
  assert.equal((await closed.http.inject({ method: 'POST', url: '/join', payload: '' })).statusCode, 405)
})
