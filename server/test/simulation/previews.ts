import { isDeepStrictEqual } from 'node:util'
import { pickOne, planChange, toOne } from './operations.ts'
import { billsAll, releaseBacklog } from './operator.ts'
import type { Play } from './play.ts'
import type { Answer } from './stage.ts'

/**
 * A preview and, at once, the change. Without an event in between, both must agree to the cent: the rejection, or the invoice lines and
 * the credit. For a change at the period's end, time moves there.
 */
export async function previewAndChange(play: Play): Promise<void> {
  const { stage, random } = play
  const { sql } = stage.db
  if (stage.scheduler.running().length > 0) return
  const scene = await play.scene()
  const one = pickOne(scene, random)
  if (one === null) return
  const request = toOne(scene, one, planChange(scene, random, one))
  const { when } = request.body as { when: string }
  const known = new Set((await invoicesOf()).map(({ invoiceId }) => invoiceId))
  const [at, crashes, worker] = [play.now(), play.crashes, play.worker()]
  let previewed: Answer | undefined
  let done: Answer | undefined
  play.say(`${worker.life.name} is asked: preview and change, ${request.path} ${JSON.stringify(request.body)}`)
  play.spawn(worker, 'preview and change', async () => {
    previewed = await worker.ask('POST', `${request.path}/preview`, request.body)
    done = await worker.ask(request.method, request.path, request.body)
  })
  await play.drive()
  const isUndisturbed = () => play.crashes === crashes && stage.scheduler.running().length === 0
  if (!previewed || !done || !isUndisturbed() || play.now() > at) return
  play.say(`  ${previewed.status} ${previewed.body.code ?? ''}`)
  if (previewed.status !== 200 || done.status !== 200) {
    if (previewed.body.code !== done.body.code) mismatch(`${previewed.text}, and then ${done.text}`)
    return
  }
  if (when === 'PERIOD_END') {
    // The period ends when its clock is moved.
    if (one.isOnClock) return
    const { effectiveAt } = previewed.body
    if (!(await isAlone()) || !(await passTo(effectiveAt))) return
  }
  const made = (await invoicesOf()).filter(({ invoiceId }) => !known.has(invoiceId))
  const lines = made.flatMap(invoice => invoice.lines.map(line => [line.kind, line.amount, line.description]))
  const previewedLines = previewed.body.lines.map((line: Line) => [line.kind, line.amount, line.description])
  if (!isDeepStrictEqual(lines, previewedLines)) mismatch(`${previewed.text}, and then ${JSON.stringify(made)}`)
  const balance = await creditOf()
  if (balance !== previewed.body.creditBalance) mismatch(`${previewed.text}, and then credit of ${balance}`)

  function mismatch(problem: string): void {
    stage.errors.push(`the preview of ${one?.subscriptionId} was wrong: ${problem}`)
  }

  interface Line {
    readonly kind: string
    readonly amount: number
    readonly description: string
  }

  async function invoicesOf(): Promise<{ invoiceId: string; lines: Line[] }[]> {
    return await sql<{ invoiceId: string; lines: Line[] }[]>`
      select invoice_id as "invoiceId", lines from invoices where subscription_id = ${one?.subscriptionId ?? ''} order by 1`
  }

  /** The credit balance of the business in the subscription's currency; there is one organization. */
  async function creditOf(): Promise<number> {
    const [row] = await sql<{ balance: number }[]>`
      select b.balance from subscriptions as s join credit_balances as b using (business_id, organization_id, currency)
      where s.subscription_id = ${one?.subscriptionId ?? ''}`
    return row?.balance ?? 0
  }

  /** No other subscription of the business can use or add credit until then, and no backlog is due. */
  async function isAlone(): Promise<boolean> {
    const [row] = await sql<{ isAlone: boolean }[]>`
      select count(*) = 1 and bool_and(awaited_charge_id is null and payment_status = 'CURRENT' and (next_action_at > ${at} or not ${stage.hasOperator})) as "isAlone"
      from subscriptions where business_id = ${one?.businessId ?? ''} and status = 'ACTIVE'`
    return row?.isAlone === true
  }

  async function passTo(effectiveAt: string): Promise<boolean> {
    const then = new Date(effectiveAt)
    stage.clock.set(then)
    play.say(`time passes: ${effectiveAt}`)
    play.spawn(worker, 'renewals', async () => {
      const renew = async () => {
        while ((await worker.runJob('renewals')) > 0);
      }
      await renew()
      if (!stage.hasOperator) return
      // Time that passes without work is an outage.
      await releaseBacklog(worker)
      await renew()
    })
    await play.drive()
    return isUndisturbed() && play.now().getTime() === then.getTime() && (await billsAll(play))
  }
}
