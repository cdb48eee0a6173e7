import type { Call, Command } from '../command.ts'
import { connect } from '../service.ts'
import { followApp, isWanted, STREAM_OPTIONS } from '../stream.ts'

export const tailEvents: Command = {
  name: 'events tail',
  summary: "Print an app's events as they happen",
  options: STREAM_OPTIONS,
  examples: [
    'tillhook events tail',
    'tillhook events tail --events ORDER_OPENED,ORDER_COMPLETED',
    "tillhook events tail --json | jq -r '.event.resourceId'",
  ],
  async run(call: Call) {
    const { terminal, options } = call
    const service = await connect(call)
    for await (const message of followApp(service, call)) {
      const { event, cursor } = message
      if (!isWanted(event, options.events)) continue
      terminal.json({ event, cursor })
      terminal.say(`${terminal.paint.dim(event.createdAt)}  ${event.eventType}  ${event.resourceId}`)
    }
  },
}
