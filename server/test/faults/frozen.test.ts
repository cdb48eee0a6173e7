import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../start/program.ts'
import { assertDelivered } from './books.ts'
import { makePlatform, makeTill } from './platform.ts'
import { type Beside, openStand, type Stand } from './stand.ts'

/** A lease ends after 10 s. The rest is for a busy machine. */
const TAKEN_OVER_WITHIN_MS = 60_000
const ORDERS = 40

let stand: Stand
let beside: Beside
let open: () => Promise<string>
before(async () => {
  stand = await openStand()
  await stand.startMain()
  const platform = await makePlatform(stand.client, stand.inbox)
  beside = await stand.startBeside()
  open = await makeTill(beside.client, platform)
})
after(() => stand?.close())

async function countOwners(): Promise<number> {
  const [row] = await stand.db.sql<{ count: number }[]>`
    select count(distinct owner)::int as count from delivery_shards where owner is not null`
  return row?.count ?? 0
}

test('a process suspended for longer than its lease loses its shards, then repeats nothing and shares the work again', async () => {
  const frozen = stand.program()
  const untilOwners = (count: number) =>
    until(frozen, `shares the shards among ${count}`, TAKEN_OVER_WITHIN_MS, async () => {
      return (await countOwners()) === count || undefined
    })
  await untilOwners(2)
  await open()
  await stand.settle()

  frozen.child.kill('SIGSTOP')
  const whileFrozen = await Promise.all(Array.from({ length: ORDERS }, open))
  await untilOwners(1)
  await stand.settle()
  frozen.child.kill('SIGCONT')
  await untilOwners(2)
  const afterwards = await Promise.all(Array.from({ length: ORDERS }, open))
  await stand.settle()

  assert.equal(new Set([...whileFrozen, ...afterwards]).size, 2 * ORDERS)
  await assertDelivered(stand.db.sql, stand.inbox)
  const repeated = await stand.db.sql`
    select notification_id from attempts group by notification_id having count(*) > 1`
  assert.equal(repeated.length, 0)
})

test('a process killed with deliveries in progress is replaced, and the other process delivers the accepted webhooks', async () => {
  const killed = stand.program()
  const posted = Promise.withResolvers<void>()
  // No answer: each delivery is in flight until its process dies or its time is over.
  stand.inbox.answerWith(() => posted.resolve())
  const inFlight = await Promise.all(Array.from({ length: ORDERS }, open))
  await posted.promise
  await killed.kill()
  stand.inbox.answerWith(response => response.writeHead(200).end())
  const afterwards = await Promise.all(Array.from({ length: ORDERS }, open))
  await until(beside.program(), 'has all shards and nothing left to do', TAKEN_OVER_WITHIN_MS, async () => {
    const left = await stand.db.sql`select 1 from deliveries limit 1`
    return ((await countOwners()) === 1 && left.length === 0) || undefined
  })
  assert.equal(new Set([...inFlight, ...afterwards]).size, 2 * ORDERS)
  await assertDelivered(stand.db.sql, stand.inbox)
})
