import { listPeople } from '../../access/memberships/store.ts'
import { type CatchUp, catchUpAfter, heldBacklog, OUTAGE_MS } from '../../core/catch-up.ts'
import type { Tx } from '../../platform/db/db.ts'
import { type Letter, letter } from '../../platform/mail/letter.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import { dayWords, momentWords } from '../../platform/web/format.ts'
import type { Ports } from '../../ports.ts'
import { hasDue } from '../subscriptions/store.ts'
import { findBillingProgress, lockBillingProgress, saveCatchUp, saveLastRun } from './store.ts'

/** Far below a day, and one write a minute costs nothing. */
const NOTE_EVERY_MS = 60_000
/** Longer than the operator may decide. */
const KEPT_MS = 7 * 86_400_000

type GuardPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>

/**
 * Records that billing runs, and returns the last catch-up, or null. After more than a day without a run the backlog waits, and the operator gets
 * a mail in the same transaction. An installation without `catchUpHours` has no guard.
 */
export async function guardCatchUp(ports: GuardPorts, now: Date): Promise<CatchUp | null> {
  const hours = ports.settings.catchUpHours ?? 0
  if (hours === 0) return null
  const seen = await findBillingProgress(ports.db.sql)
  if (seen !== null && now.getTime() - seen.lastRunAt.getTime() < NOTE_EVERY_MS) return seen.catchUp
  return await ports.db.transaction(async tx => {
    const { lastRunAt, catchUp } = await lockBillingProgress(tx.sql, now)
    await saveLastRun(tx.sql, now)
    const isOutage = now.getTime() - lastRunAt.getTime() > OUTAGE_MS
    if (!isOutage || !(await hasDue(tx.sql, now))) return catchUp
    const found = catchUpAfter({ from: startOfBacklog(catchUp, lastRunAt), until: now }, hours)
    await saveCatchUp(tx.sql, found)
    await mailOperator(tx, ports, found)
    return found
  })
}

/** The part of an older backlog that still waited when billing ran last belongs to the new one. */
function startOfBacklog(older: CatchUp | null, lastRunAt: Date): Date {
  const held = heldBacklog(older, lastRunAt)
  if (older === null || held === null) return lastRunAt
  return held.after > older.outageFrom ? held.after : older.outageFrom
}

async function mailOperator(tx: Tx, ports: GuardPorts, { outageFrom, outageUntil, goesOnAt }: CatchUp): Promise<void> {
  const people = await listPeople(tx.sql, { kind: 'OPERATOR' })
  for (const { email, userId } of people.filter(({ role }) => role !== 'VIEWER')) {
    const url = `${ports.settings.baseUrl}/ops/catch-up`
    const id = `catch-up-${outageUntil.getTime()}-${userId}`
    const mail = catchUpMail({ id, to: email, outageFrom, outageUntil, goesOnAt, url })
    await recordMail({ ...ports, db: tx }, mail, { keptMs: KEPT_MS })
  }
}

/** Asks the operator to decide about the charges of an outage. */
export function catchUpMail({
  outageFrom,
  outageUntil,
  goesOnAt,
  ...mail
}: Pick<CatchUp, 'outageFrom' | 'outageUntil' | 'goesOnAt'> & Pick<Letter, 'id' | 'to' | 'url'>): Message {
  return letter({
    ...{ ...mail, subject: `Billing stood still since ${dayWords(outageFrom)}: decide about the missed charges` },
    sentences: [
      `No process billed from ${momentWords(outageFrom)} to ${momentWords(outageUntil)}.`,
      `What became due meanwhile waits until ${momentWords(goesOnAt)}. Then it is charged.`,
      'See which charges wait, and charge them now, spread them over days, or waive the missed periods.',
    ],
    button: 'See the charges',
  })
}
