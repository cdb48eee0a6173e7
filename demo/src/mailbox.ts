import { setTimeout as wait } from 'node:timers/promises'
import { readLogLines } from './service.ts'
import type { TemporaryFolder } from './temporary-folder.ts'

/** A mail of the service. Without a relay, a service on a loopback address writes its mails to the log. */
export interface SentMail {
  readonly subject: string
  readonly text: string
}

/** The service sends mail within a second; a busy machine takes longer. */
const MAILED_WITHIN_MS = 60_000
const POLL_MS = 100

/** The last mail to `to` whose text matches `holding`. */
export async function waitForMail(
  folder: TemporaryFolder,
  { to, holding, signal }: { to: string; holding: RegExp; signal: AbortSignal },
): Promise<SentMail> {
  const giveUpAt = performance.now() + MAILED_WITHIN_MS
  for (;;) {
    const lines = (await readLogLines(folder)).filter(line => line.includes(`"to":"${to}"`))
    const mails: SentMail[] = lines.map(line => JSON.parse(line))
    const mail = mails.findLast(({ text }) => holding.test(text))
    if (mail !== undefined) return mail
    if (performance.now() > giveUpAt) throw new Error(`No such mail was sent to ${to}.`)
    await wait(POLL_MS, undefined, { signal })
  }
}
