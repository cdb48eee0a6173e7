import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Database, openDatabase, type Sql } from '../../src/platform/db/db.ts'
import { isDatabaseUnavailable } from '../../src/platform/db/unavailable.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

/** One connection each: the next connection replaces the lost one. */
let fresh: FreshDatabase
let other: Database
before(async () => {
  fresh = await freshDatabase()
  other = openDatabase({ url: fresh.url, maxConnections: 1 })
  await other.sql`create table kept (name text not null)`
})
after(async () => {
  await other.close()
  await fresh.drop()
})

for (const end of ['goes on', 'ends', 'fails'] as const) {
  test(`a transaction that lost its connection and ${end} does not affect a later transaction`, async () => {
    const db = openDatabase({ url: fresh.url, maxConnections: 1 })
    try {
      const lost = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<unknown>()
      const losing = db.transaction(async ({ sql }) => {
        try {
          await sql`insert into kept values ('of the lost one')`
          const pid = await pidOf(sql)
          begun.resolve()
          await lost.promise
          assert.ok(pid > 0)
          if (end === 'goes on') await sql`insert into kept values ('of the lost one, outside of it')`
          if (end === 'fails') throw new Error('the work itself')
        } finally {
          ended.resolve(null)
        }
      })
      const rejected = assert.rejects(losing, isDatabaseUnavailable)
      await begun.promise
      await terminateOthers()
      await rejected

      await db.transaction(async ({ sql }) => {
        await sql`insert into kept values ('of the later one')`
        lost.resolve()
        await ended.promise
        // The lost connection has sent everything before this point.
        await new Promise(resolve => setTimeout(resolve, 20))
        await sql`select 1`
      })
      assert.deepEqual(await namesKept(), ['of the later one'])
    } finally {
      await db.close()
    }
  })
}

test('an unconfirmed commit is not reported as a commit', async () => {
  const db = openDatabase({ url: fresh.url, maxConnections: 1 })
  try {
    const doomed = db.transaction(async ({ sql }) => {
      await sql`insert into kept values ('never')`
      await terminateOthers()
    })
    await assert.rejects(doomed, isDatabaseUnavailable)
    assert.deepEqual(await namesKept(), [])
    await db.transaction(({ sql }) => sql`insert into kept values ('again')`)
    assert.deepEqual(await namesKept(), ['again'])
  } finally {
    await db.close()
  }
})

test('a statement sent just before the loss is answered or rejected, never left open', async () => {
  const db = openDatabase({ url: fresh.url, maxConnections: 4 })
  try {
    for (let round = 0; round < 8; round++) {
      const asked = Array.from({ length: 12 }, (_, i) =>
        i % 2 === 0
          ? db.sql`select pg_sleep(${i / 1_000})`
          : db.transaction(({ sql }) => Promise.all([sql`select ${i}::int`, sql`select pg_sleep(${i / 1_000})`])),
      )
      const settled = Promise.allSettled(asked)
      await terminateOthers()
      // An unsettled promise would end the test file.
      for (const one of await settled) assert.ok(one.status === 'fulfilled' || isDatabaseUnavailable(one.reason))
      const later = await Promise.allSettled(Array.from({ length: 8 }, () => db.sql`select 1`))
      for (const one of later) assert.ok(one.status === 'fulfilled' || isDatabaseUnavailable(one.reason))
    }
    assert.equal((await db.sql`select 1 as one`)[0]?.one, 1)
  } finally {
    await db.close()
  }
})

test('a transaction gets its own connection among any number of statements', async () => {
  for (const ahead of [98, 99, 100, 101, 102]) {
    const db = openDatabase({ url: fresh.url, maxConnections: 1 })
    try {
      await db.sql`select 1`
      const asked = [
        // Sent now instead of when awaited, to fix the order.
        db.sql`select pg_sleep(0.01)`.execute(),
        ...Array.from({ length: ahead }, () => db.sql`select 1`.execute()),
        db.transaction(({ sql }) => sql`insert into kept values ('in a transaction')`),
        db.sql`insert into kept values ('outside of it')`.execute(),
      ]
      await Promise.all(asked)
    } finally {
      await db.close()
    }
    assert.deepEqual(await namesKept(), ['in a transaction', 'outside of it'])
  }
})

async function pidOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

async function terminateOthers(): Promise<void> {
  await other.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
}

async function namesKept(): Promise<string[]> {
  const rows = await other.sql<{ name: string }[]>`delete from kept returning name`
  return rows.map(({ name }) => name).sort()
}
