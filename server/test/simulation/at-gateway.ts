import type { AppOptions } from '../../src/app-options.ts'
import type { Gateway, GatewayEvent, GatewayName, PostedEvent } from '../../src/money/gateway/gateway.ts'
import type { Db, Sql } from '../../src/platform/db/db.ts'
import type { Play } from './play.ts'
import type { Life, Scheduler } from './scheduler.ts'

/** The gateway of a run: the service's adapter, and changes made at the gateway. */
export interface AtGateway {
  readonly name: GatewayName
  /** Type of the paying businesses. */
  readonly businessTypes: readonly string[]
  /** Tokens of payment methods. */
  readonly tokens: readonly string[]
  readonly stripe?: AppOptions['stripe']
  /** The adapter of one life, with the database of the life. */
  open(db: Db, schedule: { life: Life; scheduler: Scheduler }): Gateway
  /** Empties the gateway. */
  begin(seed: string): void
  /** Moves new events to `wire.events`. */
  collectEvents(play: Play): void
  /** The posted form of an event. */
  sign(event: GatewayEvent): PostedEvent
  bankAnswers(play: Play): Promise<void>
  refundThere(play: Play): Promise<void>
  refundComesBack(play: Play): Promise<void>
  disputeThere(play: Play): Promise<void>
  /**
   * Differences between the gateway's books and ours. Before the end of a run, only differences that are never allowed. `but`: invoices with
   * money moved at the gateway.
   */
  findDiscrepancies(sql: Sql, options: { atRest: boolean; but: ReadonlySet<string> }): Promise<readonly Discrepancy[]>
}

export interface Discrepancy {
  readonly id: string
  readonly problem: string
}

/** Posts an event: in random order, sometimes twice, and again until answered. */
export async function postEvent(play: Play, { isLast = false } = {}): Promise<void> {
  const { wire, there } = play.stage
  there.collectEvents(play)
  if (wire.events.length === 0) return
  const event = play.random.pick(wire.events)
  const isAgain = !isLast && play.random.chance(0.3)
  const worker = play.worker()
  play.say(`${worker.life.name} gets the event: ${event.kind}, event ${event.eventId}`)
  const { payload, headers } = there.sign(event)
  const sent = { ...(headers as Record<string, string>), 'content-type': 'application/json' }
  play.spawn(worker, 'event', async () => {
    const { status, text } = await worker.ask('POST', `/gateways/${there.name}/events`, payload, sent)
    if (status !== 200) play.stage.errors.push(`event ${event.eventId}: ${text}`)
    else if (!isAgain) wire.events.splice(0, wire.events.length, ...wire.events.filter(one => one !== event))
  })
}
