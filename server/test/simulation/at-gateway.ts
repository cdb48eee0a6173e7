import type { AppOptions } from '../../src/app.ts'
import type { Gateway, GatewayEvent, GatewayName, PostedEvent } from '../../src/money/gateway/gateway.ts'
import type { Db, Sql } from '../../src/platform/db/db.ts'
import type { Play } from './play.ts'
import type { Life, Scheduler } from './scheduler.ts'

/** The gateway of a run: the service's way to it, and what is done there without us. */
export interface AtGateway {
  readonly name: GatewayName
  /** Who may pay by it. */
  readonly businessTypes: readonly string[]
  /** What they pay with. */
  readonly tokens: readonly string[]
  readonly stripe?: AppOptions['stripe']
  /** The way of one life to it. `db`: the life's own. */
  open(db: Db, schedule: { life: Life; scheduler: Scheduler }): Gateway
  /** Nothing has happened there yet. */
  begin(seed: string): void
  /** What happened since the last time, and it gets to tell us, goes to `wire.events`. */
  hear(play: Play): void
  /** As it posts it. */
  sign(event: GatewayEvent): PostedEvent
  bankAnswers(play: Play): Promise<void>
  refundThere(play: Play): Promise<void>
  refundComesBack(play: Play): Promise<void>
  disputeThere(play: Play): Promise<void>
  /** Where its books and ours are apart. Mid-way: only what may never be. `but`: invoices whose money was moved there. */
  findApart(sql: Sql, options: { atRest: boolean; but: ReadonlySet<string> }): Promise<readonly Apart[]>
}

export interface Apart {
  readonly id: string
  readonly problem: string
}

/** The gateway posts one of its events: in no order, some twice, and again as long as nobody has answered. */
export async function tellEvent(play: Play, { isLast = false } = {}): Promise<void> {
  const { wire, there } = play.stage
  there.hear(play)
  if (wire.events.length === 0) return
  const event = play.random.pick(wire.events)
  const isAgain = !isLast && play.random.chance(0.3)
  const worker = play.worker()
  play.say(`${worker.life.name} is told: ${event.kind}, event ${event.eventId}`)
  const { payload, headers } = there.sign(event)
  const sent = { ...(headers as Record<string, string>), 'content-type': 'application/json' }
  play.spawn(worker, 'event', async () => {
    const { status, text } = await worker.ask('POST', `/gateways/${there.name}/events`, payload, sent)
    if (status !== 200) play.stage.faults.push(`event ${event.eventId}: ${text}`)
    else if (!isAgain) wire.events.splice(0, wire.events.length, ...wire.events.filter(one => one !== event))
  })
}
