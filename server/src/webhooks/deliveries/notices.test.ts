import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { v7 } from 'uuid'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase } from '../../platform/db/db.ts'
import { listenTo } from '../../platform/db/listen.ts'
import { createNotices, type Told } from './notices.ts'
import { until } from './sender.fixture.ts'

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url, maxConnections: 2 })
})
after(async () => {
  await db?.close()
  await fresh?.drop()
})

const open = () => createNotices({ db, url: fresh.url, log: pino({ level: 'silent' }) })

/** As another process hears it. */
async function listening() {
  const notices = open()
  const heard = { notices, count: 0, changed: [] as string[], left: [] as string[], told: [] as Told[] }
  notices.listen(told => {
    heard.count++
    heard.told.push(told)
    heard.changed.push(...told.changed)
    heard.left.push(...told.left)
  })
  await until(async () => heard.count === 1)
  return heard
}

test('what one process announces every other one hears', async () => {
  const [one, other] = [await listening(), await listening()]
  const telling = open()
  telling.announce()
  await until(async () => one.count === 2 && other.count === 2)
  for (const { notices } of [one, other, { notices: telling }]) await notices.close()
})

test('what a process announces itself it is not woken for', async () => {
  const [own, other] = [await listening(), await listening()]
  own.notices.announce()
  await until(async () => other.count === 2)
  other.notices.announce()
  await until(async () => own.count === 2)
  assert.deepEqual([own.count, other.count], [2, 2])
  for (const { notices } of [own, other]) await notices.close()
})

test('a thousand announcements at once are few notices, and the last one is heard', async () => {
  const heard = await listening()
  const telling = open()
  for (let n = 0; n < 1_000; n++) telling.announce()
  await until(async () => heard.count === 3)
  await telling.close()
  await heard.notices.close()
  assert.equal(heard.count, 3)
})

test('hooks that were changed are named to other processes, however many at once', async () => {
  const heard = await listening()
  const telling = open()
  const [changed, left] = [1, 2].map(() => Array.from({ length: 450 }, () => v7())) as [string[], string[]]
  telling.announce({ left: left.slice(0, 1) })
  for (const hookId of left.slice(1)) telling.announce({ left: [hookId, hookId] })
  for (const hookId of changed) telling.announce({ changed: [hookId, hookId] })
  // Of a hook that was changed something may be left, too.
  telling.announce({ left: changed.slice(0, 1) })
  await until(async () => heard.changed.length + heard.left.length > changed.length + left.length)
  await telling.close()
  await heard.notices.close()
  // A busy machine may spread the announcements over several notices, so their order is not asserted.
  assert.deepEqual(heard.changed.toSorted(), changed.toSorted())
  assert.deepEqual([...new Set(heard.left)].toSorted(), [...left, ...changed.slice(0, 1)].toSorted())
})

test('hooks whose breakers have opened are named each once, in order', async () => {
  const heard = await listening()
  const telling = open()
  const parked = Array.from({ length: 4_500 }, () => v7())
  const [changed, left] = [v7(), v7()]
  telling.announce()
  for (const hookId of parked) telling.announce({ parked: [hookId, hookId] })
  telling.announce({ left: [left], changed: [changed] })
  const heardParked = () => heard.told.flatMap(told => told.parked)
  await until(async () => heardParked().length >= 4_000)
  telling.announce({ left: [left] })
  await until(async () => heard.left.length === 2)
  await telling.close()
  await heard.notices.close()
  assert.deepEqual(heard.changed, [changed])
  assert.deepEqual(heardParked(), parked.slice(0, heardParked().length))
})

test('who does not know of breakers takes their hooks for others that were changed, by names that are ids to the database', async () => {
  const hookId = v7()
  const named: string[] = []
  const listening = listenTo({
    url: fresh.url,
    channel: 'tillhook_deliveries',
    onNotice: (told = '') => named.push(...told.split(' ').slice(1)),
  })
  await until(async () => {
    const telling = open()
    telling.announce({ parked: [hookId] })
    await telling.close()
    return named.length > 0
  })
  await listening.close()
  const [row] = await db.sql<{ is: boolean }[]>`select ${named[0] ?? ''}::text::uuid = ${hookId}::uuid as is`
  assert.equal(row?.is, true)
})

test('a notice of a process that names only hooks that were changed is understood', async () => {
  const heard = await listening()
  const hookIds = [v7(), v7()]
  await db.sql`select pg_notify('tillhook_deliveries', ${[v7(), ...hookIds].join(' ')})`
  await until(async () => heard.count === 2)
  await heard.notices.close()
  assert.deepEqual([heard.changed, heard.left], [hookIds, []])
})

test('a listener whose connection is lost is told so that it looks, and hears again', async () => {
  const heard = await listening()
  await db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'tillhook notices' and datname = current_database()`
  await until(async () => heard.count === 2)
  const telling = open()
  telling.announce()
  await until(async () => heard.count === 3)
  await telling.close()
  await heard.notices.close()
})

test('without a database nothing is thrown, and closing does not wait for it', async () => {
  const away = 'postgres://nobody@127.0.0.1:9/none'
  const gone = openDatabase({ url: away })
  const notices = createNotices({ db: gone, url: away, log: pino({ level: 'silent' }) })
  notices.listen(() => assert.fail('there is nobody to tell'))
  notices.announce()
  await notices.close()
  await gone.close()
})
