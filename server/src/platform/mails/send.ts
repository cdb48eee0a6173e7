import type { Ports } from '../../ports.ts'
import type { Message } from '../mail/mail.ts'
import { MAIL_PURPOSE } from './record.ts'
import { type ClaimedMail, claimMails, delayMail, deleteMail } from './store.ts'

const AT_ONCE = 8
/** Longer than a relay is waited for, with room for clocks that are 5 s apart. */
const LEASE_MS = 60_000
/** Links live for an hour at least: what could not be sent for a day is of no use, and its owner asks again. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000
const WAITS_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000]
const LONGEST_WAIT_MS = 30 * 60_000

type SendPorts = Pick<Ports, 'db' | 'clock' | 'vault' | 'mail' | 'log'>

/** Sends what is due. A message that was handed over as we died goes out twice, and none is lost. Gives how many were tried. */
export async function sendMails(ports: SendPorts): Promise<number> {
  const now = ports.clock.now()
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const claimed = await claimMails(ports.db.sql, { now, leasedUntil, limit: AT_ONCE })
  await Promise.all(claimed.map(mail => sendOne(ports, mail)))
  return claimed.length
}

async function sendOne(ports: SendPorts, mail: ClaimedMail): Promise<void> {
  const { db, clock, vault, log } = ports
  const { mailId, tries, createdAt } = mail
  try {
    await ports.mail.send(JSON.parse(vault.openText(MAIL_PURPOSE, mail.sealed)) as Message)
  } catch (error) {
    const nowMs = clock.now().getTime()
    if (nowMs - createdAt.getTime() < GIVEN_UP_AFTER_MS) {
      log.warn({ reason: reasonOf(error), mailId, tries }, 'mail could not be sent; it is tried again')
      return delayMail(db.sql, mail, new Date(nowMs + (WAITS_MS[tries - 1] ?? LONGEST_WAIT_MS)))
    }
    log.error({ reason: reasonOf(error), mailId, tries }, 'mail could not be sent for a day, and is given up')
  }
  await deleteMail(db.sql, mailId)
}

/** A relay's own words name addresses: the code is enough to tell what is wrong. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return [code, responseCode].filter(Boolean).join(' ') || 'unknown'
}
