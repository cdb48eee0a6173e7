import type { TestContext } from 'node:test'
import type { Webhooks } from '../../../test/support/webhooks.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import type { Notices, Told } from './notices.ts'
import { until } from './sender.fixture.ts'
import { createSender, type Sender, type SenderOptions } from './sender.ts'

export interface NarrowWorker {
  readonly worker: Sender
  /** Ends with a claim that began after it was asked for. */
  readonly claimAnew: () => Promise<void>
  /** What it hears of other processes. */
  readonly tell: Notices['announce']
  readonly ofAnother: Pick<Ports, 'wake' | 'handOff'>
}

/**
 * A process whose first claims took a second each, after which its clock hardly moves: everything is read again in no time. Or one for whom the
 * database gives up each claim of everything, after 20 s.
 */
export async function openNarrowWorker(
  t: TestContext,
  webhooks: Webhooks,
  {
    everything = 'SLOW',
    ...given
  }: Pick<SenderOptions, 'maxUnderWay' | 'maxUnderWayPerHook'> & { everything?: 'SLOW' | 'GIVEN_UP' } = {},
): Promise<NarrowWorker> {
  let nowMs = 0
  let claims = 0
  // It never quite stands still: what is read in the moment of a change counts as read before it.
  t.mock.method(performance, 'now', () => {
    nowMs += 0.001
    return nowMs
  })
  const db: Db = {
    ...webhooks.db,
    transaction: async work => {
      claims++
      if (everything === 'GIVEN_UP') return webhooks.db.transaction(tx => work({ ...tx, sql: givingUp(tx.sql) }))
      const result = await webhooks.db.transaction(work)
      if (claims <= 2) nowMs += 1_000
      return result
    },
  }
  const givingUp = (sql: Sql): Sql =>
    new Proxy(sql, {
      apply: (target, self, args) => {
        if (!String(args[0]).includes('select d.hook_id from deliveries')) return Reflect.apply(target, self, args)
        nowMs += 20_000
        throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
      },
    })
  const heard: { by?: (told: Told) => void } = {}
  const notices = (announce: Notices['announce']): Notices => ({
    announce,
    listen: onNotice => void Object.assign(heard, { by: onNotice }),
    close: async () => {},
  })
  const options = { version: '0.0.0-test', random: () => 0.5, ...given }
  const worker = createSender({ ...webhooks.ports, db }, { ...options, notices: notices(() => {}) })
  worker.start()
  t.after(() => worker.stop())
  const claimsAre = (many: number) =>
    until(async () => {
      worker.wake()
      return claims >= many
    })
  await claimsAre(3)
  // One that only answers.
  const tell: Notices['announce'] = given => heard.by?.({ changed: [], left: [], parked: [], ...given })
  const handOff = createSender(webhooks.ports, { ...options, notices: notices(tell) })
  const wake = { ...webhooks.ports.wake, deliveries: (hookIds: readonly string[]) => tell({ left: hookIds }) }
  // The next one may have begun already, and the one after it begins when that has ended.
  return { worker, claimAnew: () => claimsAre(claims + 3), tell, ofAnother: { wake, handOff } }
}
