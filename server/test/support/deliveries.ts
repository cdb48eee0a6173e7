import type { Webhooks } from './webhooks.ts'

/** Reads the state of a hook's deliveries, and runs a sender until a state is reached. */
interface Progress {
  attempts: number
  dueAt: Date
}

export async function progressOf({ db }: Webhooks, hookId: string): Promise<Progress[]> {
  const rows = await db.sql<Progress[]>`
    select attempts, due_at as "dueAt" from deliveries
    where hook_id = ${hookId} order by notification_id`
  return [...rows]
}

export async function outcomesOf({ db }: Webhooks, hookId: string): Promise<string[]> {
  const rows = await db.sql<{ text: string }[]>`
    select concat_ws(' ', status, reason, attempts) as text from outcomes
    where hook_id = ${hookId} order by notification_id`
  return rows.map(row => row.text)
}

export async function attemptsOf({ db }: Webhooks, hookId: string): Promise<string[]> {
  const rows = await db.sql<{ text: string }[]>`
    select concat_ws(' ', a.attempt, a.http_status, a.reason) as text from attempts as a
    join notifications as n using (recorded_day, notification_id)
    where n.hook_id = ${hookId} order by n.notification_id, a.attempt_id`
  return rows.map(row => row.text)
}

export async function drain(runOnce: () => Promise<number>): Promise<number> {
  let all = 0
  for (let run = 0; run < 200; run++) {
    const found = await runOnce()
    all += found
    if (found === 0) return all
  }
  throw new Error('it never ends')
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  // A minute: a busy machine takes its time.
  for (let look = 0; look < 6_000; look++) {
    if (await holds()) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error('it did not happen')
}
