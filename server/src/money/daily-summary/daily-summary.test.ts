import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { findOperatorNeeds } from './operator-needs.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-02T05:00:00Z' })
})
after(() => world?.close())

async function newRelease(appId: string, version: string): Promise<string> {
  const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
  const plans = [{ name: 'Plus', amounts, interval: 'MONTH', scope: 'BUSINESS' }]
  return (await world.call('POST', `/apps/${appId}/releases`, { version, plans })).releaseId
}

const run = () => world.app.jobs.dailySummaries.runOnce()

test('there is no summary without open tasks, and none before 06:00 UTC', async () => {
  world.clock.set('2026-03-02T12:00:00Z')
  await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  assert.equal(await run(), 0)
  await newRelease(world.appId, '9.0')
  world.clock.set('2026-03-03T05:59:59Z')
  assert.equal(await run(), 0)
  assert.deepEqual(await world.mails(), [])
})

test('each person gets one summary a day, also with two processes, after a restart, and with two workspaces', async () => {
  world.clock.set('2026-03-04T06:00:00Z')
  const operator = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  const onlooker = await newPerson(world, { kind: 'OPERATOR' }, 'VIEWER')
  const acme = await world.developer('Acme')
  const ann = await newPerson(world, { kind: 'DEVELOPER', organizationId: acme.organizationId }, 'MEMBER')
  const rejected = await newRelease(acme.appId, '2.0')
  await world.call('POST', `/apps/${acme.appId}/releases/${rejected}/reject`, { reason: 'No icon' }, 200)
  await world.mails()
  const another = await world.openAnother()
  const counts = await Promise.all([run(), another.jobs.dailySummaries.runOnce()])
  // The administrator of the test before is one of them.
  assert.equal(counts[0] + counts[1], 3)
  assert.equal(await (await world.openAnother()).jobs.dailySummaries.runOnce(), 0)
  const mails = await world.mails()
  assert.equal(mails.length, 3)
  const [toOperator] = mails.filter(({ to }) => to === operator.email)
  assert.match(toOperator?.subject ?? '', /^1 thing needs you at Tillhook$/)
  assert.match(toOperator?.text ?? '', /1 release waits for review\.[\s\S]*\/ops/)
  const [toAnn] = mails.filter(({ to }) => to === ann.email)
  assert.match(toAnn?.text ?? '', /1 rejected release of Acme: change the release and send it again\.[\s\S]*\/dev/)
  assert.match(toAnn?.html ?? '', /<p>1 rejected release of Acme/)
  assert.equal(mails.filter(({ to }) => to === onlooker.email).length, 0)
  world.clock.set('2026-03-05T06:00:00Z')
  assert.equal(await run(), 3)
})

test('a person of the operator and of an organization gets one mail for both', async () => {
  world.clock.set('2026-03-06T06:00:00Z')
  const acme = await world.developer('Both')
  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  const rejected = await newRelease(acme.appId, '2.0')
  await world.call('POST', `/apps/${acme.appId}/releases/${rejected}/reject`, { reason: 'No icon' }, 200)
  await world.app.ports.db.sql`
    insert into memberships (membership_id, user_id, kind, organization_id, role, created_at, updated_at)
    select gen_random_uuid(), user_id, 'DEVELOPER', ${acme.organizationId}, 'ADMIN', now(), now() from users
    where email = ${person.email}`
  await world.mails()
  await run()
  const mine = (await world.mails()).filter(({ to }) => to === person.email)
  assert.deepEqual(
    mine.map(({ subject }) => subject),
    ['2 things need you at Tillhook'],
  )
})

test('a summary that could not be recorded is recorded in the next run', async () => {
  world.clock.set('2026-03-07T06:00:00Z')
  const { sql } = world.app.ports.db
  await sql`alter table mails add constraint no_mail check (false) not valid`
  await assert.rejects(run())
  await sql`alter table mails drop constraint no_mail`
  assert.ok((await run()) > 0)
  assert.equal(await run(), 0)
})

test('the queue of reviews waits since its oldest release', async () => {
  world.clock.set('2026-03-12T06:00:00Z')
  await newRelease(world.appId, '9.1')
  const [reviews] = (await findOperatorNeeds(world.app.ports)).filter(({ at }) => at === 'reviews')
  assert.deepEqual([reviews?.words, reviews?.since], ['2 releases wait for review', new Date('2026-03-02T12:00:00Z')])
})
