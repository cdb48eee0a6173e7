import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertBooksAgree } from './books.ts'
import { makePlatform, makeTill } from './platform.ts'
import { type Beside, openStand, type Stand } from './stand.ts'

const KILLS = 6
/** Tills that open orders one after the other, at either process. */
const TILLS = 12
const [EARLIEST_MS, LATEST_MS] = [50, 500]
/** Longer than any lease, so that work of the killed processes is claimed at once. */
const PAST_LEASES_MS = 120_000

let stand: Stand
before(async () => {
  stand = await openStand()
})
after(() => stand?.close())

test('two processes killed under load lose no acknowledged order, and only deliveries in flight arrive twice', async t => {
  await stand.startMain()
  const workers = [await stand.startBeside(), await stand.startBeside()] as const
  const platform = await makePlatform(stand.client, stand.inbox)
  const tills = await Promise.all(
    Array.from({ length: TILLS }, (_, n) => makeTill(workers[n % 2 === 0 ? 0 : 1].client, platform)),
  )
  await stand.program().kill()

  const acknowledged: string[] = []
  let isOver = false
  const selling = tills.map(async openOrder => {
    while (!isOver) acknowledged.push(await openOrder())
  })
  // Awaited at the end; catches rejections when the test fails earlier.
  for (const till of selling) till.catch(() => {})
  const inFlight = new Map<string, number>()
  // Kills the processes in turn, so that no till waits for two starts in a row.
  for (let kill = 0; kill < KILLS; kill++) {
    await wait(EARLIEST_MS + Math.random() * (LATEST_MS - EARLIEST_MS))
    const worker = workers[kill % 2 === 0 ? 0 : 1]
    await worker.kill()
    for (const id of await listInFlight()) inFlight.set(id, (inFlight.get(id) ?? 0) + 1)
    await worker.start()
  }
  isOver = true
  await Promise.all(selling)
  await killBoth(workers, inFlight)
  await stand.startAhead(PAST_LEASES_MS)
  await stand.settle()

  // Every stored order was notified and received with the recorded bytes.
  await assertBooksAgree(stand)
  const received = [...stand.inbox.received.values()].map(([body]) => JSON.parse(body ?? '').resourceId as string)
  assert.deepEqual(received.sort(), acknowledged.sort())
  const saved = await countAttempts()
  let repeated = 0
  for (const [id, bodies] of stand.inbox.received) {
    const { attempts, acknowledgements } = saved.get(id) ?? { attempts: 0, acknowledgements: 0 }
    assert.equal(acknowledgements, 1, 'a delivery that was saved as delivered is not sent again')
    const unsaved = bodies.length - attempts
    assert.ok(unsaved <= (inFlight.get(id) ?? 0), `${id} came ${bodies.length} times, ${attempts} of them saved`)
    if (bodies.length > 1) repeated++
  }
  t.diagnostic(
    `${acknowledged.length} acknowledged, ${inFlight.size} in flight at ${KILLS} kills, ${repeated} came again`,
  )
})

/** Deliveries that were received and not saved: in progress at the kill, or on the way to the database. */
async function listInFlight(): Promise<string[]> {
  const saved = await countAttempts()
  return [...stand.inbox.received].flatMap(([id, bodies]) =>
    bodies.length > (saved.get(id)?.attempts ?? 0) ? [id] : [],
  )
}

async function killBoth(workers: readonly Beside[], inFlight: Map<string, number>): Promise<void> {
  await Promise.all(workers.map(worker => worker.kill()))
  for (const id of await listInFlight()) inFlight.set(id, (inFlight.get(id) ?? 0) + 1)
}

interface Saved {
  readonly attempts: number
  readonly acknowledgements: number
}

async function countAttempts(): Promise<Map<string, Saved>> {
  const rows = await stand.db.sql<(Saved & { id: string })[]>`
    select notification_id as id, count(*)::integer as attempts,
      (count(*) filter (where http_status = 200))::integer as acknowledgements
    from attempts group by notification_id`
  return new Map(rows.map(({ id, ...saved }) => [id, saved]))
}
